import { X509Certificate } from 'node:crypto';
import { baseUrlOf } from '../provider-address.js';
import { invalidOption } from '../toolkit-error.js';
import type { JudgedExchange } from './judged.js';
import type { RequestHead } from './message.js';

/** Which violations count in the end. */
export type FailOn = 'response' | 'request' | 'both';

/** A request that got no answer from the upstream. */
export interface UnansweredRequest {
  /** Its head; of one that could not be read there is none. */
  readonly request?: RequestHead;
  /** Why, as a sentence. */
  readonly why: string;
}

/** How a proxy runs. */
export interface ProxyOptions {
  /** Where the provider is: the targets of requests are appended to its own path. */
  readonly upstream: string | URL;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
  /**
   * Which violations count. Default `response`: that a request is wrong and is refused is how the interface is meant to
   * work.
   */
  readonly failOn?: FailOn;
  /** Whether Prism is asked as well; its opinion is kept apart, and never counts. Default true. */
  readonly prism?: boolean;
  /** Milliseconds that an exchange may take, 1 to 2,147,483,647. Default: any number, as without the proxy. */
  readonly timeoutMs?: number;
  /** How many bytes of a body are judged; all of them pass. Default 1 MiB. */
  readonly judgedBytes?: number;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
  /** Whether any certificate is taken. Default false. */
  readonly insecure?: boolean;
  /** Told of each exchange that was judged, after its answer has gone out. */
  readonly onJudged?: (judged: JudgedExchange) => void;
  /** Told of each request that got no answer, judged or not, and of each that could not be read. */
  readonly onUnanswered?: (unanswered: UnansweredRequest) => void;
}

/** Options with their defaults, made sure of. */
export type ProxySettings = ProxyOptions & {
  readonly upstream: string;
  readonly failOn: FailOn;
};

/** What a timer of Node can wait; it takes more for 1. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** @throws ToolkitError `invalid-option`, with a sentence that names the option */
export function proxySettings(options: ProxyOptions): ProxySettings {
  const { failOn = 'response', timeoutMs, ca } = options;
  if (!['response', 'request', 'both'].includes(failOn))
    throw invalidOption(`violations count in a response, a request or both; got "${failOn}"`);
  if (
    timeoutMs !== undefined &&
    !(Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= LONGEST_TIMEOUT_MS)
  )
    throw invalidOption(
      `the time-out of an exchange must be 1 to ${LONGEST_TIMEOUT_MS} ms; got ${timeoutMs}`,
    );
  if (ca !== undefined) checkCertificates(ca);
  return { ...options, upstream: baseUrlOf(options.upstream), failOn };
}

/** Node takes anything for a CA, and trusts nobody then. */
function checkCertificates(ca: string): void {
  const certificates =
    ca.match(/-----BEGIN (?:[A-Z0-9]+ )*CERTIFICATE-----.*?-----END (?:[A-Z0-9]+ )*CERTIFICATE-----/gs) ?? [];
  if (certificates.length === 0) throw invalidOption('the CA holds no certificate in PEM');
  try {
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (cause) {
    throw invalidOption('the CA holds a certificate that cannot be read', { cause });
  }
}
