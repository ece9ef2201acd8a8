import { type Agent, ClientRequest, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { hostOf } from '../address.js';
import type { RequestHead } from '../exchange.js';
import { agentTo, type Reachable } from '../open-socket.js';
import { tlsOptions } from '../tls.js';

/** Where requests go. */
export interface Upstream extends Omit<Reachable, 'url'> {
  /** The base URL: the targets of requests are appended to its own path. */
  readonly baseUrl: string;
}

/** Longer than any real head, in bytes. */
export const LONGEST_HEAD = 256 * 1024;

/**
 * Begins a request with an unchanged head. Only `Host` is the upstream's, in the same place as before.
 *
 * @param agent keeps connections; with `false` the request has its own
 */
export type Requester = (head: RequestHead, agent: Agent | false) => ClientRequest;

/** Makes the function that begins requests to an upstream. */
export function requesterTo({ baseUrl, ...way }: Upstream): Requester {
  const url = new URL(baseUrl);
  const server: Reachable = { ...way, url };
  const { host, port, protocol } = url;
  const isTls = protocol === 'https:';
  const open = isTls ? requestHttps : requestHttp;
  const base = url.pathname.replace(/\/+$/, '');
  const usual = {
    host: hostOf(url),
    protocol,
    port: port || (isTls ? 443 : 80),
    maxHeaderSize: LONGEST_HEAD,
    ...tlsOptions(server),
  };
  return ({ method, target, headers }, agent) => {
    // In a flat list, Node keeps the order and the spelling of fields.
    const fields: string[] = [];
    let hasHost = false;
    let hasBody = false;
    for (const [name, value] of headers) {
      const isHost = name.length === 4 && name.toLowerCase() === 'host';
      if (isHost) hasHost = true;
      else if (FRAMING.test(name)) hasBody = true;
      fields.push(name, isHost ? host : value);
    }
    if (!hasHost) fields.unshift('Host', host);
    if (agent === false) fields.push('Connection', 'close');
    const isTunnelled = agent === false && way.proxy !== undefined;
    const options = {
      ...usual,
      agent: isTunnelled ? agentTo(server) : agent,
      method,
      path: pathTo(base, target),
      headers: fields,
    };
    const sent = hasBody ? open(options) : new WithoutBody({ ...options, agent: agent || agentTo(server) });
    // Node would drop fields after the 2,000th, and so perhaps the Content-Length.
    sent.maxHeadersCount = 0;
    return sent;
  };
}

const FRAMING = /^(?:content-length|transfer-encoding)$/i;

/** A request with neither a length nor chunks. For some methods, Node would add an empty chunk. */
class WithoutBody extends ClientRequest {}
// Node sets this and writes the head while it constructs the request.
Object.defineProperty(WithoutBody.prototype, 'useChunkedEncodingByDefault', { get: () => false, set() {} });

/** A target after the path of a base URL. `*` means the whole server; of an absolute URL, only the path counts. */
function pathTo(base: string, target: string): string {
  if (base === '' || target === '*') return target;
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return base + (path.startsWith('/') ? path : `/${path}`);
}

/**
 * Sends one whole request on a connection of its own.
 *
 * @returns the status of the response
 * @throws Error if there is none; its message says why
 */
export function statusOf(
  upstream: Upstream,
  request: RequestHead & { readonly body: Uint8Array },
  timeoutMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const length = ['Content-Length', String(request.body.length)] as const;
    const sent = requesterTo(upstream)({ ...request, headers: [...request.headers, length] }, false);
    // For the whole exchange: the timeout of a socket begins again with each byte.
    const late = (): void => void sent.destroy(new Error(`no response within ${timeoutMs} ms`));
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
