/** Part of a text, from `start` up to `end`. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** A text as somebody may decode it. */
export interface Reading {
  readonly text: string;
  /** Whether it was in base64 or in hexadecimal digits. */
  readonly isEncoded: boolean;
  /** Where in the original text a part of this one is. */
  placeOf(part: Place): Place;
}

/** Encodings within encodings: base64 of a text with a secret in hexadecimal digits, and one more. */
const DEEPEST = 3;

const TEXT_INSIDE = /[\x20-\x7e]{4}/;

/**
 * Everything that a text may say: as it is, with its escapes decoded, and with base64 and hexadecimal digits decoded,
 * wherever they begin. Who looks for a text in all of them finds it in every spelling that these can be mixed to.
 *
 * @param least the fewest bytes that are worth decoding: words are base64 as well, and most are short
 */
export function readingsOf(text: string, least: 4 | 6): Reading[] {
  const found: Reading[] = [];
  collect(text, { depth: 0, least }, (part) => part, found);
  return found;
}

function collect(
  text: string,
  { depth, least }: { readonly depth: number; readonly least: 4 | 6 },
  placeOf: Reading['placeOf'],
  found: Reading[],
): void {
  const isEncoded = depth > 0;
  const reading = { text, isEncoded, placeOf };
  found.push(reading);
  if (isEncoded && !TEXT_INSIDE.test(text)) return;
  let last: Reading = reading;
  for (const { text: unescaped, starts } of decodeEscapes(text)) {
    last = {
      text: unescaped,
      isEncoded,
      placeOf: ({ start, end }) =>
        placeOf({ start: starts[start] ?? text.length, end: starts[end] ?? text.length }),
    };
    found.push(last);
  }
  if (depth === DEEPEST) return;
  const deeper = { depth: depth + 1, least };
  // A run is taken out whole: a part of it could be decoded as well.
  for (const place of base64Runs(last.text, least))
    for (const inner of fromBase64(last.text.slice(place.start, place.end)))
      collect(inner, deeper, () => last.placeOf(place), found);
  for (const place of hexRuns(last.text, least))
    for (const inner of fromHex(last.text.slice(place.start, place.end)))
      collect(inner, deeper, () => last.placeOf(place), found);
}

// A regular expression for a whole run would overflow the stack of V8 on one of 8 million characters. So patterns find only
// how a run begins, and the next character that is none of it.
const BASE64_BEGINS = { 4: /[A-Za-z0-9+/_-]{6}/g, 6: /[A-Za-z0-9+/_-]{8}/g } as const;
const NO_BASE64 = /[^A-Za-z0-9+/_-]/g;
/** Who breaks base64 into lines makes them so long, or longer. */
const SHORTEST_LINE = 60;

/** What may be base64, if need be in lines. */
function* base64Runs(text: string, least: 4 | 6): Generator<Place> {
  let end = 0;
  for (;;) {
    const start = nextAt(BASE64_BEGINS[least], text, end);
    if (start === text.length) return;
    let line = start;
    end = nextAt(NO_BASE64, text, line);
    while (end - line >= SHORTEST_LINE) {
      const next = end + (text.startsWith('\r\n', end) ? 2 : text.startsWith('\n', end) ? 1 : 0);
      const nextEnd = next === end ? next : nextAt(NO_BASE64, text, next);
      if (nextEnd === next) break;
      line = next;
      end = nextEnd;
    }
    for (let padding = 0; padding < 2 && text[end] === '='; padding++) end++;
    yield { start, end };
  }
}

const HEX_BEGINS = {
  4: /[0-9a-f]{2}(?:[ :-][0-9a-f]{2}){3}|[0-9a-f]{8}/gi,
  6: /[0-9a-f]{2}(?:[ :-][0-9a-f]{2}){5}|[0-9a-f]{12}/gi,
} as const;
const NO_HEX = /[^0-9a-f]/gi;
const NEXT_PAIR = /[ :-][0-9a-f]{2}/iy;

/** What may be hexadecimal digits, in pairs or not, also in the middle of a word. */
function* hexRuns(text: string, least: 4 | 6): Generator<Place> {
  let end = 0;
  for (;;) {
    const start = nextAt(HEX_BEGINS[least], text, end);
    if (start === text.length) return;
    if (/[ :-]/.test(text[start + 2] as string)) {
      NEXT_PAIR.lastIndex = start + 2;
      for (end = start + 2; NEXT_PAIR.test(text); ) end = NEXT_PAIR.lastIndex;
    } else end = nextAt(NO_HEX, text, start);
    yield { start, end };
  }
}

