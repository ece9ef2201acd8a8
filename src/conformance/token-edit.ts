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
  // As it is written in a query, and in a string of JSON.
  'in-query': encodeURIComponent,
  'in-json': (text: string) => JSON.stringify(text).slice(1, -1),
  base64: (text: string) => Buffer.from(text).toString('base64'),
  // The payload of a JSON Web Token. Another token has none, and gets the payload {"sub":"admin"}.
  'jwt-payload': (text: string) =>
    text.split('.').length === 3 ? (text.split('.')[1] ?? '') : OTHER_PAYLOAD,
} as const satisfies Record<string, (text: string) => string>;

/** A shorter text could be a part of other words, and could not be kept secret. */
const SHORTEST = 4;

/**
 * A part of the token: from one place to another, in another form if it has one. A place is a number as in `String.slice`, before the
 * character in its middle, or after it, or before the padding of base64, or so many characters before that.
 */
const PART = /\{(?:([\w-]*)\.\.([\w-]*)(?: |(?=\})))?([^{}]*)\}/g;

/**
 * Makes a text of the right token. In an edit, `{}` stands for the token, `{1..}` for all but its first character, `{..-4}` for
 * all but its last four, `{-4..-3 next-characters}` for a part in another form, and `{reversed}` for the token in one. After `|`
 * there may be a form of the whole text: `user:{} | base64`. The result is as secret as the token.
 *
 * @returns `undefined` if the token does not allow it: it is too short, or the text would be the token itself
 * @throws Error if the edit cannot be read
 */
export function madeOfToken(edit: string, token: string): string | undefined {
  const [, text = '', form = ''] = /^(.*?)(?: \| (\S+))?$/s.exec(edit) ?? [];
  let isAllowed = true;
  const joined = text.replace(PART, (_, from = '', to = '', ofPart: string) => {
    const [start, end] = [indexOf(from || '0', token), to === '' ? token.length : indexOf(to, token)];
    const isPadding = from === 'end';
    const isThere = start >= 0 && end <= token.length && (start < end || (start === end && isPadding));
    const made = written(token.slice(Math.max(0, start), end), ofPart);
    isAllowed &&= isThere && made !== undefined;
    return made ?? '';
  });
  const whole = written(joined, form);
  if (!isAllowed || whole === undefined) return undefined;
  if (whole === token) return MAY_BE_SAME.test(edit) ? whole : undefined;
  return whole.length < SHORTEST ? undefined : whole;
}

/** Most tokens are the same in a query, and in a string of JSON. */
const MAY_BE_SAME = /^\{in-(?:query|json)\}$/;

/** A text in another form, if there is one. A digit has no other case: then there is nothing to send. */
function written(text: string, form: string): string | undefined {
  if (form === '') return text;
  if (!Object.hasOwn(FORMS, form)) throw new Error(`no form of a token is named ${form}`);
  const result = FORMS[form as keyof typeof FORMS](text);
  return result === text && !form.startsWith('in-') ? undefined : result;
}

function indexOf(place: string, token: string): number {
  const { length } = token;
  if (/^-?\d+$/.test(place)) return Number(place) < 0 ? length + Number(place) : Number(place);
  if (/^end(?:-\d+)?$/.test(place)) return token.search(/=*$/) - Number(place.slice('end-'.length));
  if (place !== 'middle' && place !== 'after-middle')
    throw new Error(`no place in a token is named ${place}`);
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
