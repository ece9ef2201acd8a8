import { readWithin } from './collected-bytes.js';
import type { ResponseHead } from './exchange.js';
import { fieldsFrom } from './fields.js';
import { limitInWords } from './limits.js';
import { beginRequest, type OutgoingHead, type Route } from './route.js';

/** How long a request may take, and how much of its response is read. */
export interface SendOptions {
  /** For the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest body of a response, in bytes. */
  readonly longestBody: number;
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined;
}

/** A whole response, as received. */
export interface ReceivedResponse extends ResponseHead {
  readonly body: Uint8Array;
}

/**
 * Sends one request on a connection of its own, and reads the whole response. It follows no redirect and keeps no cookie.
 *
 * @param request without `Host` and `Content-Length`, which are added
 * @throws Error if there is no complete response within the limits; its message says why
 */
export async function sendRequest(
  route: Route,
  request: OutgoingHead & { readonly body?: Uint8Array | string | undefined },
  { timeoutMs, longestBody, signal }: SendOptions,
): Promise<ReceivedResponse> {
  // For the whole exchange: the timeout of a socket begins again with each byte.
  const late = AbortSignal.timeout(timeoutMs);
  const { body, headers: given } = request;
  const length = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const];
  const headers = [['Host', route.url.host] as const, ...given, ...route.headers, ...length];
  const stop = signal === undefined ? late : AbortSignal.any([late, signal]);
  try {
    return await new Promise((resolve, reject) => {
      const sent = beginRequest(route, { ...request, headers }, { signal: stop });
      sent.once('error', reject);
      sent.once('response', (received) => {
        const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = received;
        readWithin(received, longestBody).then((body) => {
          if (body !== undefined) resolve({ status, reason, headers: fieldsFrom(rawHeaders), body });
          else reject(new Error(`the response is longer than ${limitInWords(longestBody)}`));
        }, reject);
      });
      sent.end(body);
    });
  } catch (cause) {
    if (late.aborted) throw new Error(`no whole response within ${timeoutMs} ms`, { cause });
    throw cause;
  }
}
