import { headerNames, headerValues } from '../http/fields.js';
import { operation } from '../spec/operation.js';
import type { IncomingRequest, OutgoingResponse } from './exchange.js';

const ANY_ORIGIN = ['access-control-allow-origin', '*'];

/** Adds the headers that let pages of other origins read all of a response (Fetch standard, "HTTP extensions"). */
export function withCors(response: OutgoingResponse): OutgoingResponse {
  // A page may read Content-Type anyway.
  const names = headerNames(response.headers).filter((name) => name.toLowerCase() !== 'content-type');
  const exposed = names.length === 0 ? [] : ['access-control-expose-headers', [...new Set(names)].join(', ')];
  return { ...response, headers: [...response.headers, ...ANY_ORIGIN, ...exposed] };
}

/** Whether a browser asks what it may send. Such a request has no token. */
export function isPreflight({ method, headers }: IncomingRequest): boolean {
  return method === 'OPTIONS' && headerValues(headers, 'access-control-request-method').length > 0;
}

/** The response to a preflight: a page may send any header fields, as other clients may. */
export function preflight(request: IncomingRequest): OutgoingResponse {
  const asked = headerValues(request.headers, 'access-control-request-headers').join(', ');
  const headers = [
    ...ANY_ORIGIN,
    ...['access-control-allow-methods', operation.method],
    ...(asked === '' ? [] : ['access-control-allow-headers', asked]),
    ...['vary', 'access-control-request-headers'],
    ...['access-control-max-age', '600'],
  ];
  return { status: 204, headers, body: '' };
}
