import { type Agent, type ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { RequestHead } from './message.js';

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
 * Begins a request with a head as it is; only `Host` is the upstream's, in the place where it stood.
 *
 * @param agent keeps connections; `false`: the request has one of its own
 */
export type Requester = (head: RequestHead, agent: Agent | false) => ClientRequest;

/** What begins requests to an upstream. */
export function requesterTo({ baseUrl, ca, insecure = false }: Upstream): Requester {
  const url = new URL(baseUrl);
  const { host, hostname, port, protocol } = url;
  const open = protocol === 'https:' ? requestHttps : requestHttp;
  const base = url.pathname.replace(/\/+$/, '');
  const usual = {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port || (protocol === 'https:' ? 443 : 80),
    maxHeaderSize: LONGEST_HEAD,
    rejectUnauthorized: !insecure,
    ...(ca !== undefined && { ca }),
  };
  return ({ method, target, headers }, agent) => {
    // Node takes fields in order, and as they are written, as a flat list.
    const fields: string[] = [];
    let hasHost = false;
    for (const [name, value] of headers) {
      const isHost = name.length === 4 && name.toLowerCase() === 'host';
      if (isHost) hasHost = true;
      fields.push(name, isHost ? host : value);
    }
    if (!hasHost) fields.unshift('Host', host);
    if (agent === false) fields.push('Connection', 'close');
    return open({ ...usual, agent, method, path: base + target, headers: fields });
  };
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
    const sent = requesterTo(upstream)({ ...request, headers: [...request.headers, length] }, false);
    // Of the whole exchange: the time-out of a socket begins anew with each byte.
    const late = (): void => void sent.destroy(new Error(`no answer within ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    sent.once('close', () => clearTimeout(timer)).once('error', reject);
    sent.once('response', (received) => {
      received
        .resume()
        .once('error', reject)
        .once('end', () => resolve(received.statusCode ?? 0));
    });
    sent.end(request.body);
  });
}
