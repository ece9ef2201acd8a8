import { alsoAccepts, alsoLikeToken, authorization, trusts } from '../../../src/server/faults/tokens.js';
import { breaking } from './breaking.js';

/** Also accepts a request if the value of its Authorization header is like a right token. */
function alsoLike(isLike: (value: string, token: string) => boolean) {
  return alsoAccepts((request, { settings }) =>
    settings.tokens.some((token) => isLike(authorization(request) ?? '', token)),
  );
}

/** Accepts a request without a token if a field, or the URL, is like this. */
function trustsLike(name: string, pattern: RegExp) {
  return trusts((field) => pattern.test(field(name))).replace;
}

function trustsUrl(pattern: RegExp) {
  return trusts((_field, { target }) => pattern.test(target)).replace;
}

function sorted(text: string): string {
  return [...text].sort().join('');
}

function passwordOfBasic(value: string): string | undefined {
  if (!value.startsWith('Basic ')) return undefined;
  return /^[^:]*:(.*)$/s.exec(Buffer.from(value.slice('Basic '.length), 'base64').toString())?.[1];
}

/**
 * Wrong tokens are accepted: almost right ones, patterns, and right ones in the wrong place. Or other fields take the
 * place of a token.
 */
export const tokenFaults = {
  ...breaking(['auth/near-miss-token-is-refused'], {
    'compares-token-end': alsoLikeToken((given, token) => !given.includes(' ') && given.endsWith(token)),
    'finds-token-end': alsoLikeToken((given, token) => given !== '' && token.endsWith(given)),
    'compares-both-ends': alsoLikeToken(
      (given, token) =>
        given.length === token.length &&
        given.slice(0, 4) === token.slice(0, 4) &&
        given.slice(-4) === token.slice(-4),
    ),
    'compares-sorted-tokens': alsoLikeToken((given, token) => sorted(given) === sorted(token)),
    'decodes-tokens': alsoLikeToken((given, token) => given === Buffer.from(token).toString('base64')),
    'removes-quotes': alsoLikeToken((given, token) => given === `"${token}"`),
    'reads-last-word': alsoLike(
      (value, token) => /^Bearer [^ ,]+ [^ ]+$/.test(value) && value.split(' ').at(-1) === token,
    ),
    'finds-bearer-anywhere': alsoLike(
      (value, token) => !value.includes(',') && value.endsWith(` Bearer ${token}`),
    ),
    // A list that begins with the right token may be what a gateway, or a Request, makes of two headers.
    'reads-token-lists': alsoLike((value, token) => value.endsWith(`, Bearer ${token}`)),
  }),
  ...breaking(['auth/other-scheme-is-refused'], {
    'reads-scheme-token': alsoLike((value, token) => value === `Token ${token}`),
    'reads-scheme-api-key': alsoLike((value, token) => value === `ApiKey ${token}`),
    'compares-scheme-start': alsoLike(
      (value, token) => /^Bearer[^ ]+ /.test(value) && value.split(' ')[1] === token,
    ),
    'reads-basic-password': alsoLike((value, token) => passwordOfBasic(value) === token),
  }),
  ...breaking(['auth/joined-token-is-refused'], {
    'cuts-scheme-off': alsoLike(
      (value, token) => value.startsWith('Bearer') && value.slice(6).trim() === token,
    ),
  }),
  ...breaking(['auth/wrong-token-is-refused'], {
    // A second token is read from a variable that is not set.
    'accepts-undefined': alsoLikeToken((given) => given === 'undefined'),
    'looks-token-up-with-like': alsoLikeToken((given) => /^%+$/.test(given)),
    'puts-token-into-sql': alsoLikeToken((given) => /'\s*or\s*'?1'?\s*=\s*'?1/i.test(given)),
    'accepts-unsigned-jwt': alsoLikeToken((given) => /^eyJhbGciOiJub25lI[\w-]*\.[\w-]+\.$/.test(given)),
  }),
  ...breaking(['auth/other-fields-give-no-access'], {
    'trusts-local-clients': trustsLike('x-forwarded-for', /^127\.0\.0\.1(?:,|$)/),
    'trusts-private-networks': trustsLike('x-forwarded-for', /^10\./),
    'trusts-original-path': trustsLike('x-forwarded-uri', /^\/health$/),
    'trusts-original-url': trustsLike('x-original-url', /^\/health$/),
    'trusts-overridden-method': trustsLike('x-http-method-override', /^OPTIONS$/),
    'trusts-preflights': trustsLike('access-control-request-method', /./),
    'trusts-scripts-of-pages': trustsLike('x-requested-with', /./),
    'trusts-open-paths': trustsUrl(/\/public\/|\/login/),
    'trusts-switches-in-query': trustsUrl(/[?&]debug=/),
  }),
};
