import type * as FastCheck from 'fast-check';
import { type DrawnRow, eachOf } from '../../row.js';
import type { Form } from '../../token-edit.js';
import {
  BARE_TOKEN,
  COOKIE,
  furtherValues,
  NEAR_MISS,
  NO_ACCESS,
  OTHER_HEADER,
  OTHER_SCHEME,
  unauthorised,
  WRONG_TOKEN,
  withoutToken,
} from './rows.js';
import {
  COOKIES,
  changedAt,
  cookiesWith,
  type HeaderFields,
  JOINTS,
  longRestFrom,
  ORDERS,
  OTHER_CREDENTIALS,
  OTHER_HEADERS,
  PLACES,
  QUOTES,
  RARER_HEADERS,
  SCHEMES,
  SPELLINGS,
  TRUSTED,
  UNKNOWN_TOKENS,
  upTo,
} from './values.js';

// A decoder of base64 ignores other characters, and perhaps one letter at the end.
const ADDED = ['xx', 'AA', '00', 'xyz', 'Bearer', 'xxxxxxxxxxxxxxxx'];
const FORMS: readonly Form[] = [
  'one-letter-in-other-case',
  'other-case',
  'next-characters',
  'reversed',
  'hexadecimal',
  'json-escaped',
  'base64',
];
/** Where a token is cut, or a text comes into it. */
const CUTS = [...PLACES.filter((at) => at <= 13), 'middle', -4] as const;

type Draws = FastCheck.Arbitrary<DrawnRow>;

/** A plain plant with a field that must not take the place of the right token. */
function withField(title: string, rule: string, field: HeaderFields[number]): DrawnRow {
  return unauthorised('tokens/drawn', `a plain plant with ${title}`, rule, [field]);
}

function withValue(title: string, rule: string, value: string): DrawnRow {
  return withField(title, rule, ['Authorization', value]);
}

function changed(edit: string, what: string): DrawnRow {
  return withValue(what, NEAR_MISS, `Bearer <TOKEN ${edit}>`);
}

function drawEdits(fc: typeof FastCheck): Draws {
  const place = fc.constantFrom(...CUTS);
  const part = fc.constantFrom(1, 2, 3, 4, 6, 9).chain((from) => {
    const ends = fc.constantFrom('-4', '-5', '-7', '-9', 'middle');
    return ends.chain((to) => fc.constantFrom(`{${from}..}`, `{..${to}}`, `{${from}..${to}}`, `{${to}..}`));
  });
  return fc.oneof(
    fc.constantFrom(...PLACES).map((at) => changed(changedAt(at), 'the right token with another character')),
    // A part of it in another form: in the other case, reversed, or with other characters.
    fc
      .tuple(fc.constantFrom(0, 1, 3, 5, 8), fc.constantFrom(1, 2, 4, 6), fc.constantFrom(...FORMS))
      .map(([from, count, form]) => {
        const edit = `${upTo(from)}{${from}..${from + count} ${form}}${longRestFrom(from + count)}`;
        return changed(edit, `a part of the right token, ${form.replaceAll('-', ' ')}`);
      }),
    fc
      .tuple(place, fc.constantFrom(...ADDED))
      .map(([at, text]) => changed(`${upTo(at)}${text}{${at}..}`, 'more characters in the right token')),
    fc
      .tuple(fc.constantFrom(0, 1, 2, 3, 5, 8), fc.constantFrom(1, 2, 3))
      .map(([at, count]) => changed(`${upTo(at)}{${at + count}..}`, 'the right token without a part')),
    part.map((edit) => changed(edit, 'a part of the right token')),
    fc
      .oneof(
        fc.constantFrom(...ORDERS),
        place.filter((at) => at !== 0).map((at) => `{${at}..}{..${at}}`),
      )
      .map((edit) => changed(edit, 'the right token in another order')),
    fc.constantFrom(...SPELLINGS).map((edit) => changed(edit, 'the right token in another spelling')),
    fc
      .constantFrom(...FORMS)
      .map((form) => changed(`{${form}}`, `the right token, ${form.replaceAll('-', ' ')}`)),
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
      .constantFrom(...OTHER_HEADERS, ...RARER_HEADERS)
      .map((field) => withField(`the right token in ${field[0]} only`, OTHER_HEADER, field)),
    fc
      .constantFrom(...COOKIES)
      .map((name) => withField(`the right token in the cookie ${name} only`, COOKIE, cookiesWith([name]))),
  );
}

/** Draws requests without a token, with one field that may take its place. */
function drawNoToken(fc: typeof FastCheck): Draws {
  return fc.constantFrom(...TRUSTED).map((field) => {
    const title = `a plain plant without an Authorization header, with ${field[0]}`;
    return unauthorised('tokens/drawn', title, NO_ACCESS, [field]);
  });
}

/** Draws missing and wrong tokens. The first ones are those that programs most often accept. */
export function drawTokens(fc: typeof FastCheck): Draws {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...[...furtherValues, ...withoutToken].flatMap(eachOf)) },
    { weight: 3, arbitrary: drawEdits(fc) },
    { weight: 2, arbitrary: drawPlaces(fc) },
    fc
      .constantFrom(...UNKNOWN_TOKENS)
      .map((word) => withValue(`the token ${JSON.stringify(word)}`, WRONG_TOKEN, `Bearer ${word}`)),
    fc
      .constantFrom(...OTHER_CREDENTIALS)
      .map((value) => withValue('credentials of another scheme', OTHER_SCHEME, value)),
    drawNoToken(fc),
  );
}
