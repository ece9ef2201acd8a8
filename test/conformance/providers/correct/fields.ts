import type { Layer } from './provider.js';
import type { Answer } from './write.js';

function rejection(status: number, message: string): Answer {
  return { status, body: { error: status, message } };
}

/** Rejects requests because of fields that the interface does not name. */
function rejects(isWrong: (field: (name: string) => string) => boolean, status: number): Layer {
  return async ({ request }, next) =>
    isWrong((name) => String(request.headers[name] ?? '')) ? rejection(status, 'not like this') : next();
}

/** A provider may have a policy for pages of other sites. */
export const ownOriginOnly = rejects((field) => field('origin') !== '' || field('referer') !== '', 403);

/** Rejects a client that cannot read JSON, as RFC 9110, section 15.5.7, allows. */
export const jsonReadersOnly = rejects(
  (field) => field('accept') !== '' && !/\*\/\*|application\/(json|\*)/.test(field('accept')),
  406,
);

/** Rejects a client that does not say that it can read JSON: the interface does not show that it must say so. */
export const declaredReadersOnly = rejects(
  (field) => !/\*\/\*|application\/(json|\*)/.test(field('accept')),
  406,
);

export const namedAgentsOnly = rejects((field) => field('user-agent') === '', 403);

export const knownAddressesOnly = rejects(
  (field) => /203\.0\.113\./.test(field('x-forwarded-for') + field('x-real-ip')),
  403,
);

/** RFC 6265, section 4.2.1. hapi rejects what is not like this. */
const COOKIES = /^[^\s;=]+=[!#-+\--:<-[\]-~]*(?:; [^\s;=]+=[!#-+\--:<-[\]-~]*)*$/;

export const wellFormedCookiesOnly = rejects(
  (field) => field('cookie') !== '' && !COOKIES.test(field('cookie')),
  400,
);

/** Rejects every query: the interface shows no query parameters. */
export const noQueries: Layer = async ({ request }, next) =>
  request.url?.includes('?') ? rejection(400, 'unknown query parameter') : next();

/** Other operations that need no token: a preflight, and a page that shows whether the provider is up. */
const PREFLIGHT: Answer = { status: 204, headers: { 'Access-Control-Allow-Origin': '*' } };
const UP: Answer = { status: 200, body: { name: 'plants', status: 'up' } };

/** Responds as another operation if a field names its method or its path. */
export const otherOperations: Layer = async ({ request: { headers } }, next) => {
  const method = String(headers['x-http-method-override'] ?? 'POST');
  if (method === 'OPTIONS') return PREFLIGHT;
  if (method !== 'POST') return rejection(405, `not ${method}`);
  return headers['x-original-url'] === '/health' ? UP : next();
};
