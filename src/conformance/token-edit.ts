/**
 * A place in the token: a number as in `String.slice`, before the character in its middle, or after it, or before the padding
 * of base64, or so many characters before that.
 */
type Place = number | 'middle' | 'after-middle' | 'end' | `end-${number}`;

/** A part of the token, in another form if it has one. */
interface Part {
  readonly from?: Place;
  readonly to?: Place;
  readonly form?: Form;
}

const OTHER_PAYLOAD = 'eyJzdWIiOiJhZG1pbiJ9';

/** How a text is written in another way. */
const FORMS = {
  'other-case': (text: string) => text.replace(/[a-z]/gi, inOtherCase),
  // No result is the same to a decoder of base64 or base64url, which may read - as +, and _ as /.
  'next-characters': (text: string) => text.replace(/[A-Za-z0-9._~+/-]/g, nextCharacter),
  'one-letter-in-other-case': (text: string) => text.replace(/[a-z]/i, inOtherCase),
  reversed: (text: string) => [...text].reverse().join(''),
  hexadecimal,
  'percent-encoded': (text: string) => hexadecimal(text).replace(/../g, '%$&'),
  'json-escaped': (text: string) => hexadecimal(text).replace(/../g, '\\u00$&'),
  // As it is written in a query, and in a string of JSON. Most tokens are the same there.
  'in-query': encodeURIComponent,
  'in-json': (text: string) => JSON.stringify(text).slice(1, -1),
  base64: (text: string) => Buffer.from(text).toString('base64'),
  // The payload of a JSON Web Token. Another token has none, and gets the payload {"sub":"admin"}.
  'jwt-payload': (text: string) =>
    text.split('.').length === 3 ? (text.split('.')[1] ?? '') : OTHER_PAYLOAD,
} as const satisfies Record<string, (text: string) => string>;

/** The name of a way to write a text. */
type Form = keyof typeof FORMS;

/** A shorter text could be a part of other words, and could not be kept secret. */
const SHORTEST = 4;

const PART = /\{([^{}]*)\}/g;
const PLACES =
  /^(-?\d+|middle|after-middle|end(?:-\d+)?)?\.\.(-?\d+|middle|after-middle|end(?:-\d+)?)?(?: (\S+))?$/;

/**
 * Makes a text of the right token. In an edit, `{}` stands for the token, `{1..}` for all but its first character, `{..-4}` for
 * all but its last four, `{-4..-3 next-characters}` for a part in another form, and `{reversed}` for the token in one. After `|`
 * there may be a form of the whole text: `user:{} | base64`. The result is as secret as the token.
 *
 * @returns `undefined` if the token does not allow it: it is too short, or the text would be the token itself
 * @throws Error if the edit cannot be read
 */
export function madeOfToken(edit: string, token: string): string | undefined {
  const { parts, form } = readEdit(edit);
  const made = parts.map((part) => (typeof part === 'string' ? part : partOf(part, token)));
  if (made.includes(undefined)) return undefined;
  const joined = made.join('');
  const whole = form === undefined ? joined : written(joined, form);
  const mayBeSame = parts.every((part) => typeof part !== 'string' && isSameAllowed(part.form));
  if (whole === undefined || (mayBeSame && whole === token)) return whole;
  return whole === token || whole.length < SHORTEST ? undefined : whole;
}

/** Whether {@link madeOfToken} can read an edit. */
export function isTokenEdit(edit: string): boolean {
  try {
    readEdit(edit);
    return true;
  } catch {
    return false;
  }
}

function readEdit(edit: string): { readonly parts: readonly (string | Part)[]; readonly form?: Form } {
  const [, text = '', form] = /^(.*?)(?: \| (\S+))?$/s.exec(edit) ?? [];
  const parts: (string | Part)[] = [];
  let at = 0;
  for (const { 0: whole, 1: inner = '', index } of text.matchAll(PART)) {
    if (index > at) parts.push(text.slice(at, index));
    parts.push(readPart(inner));
    at = index + whole.length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return { parts, ...(form !== undefined && { form: formNamed(form) }) };
}

function readPart(inner: string): Part {
  if (inner === '') return {};
  const [match, from, to, form] = PLACES.exec(inner) ?? [];
  if (match === undefined) return { form: formNamed(inner) };
  return {
    ...(from !== undefined && { from: placeFrom(from) }),
    ...(to !== undefined && { to: placeFrom(to) }),
    ...(form !== undefined && { form: formNamed(form) }),
  };
}

function placeFrom(text: string): Place {
  return /^-?\d+$/.test(text) ? Number(text) : (text as Place);
}

function formNamed(name: string): Form {
  if (!Object.hasOwn(FORMS, name)) throw new Error(`no form of a token is named ${name}`);
  return name as Form;
}

function isSameAllowed(form: Form | undefined): boolean {
  return form === 'in-query' || form === 'in-json';
}

/** A text in another form. A digit has no other case: then there is nothing to send. */
function written(text: string, form: Form): string | undefined {
  const result = FORMS[form](text);
  return result === text && !isSameAllowed(form) ? undefined : result;
}

function partOf({ from, to, form }: Part, token: string): string | undefined {
  const [start, end] = [indexOf(from ?? 0, token), indexOf(to ?? token.length, token)];
  const isPadding = from === 'end';
  if (start < 0 || end > token.length || start > end || (start === end && !isPadding)) return undefined;
  const part = token.slice(start, end);
  return form === undefined ? part : written(part, form);
}

function indexOf(place: Place, token: string): number {
  const { length } = token;
  if (typeof place === 'number') return place < 0 ? length + place : place;
  if (place.startsWith('end')) return token.search(/=*$/) - Number(place.slice('end-'.length));
  return Math.floor(length / 2) + (place === 'middle' ? 0 : 1);
}

const BEFORE = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~+/-';
const AFTER = 'bcdefghijklmnopqrstuvwxyzaBCDEFGHIJKLMNOPQRSTUVWXYZA1234567890~..~.~';

function inOtherCase(letter: string): string {
  return letter < 'a' ? letter.toLowerCase() : letter.toUpperCase();
}

function nextCharacter(character: string): string {
  return AFTER[BEFORE.indexOf(character)] ?? character;
}

function hexadecimal(text: string): string {
  return Buffer.from(text).toString('hex');
}
