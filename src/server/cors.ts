import { headerNames, headerValues } from '../http/fields.js';
import { operation } from '../spec/operation.js';
import type { IncomingRequest, OutgoingResponse } from './exchange.js';

/** The origins whose pages may call the server: all, or those of a list. */
type Origins = true | readonly string[];

/** Adds the headers that let pages of other origins read all of a response (Fetch standard, "HTTP extensions"). */
export function withCors(
  response: OutgoingResponse,
  request: IncomingRequest,
  origins: Origins,
): OutgoingResponse {
  // A page may read Content-Type anyway.
  const names = headerNames(response.headers).filter((name) => name.toLowerCase() !== 'content-type');
  const exposed = names.length === 0 ? [] : ['access-control-expose-headers', [...new Set(names)].join(', ')];
  return { ...response, headers: [...response.headers, ...allowOrigin(request, origins), ...exposed] };
}

/** Whether a browser asks what it may send. Such a request has no token. */
export function isPreflight({ method, headers }: IncomingRequest): boolean {
  return method === 'OPTIONS' && headerValues(headers, 'access-control-request-method').length > 0;
}

/** The response to a preflight: a page may send any header fields, as other clients may. */
export function preflight(request: IncomingRequest, origins: Origins): OutgoingResponse {
  const asked = headerValues(request.headers, 'access-control-request-headers').join(', ');
  const headers = [
    ...allowOrigin(request, origins),
    ...['access-control-allow-methods', operation.method],
    ...(asked === '' ? [] : ['access-control-allow-headers', asked]),
    ...['vary', 'access-control-request-headers'],
    ...['access-control-max-age', '600'],
  ];
  return { status: 204, headers, body: '' };
}

function allowOrigin({ headers }: IncomingRequest, origins: Origins): string[] {
  if (origins === true) return ['access-control-allow-origin', '*'];
  const [origin] = headerValues(headers, 'origin');
  const allowed = origin !== undefined && origins.includes(origin);
  return allowed ? ['access-control-allow-origin', origin, 'vary', 'origin'] : ['vary', 'origin'];
}
