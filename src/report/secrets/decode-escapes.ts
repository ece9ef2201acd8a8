/** A text in which escapes are decoded, and the place of each of its characters in the original. */
export interface Decoded {
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
