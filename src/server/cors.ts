import { type Answer, fieldValues, type IncomingRequest } from './exchange.js';

/** The origins whose pages are let in: all, or those of a list. */
type Origins = true | readonly string[];

/** An answer that pages of other origins may read (Fetch standard, "HTTP extensions"). */
export function withCors(answer: Answer, request: IncomingRequest, origins: Origins): Answer {
  return { ...answer, headers: [...answer.headers, ...allowOrigin(request, origins)] };
}

/** Whether a browser asks what it may send. It does so without a token. */
export function isPreflight({ method, headers }: IncomingRequest): boolean {
  return method === 'OPTIONS' && fieldValues(headers, 'access-control-request-method').length > 0;
}

/** The answer to a preflight. */
export function preflight(request: IncomingRequest, origins: Origins): Answer {
  return {
    status: 204,
    headers: [
      ...allowOrigin(request, origins),
      ...['access-control-allow-methods', 'POST'],
      ...['access-control-allow-headers', 'authorization, content-type, prefer'],
      ...['access-control-max-age', '600'],
    ],
    body: '',
  };
}

function allowOrigin({ headers }: IncomingRequest, origins: Origins): string[] {
  if (origins === true) return ['access-control-allow-origin', '*'];
  const [origin] = fieldValues(headers, 'origin');
  const allowed = origin !== undefined && origins.includes(origin);
  return allowed ? ['access-control-allow-origin', origin, 'vary', 'origin'] : ['vary', 'origin'];
}
