import { headerValues } from '../../http/fields.js';
import type { IncomingRequest } from '../exchange.js';
import { alsoAccepts, authorization } from './authentication.js';
import type { Faults } from './names.js';

/** Accepts a request without an Authorization header if one of its other fields is trusted. */
function trusts(isTrusted: (field: (name: string) => string, request: IncomingRequest) => boolean) {
  return {
    breaks: ['auth/other-fields-give-no-access'],
    replace: alsoAccepts(
      (request) =>
        authorization(request) === undefined &&
        isTrusted((name) => headerValues(request.headers, name)[0] ?? '', request),
    ),
  };
}

/** Other fields of a request take the place of a token. */
export const trustFaults = {
  'trusts-user-header': {
    title: 'A request with X-Forwarded-User or X-User-Id needs no token.',
    ...trusts((field) => field('x-forwarded-user') !== '' || field('x-user-id') !== ''),
  },
  'trusts-local-clients': {
    title: 'A request from 127.0.0.1 according to X-Forwarded-For needs no token.',
    ...trusts((field) => /^127\.0\.0\.1(?:,|$)/.test(field('x-forwarded-for'))),
  },
  'trusts-original-path': {
    title: 'A request for /health according to X-Forwarded-Uri needs no token.',
    ...trusts((field) => field('x-forwarded-uri') === '/health'),
  },
  'trusts-original-url': {
    title: 'A request for /health according to X-Original-URL needs no token.',
    ...trusts((field) => field('x-original-url') === '/health'),
  },
  'trusts-overridden-method': {
    title: 'A request with the method OPTIONS according to X-HTTP-Method-Override needs no token.',
    ...trusts((field) => field('x-http-method-override') === 'OPTIONS'),
  },
  'trusts-preflights': {
    title: 'A request with Access-Control-Request-Method needs no token, whatever its method.',
    ...trusts((field) => field('access-control-request-method') !== ''),
  },
  'trusts-open-paths': {
    title: 'A request whose URL contains /public/ or /login needs no token.',
    ...trusts((_field, { target }) => /\/public\/|\/login/.test(target)),
  },
  'trusts-private-networks': {
    title: 'A request from 10.0.0.0/8 according to X-Forwarded-For needs no token.',
    ...trusts((field) => field('x-forwarded-for').startsWith('10.')),
  },
  'trusts-switches-in-query': {
    title: 'A request with "debug" in its query needs no token.',
    ...trusts((_field, { target }) => /[?&]debug=/.test(target)),
  },
  'trusts-scripts-of-pages': {
    title: 'A request with X-Requested-With needs no token.',
    ...trusts((field) => field('x-requested-with') !== ''),
  },
} satisfies Faults;
