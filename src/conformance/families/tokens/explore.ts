import type * as FastCheck from 'fast-check';
import type { ProbeDraft } from '../draft.js';
import type { TokenEdit, TokenForm } from '../token-pieces.js';
import { after, before, changedAt, NEAR_MISS, nearMisses, TOKEN } from './near-misses.js';
import { LOCAL_ADDRESS, NO_ACCESS, ORIGINAL_REQUEST, PREFLIGHT, USER, withoutToken } from './no-token.js';
import { COOKIE, COOKIES, cookiesWith, OTHER_HEADER, OTHER_HEADERS } from './places.js';
import { BARE_TOKEN, JOINTS, joinedBy, OTHER_SCHEME, otherSchemes, SCHEMES } from './schemes.js';
import { unauthorised } from './unauthorised.js';
import { WORDS, withWord, words } from './words.js';

// Not nearer to the end: the last characters of base64 may be padding, or have bits that mean nothing.
const PLACES = [0, 1, 2, 3, 5, 8, 13, 'middle', -13, -8, -5, -4] as const;
// A decoder of base64 ignores other characters, and perhaps one letter at the end.
const ADDED = ['xx', 'AA', '00', 'xyz', 'Bearer', 'xxxxxxxxxxxxxxxx'] as const;
const FORMS: readonly TokenForm[] = ['other-case', 'reversed', 'percent-encoded', 'json-escaped', 'base64'];
const QUOTES = ['""', "''", '``', '<>', '[]', '{}', '()'] as const;

const changed = (edit: TokenEdit, what: string): ProbeDraft =>
  unauthorised('tokens/drawn', what, NEAR_MISS, { authorization: ['Bearer ', edit] });

/** Draws wrong tokens that are made of the right one. */
function drawEdits(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const place = fc.constantFrom(...PLACES);
  const added = fc.constantFrom(...ADDED);
  return fc.oneof(
    fc
      .constantFrom(...PLACES.filter((at) => typeof at === 'number'))
      .map((at) => changed(changedAt(at), 'the right token with another character')),
    fc.tuple(place, added).map(([at, text]) => {
      const first = at === 0 ? [] : [before(at)];
      return changed({ edit: [...first, text, after(at)] }, 'more characters in the right token');
    }),
    fc
      .tuple(fc.constantFrom(1, 2, 3, 4, 6, 9), fc.constantFrom(-4, -5, -7, -9))
      .chain(([from, to]) => fc.constantFrom(after(from), before(to), { token: { from, to } }))
      .map((part) => changed({ edit: [part] }, 'a part of the right token')),
    place
      .filter((at) => at !== 0)
      .map((at) => changed({ edit: [after(at), before(at)] }, 'two parts of the right token, swapped')),
    fc
      .constantFrom(...FORMS)
      .map((as) => changed({ edit: [TOKEN], as }, `the right token, ${as.replace('-', ' ')}`)),
    fc.constantFrom(...QUOTES).map(([open = '', close = '']) =>
      unauthorised('tokens/drawn', 'the right token in quotes or brackets', NEAR_MISS, {
        authorization: [`Bearer ${open}`, TOKEN, close],
      }),
    ),
  );
}

/** Draws the right token with another scheme, joined to the scheme, or in another place. */
function drawPlaces(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  return fc.oneof(
    fc.constantFrom(...SCHEMES).map((scheme) =>
      unauthorised('tokens/drawn', `the right token with the scheme ${scheme}`, OTHER_SCHEME, {
        authorization: [`${scheme} `, TOKEN],
      }),
    ),
    fc.constantFrom(...JOINTS).map((joint) =>
      unauthorised('tokens/drawn', `the right token after "Bearer${joint}"`, BARE_TOKEN, {
        authorization: joint.includes(' ') ? [`Bearer${joint}`, TOKEN] : joinedBy(joint),
      }),
    ),
    fc.constantFrom(...OTHER_HEADERS).map((field) =>
      unauthorised('tokens/drawn', `the right token in ${field[0]} only`, OTHER_HEADER, {
        fields: [field],
      }),
    ),
    fc.constantFrom(...COOKIES).map((name) =>
      unauthorised('tokens/drawn', `the right token in the cookie ${name} only`, COOKIE, {
        fields: [cookiesWith([name])],
      }),
    ),
  );
}

/** Draws requests without a token, with one field that may take its place. */
function drawNoToken(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  return fc.constantFrom(...LOCAL_ADDRESS, ...USER, ...ORIGINAL_REQUEST, ...PREFLIGHT).map((field) => ({
    ...unauthorised('tokens/drawn', '', NO_ACCESS, { fields: [field] }),
    title: `a plain plant without an Authorization header, with ${field[0]}`,
  }));
}

/** Draws missing and wrong tokens. The first ones are those that programs most often accept. */
export function drawTokens(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const core = [...nearMisses, ...otherSchemes, ...words, ...withoutToken];
  return fc.oneof(
    fc.constantFrom(...core),
    { weight: 3, arbitrary: drawEdits(fc) },
    { weight: 2, arbitrary: drawPlaces(fc) },
    fc.constantFrom(...(Object.keys(WORDS) as (keyof typeof WORDS)[])).map(withWord),
    drawNoToken(fc),
  );
}
