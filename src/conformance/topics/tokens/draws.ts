import type * as FastCheck from 'fast-check';
import type { DrawnRow } from '../../row.js';
import type { Form } from '../../token-edit.js';
import {
  BARE_TOKEN,
  COOKIE,
  COOKIES,
  cookiesWith,
  furtherValues,
  type HeaderFields,
  JOINTS,
  LOCAL_ADDRESS,
  NEAR_MISS,
  NO_ACCESS,
  ORIGINAL_REQUEST,
  OTHER_HEADER,
  OTHER_HEADERS,
  OTHER_SCHEME,
  PREFLIGHT,
  SCHEMES,
  USER,
  unauthorised,
  WRONG_TOKEN,
  withoutToken,
} from './rows.js';

// Not nearer to the end: the last characters of base64 may be padding, or have bits that mean nothing.
const PLACES = [0, 1, 2, 3, 5, 8, 13, 'middle', -13, -8, -5, -4] as const;
// A decoder of base64 ignores other characters, and perhaps one letter at the end.
const ADDED = ['xx', 'AA', '00', 'xyz', 'Bearer', 'xxxxxxxxxxxxxxxx'];
const FORMS: readonly Form[] = ['other-case', 'reversed', 'percent-encoded', 'json-escaped', 'base64'];
const QUOTES = ['""', "''", '``', '<>', '[]', '{}', '()'];

/** What programs write for a missing value, what matches every token, what is always true, and names. */
const WORDS =
  `*|'/**/OR/**/1=1--|________|\\w+|None|nil|true|0|NaN|[object Object]|{}|""|<ACCESS_TOKEN>|$PLANT_STORE_TOKEN` +
  '|Bearer|admin|anonymous|test';

type Draws = FastCheck.Arbitrary<DrawnRow>;

/** A plain plant with a field that must not take the place of the right token. */
function withField(title: string, rule: string, field: HeaderFields[number]): DrawnRow {
  return unauthorised('tokens/drawn', `a plain plant with ${title}`, rule, [field]);
}

function withValue(title: string, rule: string, value: string): DrawnRow {
  return withField(title, rule, ['Authorization', value]);
}

/** The right token, changed by an edit. */
function changed(edit: string, what: string): DrawnRow {
  return withValue(what, NEAR_MISS, `Bearer <TOKEN ${edit}>`);
}

/** The right token up to a place. */
function before(place: (typeof PLACES)[number]): string {
  return place === 0 ? '' : `{..${place}}`;
}

/** Draws wrong tokens that are made of the right one. */
function drawEdits(fc: typeof FastCheck): Draws {
  const place = fc.constantFrom(...PLACES);
  return fc.oneof(
    fc.constantFrom(...PLACES.filter((at) => typeof at === 'number')).map((at) => {
      const edit = `${before(at)}{${at}..${at + 1} next-characters}{${at + 1}..}`;
      return changed(edit, 'the right token with another character');
    }),
    fc
      .tuple(place, fc.constantFrom(...ADDED))
      .map(([at, text]) => changed(`${before(at)}${text}{${at}..}`, 'more characters in the right token')),
    fc
      .tuple(fc.constantFrom(1, 2, 3, 4, 6, 9), fc.constantFrom(-4, -5, -7, -9))
      .chain(([from, to]) => fc.constantFrom(`{${from}..}`, `{..${to}}`, `{${from}..${to}}`))
      .map((part) => changed(part, 'a part of the right token')),
    place
      .filter((at) => at !== 0)
      .map((at) => changed(`{${at}..}{..${at}}`, 'two parts of the right token, swapped')),
    fc
      .constantFrom(...FORMS)
      .map((form) => changed(`{${form}}`, `the right token, ${form.replace('-', ' ')}`)),
    fc.constantFrom(...QUOTES).map(([open, close]) => {
      const value = `Bearer ${open}<TOKEN>${close}`;
      return withValue('the right token in quotes or brackets', NEAR_MISS, value);
    }),
  );
}

/** Draws the right token with another scheme, joined to the scheme, or in another place. */
function drawPlaces(fc: typeof FastCheck): Draws {
  return fc.oneof(
    fc
      .constantFrom(...SCHEMES)
      .map((scheme) =>
        withValue(`the right token with the scheme ${scheme}`, OTHER_SCHEME, `${scheme} <TOKEN>`),
      ),
    fc.constantFrom(...JOINTS).map((joint) => {
      const value = joint.includes(' ') ? `Bearer${joint}<TOKEN>` : `<TOKEN Bearer${joint}{}>`;
      return withValue(`the right token after "Bearer${joint}"`, BARE_TOKEN, value);
    }),
    fc
      .constantFrom(...OTHER_HEADERS)
      .map((field) => withField(`the right token in ${field[0]} only`, OTHER_HEADER, field)),
    fc
      .constantFrom(...COOKIES)
      .map((name) => withField(`the right token in the cookie ${name} only`, COOKIE, cookiesWith([name]))),
  );
}

/** Draws requests without a token, with one field that may take its place. */
function drawNoToken(fc: typeof FastCheck): Draws {
  return fc.constantFrom(...LOCAL_ADDRESS, ...USER, ...ORIGINAL_REQUEST, ...PREFLIGHT).map((field) => {
    const title = `a plain plant without an Authorization header, with ${field[0]}`;
    return unauthorised('tokens/drawn', title, NO_ACCESS, [field]);
  });
}

/** Draws missing and wrong tokens. The first ones are those that programs most often accept. */
export function drawTokens(fc: typeof FastCheck): Draws {
  return fc.oneof(
    fc.constantFrom(...furtherValues, ...withoutToken),
    { weight: 3, arbitrary: drawEdits(fc) },
    { weight: 2, arbitrary: drawPlaces(fc) },
    fc
      .constantFrom(...WORDS.split('|'))
      .map((word) => withValue(`the token ${JSON.stringify(word)}`, WRONG_TOKEN, `Bearer ${word}`)),
    drawNoToken(fc),
  );
}
