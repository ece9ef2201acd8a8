import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { limitInWords } from './limits.js';

/** A request that this package sends to a server that is not under test. */
export interface OutgoingRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How long a request may take, and how much of its response is read. */
export interface SendOptions {
  /** For the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest body of a response, in bytes. */
  readonly longestBody: number;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string | undefined;
  /** Whether any certificate is accepted. */
  readonly insecure?: boolean | undefined;
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined;
}

/** A whole response, as received. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/**
 * Sends one request on a connection of its own, and reads the whole response. It follows no redirect and keeps no cookie.
 *
 * @throws Error if there is no complete response within the limits; its message says why
 */
export function sendRequest(
  { method, url, headers, body }: OutgoingRequest,
  { timeoutMs, longestBody, ca, insecure = false, signal }: SendOptions,
): Promise<ReceivedResponse> {
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = open(url, {
      method,
      headers: { ...headers, ...length },
      agent: false,
      rejectUnauthorized: !insecure,
      ...(ca !== undefined && { ca }),
      ...(signal !== undefined && { signal }),
    });
    // For the whole exchange: the timeout of a socket begins again with each byte.
    const timer = setTimeout(() => giveUp(`no whole response within ${timeoutMs} ms`), timeoutMs);
    const giveUp = (why: string): void => {
      reject(new Error(why));
      sent.destroy();
    };
    sent.once('close', () => clearTimeout(timer)).once('error', reject);
    sent.once('response', (received) => {
      const chunks: Buffer[] = [];
      let size = 0;
      received.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > longestBody) giveUp(`the response is longer than ${limitInWords(longestBody)}`);
        else chunks.push(chunk);
      });
      received.once('error', reject).once('end', () => {
        const { statusCode: status = 0, headers } = received;
        resolve({ status, headers, body: Buffer.concat(chunks) });
      });
    });
    sent.end(body);
  });
}
