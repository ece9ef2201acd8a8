import { type Agent, type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Fields, RequestHead } from './message.js';

/** Where requests go. */
export interface Upstream {
  /** The base URL: the targets of requests are appended to its own path. */
  readonly baseUrl: string;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
  /** Whether certificates are not looked at. */
  readonly insecure?: boolean;
}

/** Longer than any head that a server or a client sends in earnest. */
export const LONGEST_HEAD = 256 * 1024;

/**
 * Begins a request to an upstream, with the fields as they are; only `Host` is the upstream's, in the place where it
 * stood.
 *
 * @param agent keeps connections; `false`: the request has one of its own
 */
export function openRequest(
  { baseUrl, ca, insecure = false }: Upstream,
  { method, target, headers }: RequestHead,
  agent: Agent | false,
): ClientRequest {
  const url = new URL(baseUrl);
  const open = url.protocol === 'https:' ? requestHttps : requestHttp;
  const own: Fields = headers.some(([name]) => name.toLowerCase() === 'host') ? [] : [['Host', url.host]];
  const fields = [
    ...own,
    ...headers.map(([name, value]) => [name, name.toLowerCase() === 'host' ? url.host : value] as const),
    ...(agent === false ? [['Connection', 'close'] as const] : []),
  ];
  return open(url, {
    method,
    path: url.pathname.replace(/\/+$/, '') + target,
    agent,
    maxHeaderSize: LONGEST_HEAD,
    rejectUnauthorized: !insecure,
    ...(ca !== undefined && { ca }),
    // Node takes fields in order, and as they are written, as a flat list.
    headers: fields.flat(),
  });
}

/**
 * Sends one whole request on a connection of its own.
 *
 * @returns the status of the answer
 * @throws Error with why there is none
 */
export function statusOf(
  upstream: Upstream,
  request: RequestHead & { readonly body: Uint8Array },
  timeoutMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = ['Content-Length', String(request.body.length)] as const;
    const sent = openRequest(upstream, { ...request, headers: [...request.headers, length] }, false);
    sent.setTimeout(timeoutMs, () => sent.destroy(new Error(`no answer within ${timeoutMs} ms`)));
    sent.once('error', reject);
    sent.once('response', (received) => {
      received.resume().once('close', () => resolve(received.statusCode ?? 0));
    });
    sent.end(request.body);
  });
}
