import { type Answer, fieldValues, type IncomingRequest, type Pipeline } from './exchange.js';

/**
 * Lets pages of other origins in (Fetch standard, "HTTP extensions"). A preflight is answered before
 * authentication, because it carries no token.
 */
export function withCors(pipeline: Pipeline, origins: boolean | readonly string[]): Pipeline {
  if (origins === false) return pipeline;
  return (request) => {
    const headers = corsHeaders(request, origins);
    if (isPreflight(request)) return preflight(headers);
    const answer = pipeline(request);
    const allow = (plain: Answer): Answer => ({ ...plain, headers: [...plain.headers, ...headers] });
    return answer instanceof Promise ? answer.then(allow) : allow(answer);
  };
}

function isPreflight({ method, headers }: IncomingRequest): boolean {
  return method === 'OPTIONS' && fieldValues(headers, 'access-control-request-method').length > 0;
}

function corsHeaders({ headers }: IncomingRequest, origins: true | readonly string[]): string[] {
  if (origins === true) return ['access-control-allow-origin', '*'];
  const [origin] = fieldValues(headers, 'origin');
  const allowed = origin !== undefined && origins.includes(origin);
  return allowed ? ['access-control-allow-origin', origin, 'vary', 'origin'] : ['vary', 'origin'];
}

function preflight(headers: readonly string[]): Answer {
  return {
    status: 204,
    headers: [
      ...headers,
      ...['access-control-allow-methods', 'POST'],
      ...['access-control-allow-headers', 'authorization, content-type, prefer'],
      ...['access-control-max-age', '600'],
    ],
    body: '',
  };
}
