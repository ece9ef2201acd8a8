import type { Secret } from '../report/redaction.js';

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

/** How a text is written in another way: by a function, and by the filter of a shell that does the same. */
const FORMS = {
  'other-case': {
    write: (text: string) =>
      text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())),
    filter: "tr 'A-Za-z' 'a-zA-Z'",
  },
  // No result is the same to a decoder of base64 or base64url, which may read - as +, and _ as /.
  'next-characters': {
    write: (text: string) => text.replace(/[A-Za-z0-9._~+/-]/g, nextCharacter),
    filter: "tr 'a-zA-Z0-9._~+/-' 'b-zaB-ZA1-90~..~.~'",
  },
  'one-letter-in-other-case': {
    write: (text: string) =>
      text.replace(/[a-z]/i, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase())),
    filter:
      "awk '{ i = match($0, /[A-Za-z]/); c = substr($0, i, 1); " +
      "print substr($0, 1, i - 1) (c == toupper(c) ? tolower(c) : toupper(c)) substr($0, i + 1) }'",
  },
  reversed: {
    write: (text: string) => [...text].reverse().join(''),
    filter: `awk '{ for (i = length($0); i > 0; i--) printf "%s", substr($0, i, 1) }'`,
  },
  hexadecimal: {
    write: hexadecimal,
    filter: "od -An -v -tx1 | tr -d ' \\n'",
  },
  'percent-encoded': {
    write: (text: string) => hexadecimal(text).replace(/../g, '%$&'),
    filter: "od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g'",
  },
  'json-escaped': {
    write: (text: string) => hexadecimal(text).replace(/../g, '\\u00$&'),
    filter: "od -An -v -tx1 | tr -d ' \\n' | sed 's/../\\\\u00&/g'",
  },
  // As it is written in a query, and in a string of JSON. Most tokens are the same there.
  'in-query': {
    write: encodeURIComponent,
    filter: "sed 's/%/%25/g; s/+/%2B/g; s,/,%2F,g; s/=/%3D/g; s/&/%26/g; s/#/%23/g'",
    mayBeSame: true,
  },
  'in-json': {
    write: (text: string) => JSON.stringify(text).slice(1, -1),
    filter: `sed 's/[\\\\"]/\\\\&/g'`,
    mayBeSame: true,
  },
  base64: {
    write: (text: string) => Buffer.from(text).toString('base64'),
    filter: "base64 | tr -d '\\n'",
  },
  // The payload of a JSON Web Token. Another token has none, and gets the payload {"sub":"admin"}.
  'jwt-payload': {
    write: (text: string) => (text.split('.').length === 3 ? (text.split('.')[1] ?? '') : OTHER_PAYLOAD),
    filter: `awk -F. '{ print NF == 3 ? $2 : "eyJzdWIiOiJhZG1pbiJ9" }'`,
  },
} as const satisfies Record<
  string,
  { readonly write: (text: string) => string; readonly filter: string; readonly mayBeSame?: true }
>;

const OTHER_PAYLOAD = 'eyJzdWIiOiJhZG1pbiJ9';

/** The name of a way to write a text. */
export type Form = keyof typeof FORMS;

/** The names of all forms. */
export const TOKEN_FORMS = Object.keys(FORMS) as readonly Form[];

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
 * @returns the text, and the shell expression that stands for it within double quotes; `undefined` if the token does not
 *   allow it: it is too short, or the text would be the token itself
 * @throws Error if the edit cannot be read
 */
export function madeOfToken(edit: string, token: string): Required<Secret> | undefined {
  const { parts, form } = readEdit(edit);
  const made = parts.map((part) => (typeof part === 'string' ? literal(part) : partOf(part, token)));
  const joined = joinedParts(made);
  const whole = joined === undefined || form === undefined ? joined : written(joined, form);
  const mayBeSame = parts.every((part) => typeof part !== 'string' && isSameAllowed(part.form));
  if (whole === undefined || (mayBeSame && whole.value === token)) return whole;
  return whole.value === token || whole.value.length < SHORTEST ? undefined : whole;
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
  return form !== undefined && 'mayBeSame' in FORMS[form];
}

function literal(text: string): Required<Secret> {
  return { value: text, shown: text.replace(/[\\"$`]/g, '\\$&') };
}

function joinedParts(parts: readonly (Required<Secret> | undefined)[]): Required<Secret> | undefined {
  let [value, shown] = ['', ''];
  for (const part of parts) {
    if (part === undefined) return undefined;
    value += part.value;
    shown += part.shown;
  }
  return { value, shown };
}

/** A text in another form. A digit has no other case: then there is nothing to send. */
function written({ value, shown }: Required<Secret>, form: Form): Required<Secret> | undefined {
  const { write, filter } = FORMS[form];
  const result = write(value);
  if (result === value) return isSameAllowed(form) ? { value, shown } : undefined;
  return { value: result, shown: `$(printf %s "${shown}" | ${filter})` };
}

function partOf({ from, to, form }: Part, token: string): Required<Secret> | undefined {
  const [start, end] = [indexOf(from ?? 0, token), indexOf(to ?? token.length, token)];
  const isPadding = from === 'end';
  if (start < 0 || end > token.length || start > end || (start === end && !isPadding)) return undefined;
  const part = { value: token.slice(start, end), shown: shownPart(from, to, token) };
  return form === undefined ? part : written(part, form);
}

function shownPart(from: Place | undefined, to: Place | undefined, token: string): string {
  const hasPadding = token.endsWith('=');
  if (from === 'end' && !hasPadding) return '';
  if (from === undefined && (to === undefined || (to === 'end' && !hasPadding)))
    return `$\{PLANT_STORE_TOKEN}`;
  const length = to === undefined ? '' : `, ${lengthInAwk(from ?? 0, to)}`;
  const first = typeof from === 'number' && from >= 0 ? from + 1 : `${inAwk(from ?? 0)} + 1`;
  return `$(printf %s "$PLANT_STORE_TOKEN" | awk '{ print substr($0, ${from === undefined ? 1 : first}${length}) }')`;
}

function lengthInAwk(from: Place, to: Place): string {
  if (from === 0) return inAwk(to);
  const bothAtOneEnd = typeof from === 'number' && typeof to === 'number' && from < 0 === to < 0;
  return bothAtOneEnd ? String(to - from) : `${inAwk(to)} - (${inAwk(from)})`;
}

function indexOf(place: Place, token: string): number {
  const { length } = token;
  if (typeof place === 'number') return place < 0 ? length + place : place;
  if (place.startsWith('end')) return token.search(/=*$/) - Number(place.slice('end-'.length));
  return Math.floor(length / 2) + (place === 'middle' ? 0 : 1);
}

function inAwk(place: Place): string {
  if (typeof place === 'number') return place < 0 ? `length($0) - ${-place}` : String(place);
  if (place.startsWith('end')) return `match($0, /=*$/) - ${1 + Number(place.slice('end-'.length))}`;
  return `int(length($0) / 2)${place === 'middle' ? '' : ' + 1'}`;
}

const BEFORE = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~+/-';
const AFTER = 'bcdefghijklmnopqrstuvwxyzaBCDEFGHIJKLMNOPQRSTUVWXYZA1234567890~..~.~';

function nextCharacter(character: string): string {
  return AFTER[BEFORE.indexOf(character)] ?? character;
}

function hexadecimal(text: string): string {
  return Buffer.from(text).toString('hex');
}
