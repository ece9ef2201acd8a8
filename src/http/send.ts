import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { readWithin } from './collected-bytes.js';
import { type Fields, fieldsFrom } from './fields.js';
import { limitInWords } from './limits.js';
import { agentTo } from './open-socket.js';
import { proxyFor } from './proxy-environment.js';
import { OutboundProxy } from './tunnel-socket.js';

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
  readonly headers: Fields;
  readonly body: Uint8Array;
}

/**
 * Sends one request on a connection of its own, and reads the whole response. It follows no redirect and keeps no cookie.
 * It uses the HTTPS proxy that the environment names.
 *
 * @throws Error if there is no complete response within the limits; its message says why
 */
export async function sendRequest(request: OutgoingRequest, options: SendOptions): Promise<ReceivedResponse> {
  const { timeoutMs, signal } = options;
  // For the whole exchange: the timeout of a socket begins again with each byte.
  const late = AbortSignal.timeout(timeoutMs);
  try {
    return await exchange(request, options, signal === undefined ? late : AbortSignal.any([late, signal]));
  } catch (cause) {
    if (late.aborted) throw new Error(`no whole response within ${timeoutMs} ms`, { cause });
    throw cause;
  }
}

function exchange(
  { method, url, headers, body }: OutgoingRequest,
  options: SendOptions,
  signal: AbortSignal,
): Promise<ReceivedResponse> {
  const { longestBody, timeoutMs } = options;
  // A server without TLS is usually near.
  const given = url.protocol === 'https:' ? proxyFor(url, process.env) : undefined;
  const agent = agentTo({ ...options, url, proxy: given && new OutboundProxy(given, timeoutMs) });
  return new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = open(url, {
      method,
      headers: { ...headers, ...length },
      agent,
      signal,
    });
    sent.once('error', reject);
    sent.once('response', (received) => {
      const { statusCode: status = 0, rawHeaders } = received;
      readWithin(received, longestBody).then((body) => {
        if (body === undefined) reject(new Error(`the response is longer than ${limitInWords(longestBody)}`));
        else resolve({ status, headers: fieldsFrom(rawHeaders), body });
      }, reject);
    });
    sent.end(body);
  });
}
