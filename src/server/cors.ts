import { headerValues } from '../http/fields.js';
import { operation } from '../spec/operation.js';
import type { IncomingRequest, OutgoingResponse } from './exchange.js';

/** The origins whose pages may call the server: all, or those of a list. */
type Origins = true | readonly string[];

/** Adds the headers that let pages of other origins read a response (Fetch standard, "HTTP extensions"). */
export function withCors(
  response: OutgoingResponse,
  request: IncomingRequest,
  origins: Origins,
): OutgoingResponse {
  return { ...response, headers: [...response.headers, ...allowOrigin(request, origins)] };
}

/** Whether a browser asks what it may send. Such a request has no token. */
export function isPreflight({ method, headers }: IncomingRequest): boolean {
  return method === 'OPTIONS' && headerValues(headers, 'access-control-request-method').length > 0;
}

/** The response to a preflight. */
export function preflight(request: IncomingRequest, origins: Origins): OutgoingResponse {
  const allowed = [
    ['access-control-allow-methods', operation.method],
    ['access-control-allow-headers', 'authorization, content-type, prefer'],
    ['access-control-max-age', '600'],
  ];
  return { status: 204, headers: [...allowOrigin(request, origins), ...allowed.flat()], body: '' };
}

function allowOrigin({ headers }: IncomingRequest, origins: Origins): string[] {
  if (origins === true) return ['access-control-allow-origin', '*'];
  const [origin] = headerValues(headers, 'origin');
  const allowed = origin !== undefined && origins.includes(origin);
  return allowed ? ['access-control-allow-origin', origin, 'vary', 'origin'] : ['vary', 'origin'];
}