/** Where a pattern matches next; the end of the text if it does not. */
function nextAt(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}

/** What a run of characters says if it is decoded from any of its first four characters. */
function fromBase64(run: string): string[] {
  return [0, 1, 2, 3].map((from) => decoded(run.slice(from), 'base64'));
}

/** What digits say if they are decoded from the first or from the second one. */
function fromHex(run: string): string[] {
  const digits = run.replace(/[ :-]/g, '');
  return [0, 1].map((from) => decoded(digits.slice(from), 'hex'));
}

function decoded(run: string, encoding: 'base64' | 'hex'): string {
  const text = Buffer.from(run, encoding).toString('latin1');
  // UTF-16 has one after each ASCII character.
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** A text in which escapes are decoded, and the place of each of its characters in the original. */
interface Decoded {
  readonly text: string;
  readonly starts: readonly number[];
}

/** Names of characters in HTML that a token, a URL or base64 may have. Other names are no part of a secret. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dash: '-',
  dollar: '$',
  equals: '=',
  excl: '!',
  gt: '>',
  hyphen: '-',
  lowbar: '_',
  lpar: '(',
  lt: '<',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rpar: ')',
  semi: ';',
  sol: '/',
  tilde: '~',
  underbar: '_',
};

/** An escape of a URL, of JSON or of a programming language, of HTML, or of a JSON pointer. */
const ESCAPE = new RegExp(
  [
    '%[0-9a-f]{2}',
    '\\\\u[0-9a-f]{4}',
    '\\\\u\\{[0-9a-f]{1,6}\\}',
    '\\\\x[0-9a-f]{2}',
    '\\\\[0-3][0-7]{2}',
    '\\\\[nrt]',
    '\\\\[^\\w\\s]',
    '&#x0{0,8}[0-9a-f]{1,6};?',
    '&#0{0,8}[0-9]{1,7};?',
    `&(?:${Object.keys(NAMED).join('|')});`,
    '~[01]',
  ].join('|'),
  'gi',
);

/** A message may quote a message that quotes a message. Each quotation escapes once more. */
const MOST_ROUNDS = 6;

/**
 * A text with the escapes of URLs, JSON, HTML and JSON pointers decoded once, then with the escapes that appear then,
 * and so on. Empty if the text has none.
 */
export function decodeEscapes(text: string): Decoded[] {
  const rounds: Decoded[] = [];
  let read = text;
  let starts: readonly number[] | undefined;
  while (rounds.length < MOST_ROUNDS) {
    const next = decodedOnce(read);
    if (next === undefined) break;
    const before = starts;
    starts = before === undefined ? next.starts : next.starts.map((start) => before[start] ?? text.length);
    read = next.text;
    rounds.push({ text: read, starts });
  }
  return rounds;
}

/** `undefined` if the text has no escape. */
function decodedOnce(text: string): Decoded | undefined {
  if (!/[%\\&~]/.test(text)) return undefined;
  const starts: number[] = [];
  let decoded = '';
  let from = 0;
  const copy = (to: number): void => {
    decoded += text.slice(from, to);
    for (; from < to; from++) starts.push(from);
  };
  for (const { 0: spelling, index } of text.matchAll(ESCAPE)) {
    copy(index);
    const character = unescaped(spelling);
    for (let i = 0; i < character.length; i++) starts.push(index);
    decoded += character;
    from = index + spelling.length;
  }
  if (from === 0) return undefined;
  copy(text.length);
  return decoded === text ? undefined : { text: decoded, starts };
}

const SIMPLE: Readonly<Record<string, string>> = {
  '~0': '~',
  '~1': '/',
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
};

function unescaped(spelling: string): string {
  const lower = spelling.toLowerCase();
  const simple = SIMPLE[lower] ?? NAMED[lower.slice(1, -1)];
  if (simple !== undefined) return simple;
  if (/^\\[^\w]/.test(spelling)) return spelling.charAt(1);
  const base = lower.startsWith('&#') && lower[2] !== 'x' ? 10 : /^\\\d/.test(lower) ? 8 : 16;
  const code = Number.parseInt(lower.replace(/^(?:%|\\u\{|\\[ux]?|&#x?)/, ''), base);
  return code <= 0x10ffff ? String.fromCodePoint(code) : spelling;
}
