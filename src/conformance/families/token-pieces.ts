import type { Secret } from '../../output/redaction.js';

/** A place in the token: a number as in `String.slice`, before the character in its middle, or after it. */
type TokenPlace = number | 'middle' | 'after-middle';

/** The right token, or the part of it between two places. */
export interface TokenPart {
  readonly token: { readonly from?: TokenPlace; readonly to?: TokenPlace };
}

/** A text made of the right token. It is another text than the token, and as secret. */
export interface TokenEdit {
  readonly edit: readonly (string | TokenPart | TokenEdit)[];
  readonly as?: TokenForm;
}

/** A text, unless it is the right token. */
export interface OtherText {
  readonly unlessToken: string;
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
  reversed: {
    write: (text: string) => [...text].reverse().join(''),
    filter: `awk '{ for (i = length($0); i > 0; i--) printf "%s", substr($0, i, 1) }'`,
  },
  'percent-encoded': {
    write: (text: string) => hexadecimal(text).replace(/../g, '%$&'),
    filter: "od -An -v -tx1 | tr -d ' \\n' | sed 's/../%&/g'",
  },
  'json-escaped': {
    write: (text: string) => hexadecimal(text).replace(/../g, '\\u00$&'),
    filter: "od -An -v -tx1 | tr -d ' \\n' | sed 's/../\\\\u00&/g'",
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
} as const;

const OTHER_PAYLOAD = 'eyJzdWIiOiJhZG1pbiJ9';

/** The name of a way to write a text. */
export type TokenForm = keyof typeof FORMS;

/** The names of all forms. */
export const TOKEN_FORMS = Object.keys(FORMS) as readonly TokenForm[];

/** A shorter text could be a part of other words, and could not be kept secret. */
const SHORTEST = 4;

/**
 * Fills in the right token.
 *
 * @returns the text, and the shell expression that stands for it within double quotes; `undefined` if the token does not
 *   allow it: it is too short, or the text would be the token itself
 */
export function madeOfToken(piece: TokenPart | TokenEdit, token: string): Required<Secret> | undefined {
  const isWhole = 'token' in piece && piece.token.from === undefined && piece.token.to === undefined;
  const made = filledIn(piece, token);
  if (made === undefined || isWhole) return made;
  return made.value === token || made.value.length < SHORTEST ? undefined : made;
}

function filledIn(piece: string | TokenPart | TokenEdit, token: string): Required<Secret> | undefined {
  if (typeof piece === 'string') return { value: piece, shown: piece.replace(/[\\"$`]/g, '\\$&') };
  if ('token' in piece) return partOf(piece, token);
  const parts = piece.edit.map((part) => filledIn(part, token));
  let [value, shown] = ['', ''];
  for (const part of parts) {
    if (part === undefined) return undefined;
    value += part.value;
    shown += part.shown;
  }
  if (piece.as === undefined) return { value, shown };
  const { write, filter } = FORMS[piece.as];
  const written = write(value);
  // A digit has no other case. Then there is nothing to send.
  return written === value ? undefined : { value: written, shown: `$(printf %s "${shown}" | ${filter})` };
}

function partOf({ token: { from, to } }: TokenPart, token: string): Required<Secret> | undefined {
  const [start, end] = [indexOf(from ?? 0, token), indexOf(to ?? token.length, token)];
  if (start < 0 || end > token.length || start >= end) return undefined;
  const value = token.slice(start, end);
  if (from === undefined && to === undefined) return { value, shown: `$\{PLANT_STORE_TOKEN}` };
  const length = to === undefined ? '' : `, ${lengthInAwk(from ?? 0, to)}`;
  const first = typeof from === 'number' && from >= 0 ? from + 1 : `${inAwk(from ?? 0)} + 1`;
  return {
    value,
    shown: `$(printf %s "$PLANT_STORE_TOKEN" | awk '{ print substr($0, ${from === undefined ? 1 : first}${length}) }')`,
  };
}

function lengthInAwk(from: TokenPlace, to: TokenPlace): string {
  if (from === 0) return inAwk(to);
  const bothAtOneEnd = typeof from === 'number' && typeof to === 'number' && from < 0 === to < 0;
  return bothAtOneEnd ? String(to - from) : `${inAwk(to)} - (${inAwk(from)})`;
}

function indexOf(place: TokenPlace, { length }: string): number {
  if (typeof place === 'string') return Math.floor(length / 2) + (place === 'middle' ? 0 : 1);
  return place < 0 ? length + place : place;
}

function inAwk(place: TokenPlace): string {
  if (typeof place === 'string') return `int(length($0) / 2)${place === 'middle' ? '' : ' + 1'}`;
  return place < 0 ? `length($0) - ${-place}` : String(place);
}

const BEFORE = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._~+/-';
const AFTER = 'bcdefghijklmnopqrstuvwxyzaBCDEFGHIJKLMNOPQRSTUVWXYZA1234567890~..~.~';

function nextCharacter(character: string): string {
  return AFTER[BEFORE.indexOf(character)] ?? character;
}

function hexadecimal(text: string): string {
  return Buffer.from(text).toString('hex');
}
