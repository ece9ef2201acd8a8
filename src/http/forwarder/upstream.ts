import type { Agent, ClientRequest } from 'node:http';
import type { RequestHead } from '../exchange.js';
import { beginRequest, type Route } from '../route.js';

/**
 * Begins a request with an unchanged head. Only `Host` is the upstream's, in the same place as before.
 *
 * @param agent keeps connections; without it the request has its own
 */
export type Requester = (head: RequestHead, agent?: Agent) => ClientRequest;

/**
 * Makes the function that begins requests to an upstream.
 *
 * @param route its URL is the base URL: the targets of requests are appended to its own path
 */
export function requesterTo(route: Route): Requester {
  const { host, pathname } = route.url;
  const base = pathname.replace(/\/+$/, '');
  return ({ method, target, headers: given }, agent) => {
    const headers = given.map(([name, value]) => [name, isHost(name) ? host : value] as const);
    if (!given.some(([name]) => isHost(name))) headers.unshift(['Host', host]);
    if (agent === undefined) headers.push(['Connection', 'close']);
    const sent = beginRequest(route, { method, path: pathTo(base, target), headers }, agent && { agent });
    // Node would drop fields after the 2,000th, and so perhaps the Content-Length.
    sent.maxHeadersCount = 0;
    return sent;
  };
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === 'host';
}

/** A target after the path of a base URL. `*` means the whole server; of an absolute URL, only the path counts. */
function pathTo(base: string, target: string): string {
  if (base === '' || target === '*') return target;
  const path = target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return base + (path.startsWith('/') ? path : `/${path}`);
}
