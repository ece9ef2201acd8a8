import { headerNames, headerValues } from '../http/fields.js';
import { operation } from '../spec/operation.js';
import type { IncomingRequest, OutgoingResponse } from './exchange.js';

/** The origin of the page that sends a request, as a browser names it. */
export function originIn(headers: readonly string[]): string | undefined {
  const [origin, ...more] = headerValues(headers, 'origin');
  return more.length === 0 ? origin : undefined;
}

/**
 * The fields that let a page of this origin read a response, also if it sends credentials (Fetch standard, "CORS protocol and
 * credentials").
 *
 * @param origin `undefined` if no page asks: then any origin may read it, without credentials
 */
export function originFields(origin: string | undefined): string[] {
  const vary = ['vary', 'Origin'];
  if (origin === undefined) return ['access-control-allow-origin', '*', ...vary];
  return ['access-control-allow-origin', origin, 'access-control-allow-credentials', 'true', ...vary];
}

/** Adds the headers that let pages of other origins read all of a response (Fetch standard, "HTTP extensions"). */
export function withCors(response: OutgoingResponse, request: IncomingRequest): OutgoingResponse {
  // A page may read Content-Type anyway.
  const names = headerNames(response.headers).filter((name) => name.toLowerCase() !== 'content-type');
  const exposed = names.length === 0 ? [] : ['access-control-expose-headers', [...new Set(names)].join(', ')];
  const headers = [...response.headers, ...originFields(originIn(request.headers)), ...exposed];
  return { ...response, headers };
}

/** Whether a browser asks what it may send. Such a request has no token. */
export function isPreflight({ method, headers }: IncomingRequest): boolean {
  return method === 'OPTIONS' && headerValues(headers, 'access-control-request-method').length > 0;
}

/** The response to a preflight: a page may send any header fields, as other clients may. */
export function preflight(request: IncomingRequest): OutgoingResponse {
  const asked = headerValues(request.headers, 'access-control-request-headers').join(', ');
  const headers = [
    ...originFields(originIn(request.headers)),
    ...['access-control-allow-methods', operation.method],
    ...(asked === '' ? [] : ['access-control-allow-headers', asked]),
    ...['vary', 'Access-Control-Request-Headers'],
    ...['access-control-max-age', '600'],
  ];
  return { status: 204, headers, body: '' };
}
