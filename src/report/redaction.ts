import type { Fields } from '../http/fields.js';

/** A text that must not be shown, and what is shown instead. */
export interface Secret {
  readonly value: string;
  /** Default `[redacted]`. A report that has lines for a shell shows its variable. */
  readonly shown?: string;
}

/** A shorter secret may be a word of an ordinary text, so it is taken out where it is a whole word only. */
const LONG = 8;
/** How many credentials are remembered at most: in all, and of one request. */
const MOST_SEEN = 200;
const MOST_OF_ONE = 20;

/**
 * Takes secrets out of everything that this package writes: logs, reports, errors. It finds each secret in the spellings that
 * programs give to a text, also mixed: as it is, escapes of URLs, JSON, JSON pointers, programming languages and HTML; and beside
 * these, base64 from each of its three beginnings, and hexadecimal digits; in any letter case.
 */
export class Redactor {
  private readonly known: readonly Pattern[];
  private readonly seen = new Map<string, Pattern>();

  /** @param secrets those that are always taken out */
  constructor(secrets: Iterable<Secret> = []) {
    this.known = Array.from(secrets)
      .filter(({ value }) => value !== '')
      .map((secret) => new Pattern(secret, true));
  }

  /**
   * Remembers the credentials in the fields of a request: a provider may send them back, also to another request. Of all that it
   * was given, it remembers the last ones.
   */
  see(headers: Fields): void {
    for (const value of secretsOf(headers).slice(0, MOST_OF_ONE)) {
      if (value === '' || this.known.some((pattern) => pattern.value === value)) continue;
      const pattern = this.seen.get(value) ?? new Pattern({ value });
      this.seen.delete(value);
      this.seen.set(value, pattern);
    }
    for (const value of this.seen.keys()) {
      if (this.seen.size <= MOST_SEEN) break;
      this.seen.delete(value);
    }
  }

  /** For a text that was sent or received, or that quotes one. */
  readonly message = (text: string): string => this.without(text, false);

  /**
   * For every text of data that this package wrote. It takes out long secrets only, since a short one may be a word of this
   * package, or part of the id of a rule.
   */
  readonly data = <T>(data: T): T => {
    if (typeof data === 'string') return this.without(data, true) as T;
    if (Array.isArray(data)) return data.map(this.data) as T;
    if (typeof data !== 'object' || data === null) return data;
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [this.without(key, true), this.data(value)]),
    ) as T;
  };

  private without(text: string, longOnly: boolean): string {
    const found: Found[] = [];
    const plain = plainly(text);
    for (const patterns of [this.known, this.seen.values()])
      for (const pattern of patterns) if (!longOnly || pattern.isLong) pattern.find(text, plain, found);
    if (found.length === 0) return text;
    // Of secrets that begin at one place, the longest counts, since one may begin with another.
    found.sort((a, b) => a.from - b.from || b.to - a.to);
    let result = '';
    let end = 0;
    for (const { from, to, shown } of found) {
      if (from >= end) result += text.slice(end, from) + shown;
      end = Math.max(end, to);
    }
    return result + text.slice(end);
  }
}

/** The same, as a function. */
export function createRedactor(secrets: Iterable<Secret>): Redactor {
  return new Redactor(secrets);
}

/**
 * Changes the strings of a JSON text, keys included, and keeps the rest as written. So it stays JSON.
 *
 * @param change gets a string, and for a value of an object its key
 */
export function inJsonStrings(json: string, change: (text: string, key?: string) => string): string {
  let key: string | undefined;
  return json.replace(/"(?:[^"\\]|\\.)*"(\s*:)?/g, (literal, colon = '') => {
    const value = JSON.parse(literal.slice(0, literal.length - colon.length)) as string;
    const changed = change(value, key);
    key = colon === '' ? undefined : value;
    return changed === value ? literal : JSON.stringify(changed) + colon;
  });
}

/**
 * The secrets in header fields: the parts of credentials, well-formed or not, without the scheme; and the password of a
 * user.
 */
function secretsOf(fields: Fields): string[] {
  return fields.flatMap(([name, value]) => {
    if (!/^(?:proxy-)?authorization$/i.test(name)) return [];
    const parts = value.split(/[ \t,]+/).filter((part) => !SCHEME.test(part));
    return [...parts, ...(/^basic[ \t]/i.test(value) ? parts.flatMap(passwordIn) : [])];
  });
}

const SCHEME = /^(?:bearer|basic|digest|negotiate|token)?$/i;

function passwordIn(credentials: string): string[] {
  try {
    const text = atob(credentials.replaceAll('-', '+').replaceAll('_', '/'));
    const colon = text.indexOf(':');
    return colon === -1 ? [] : [text.slice(colon + 1)];
  } catch {
    return [];
  }
}

/** Where a secret is in a text. */
interface Found {
  readonly from: number;
  readonly to: number;
  readonly shown: string;
}

/**
 * One secret, as a regular expression for each way to write it. No text matches a part of one in many ways, so it takes linear
 * time. One is made when a text may have it.
 */
class Pattern {
  readonly value: string;
  readonly isLong: boolean;
  private readonly shown: string;
  private readonly spellings: readonly Spelling[];
  private readonly compiled = new Map<Spelling, RegExp>();

  /** @param keepsCompiled whether it is used again and again. Those of every client would take much memory */
  constructor(
    { value, shown = '[redacted]' }: Secret,
    private readonly keepsCompiled = false,
  ) {
    this.value = value;
    this.shown = shown;
    this.isLong = value.length >= LONG;
    this.spellings = spellingsOf(value);
  }

  /** @param plain the text as {@link plainly} writes it */
  find(text: string, plain: string, found: Found[]): void {
    const isCut = this.isLong && text.includes('…');
    for (const spelling of this.spellings) {
      const { keys, beginning, characters, part } = spelling;
      if (keys.every((key) => plain.includes(key))) this.findAll(this.wholeOf(spelling), text, found);
      // The beginning of a long secret, if this package cut the text there.
      if (isCut && plain.includes(beginning))
        this.findAll(new RegExp(beginningOf(partsOf(characters, part)), 'gi'), text, found);
    }
  }

  private wholeOf(spelling: Spelling): RegExp {
    const known = this.compiled.get(spelling);
    if (known !== undefined) return known;
    const { characters, length, part } = spelling;
    const whole = partsOf(characters, part).join('') + restOf(characters, length);
    const made = new RegExp(this.isLong ? whole : `${WORD_START}${whole}(?!\\w)`, 'gi');
    if (this.keepsCompiled) this.compiled.set(spelling, made);
    return made;
  }

  private findAll(pattern: RegExp, text: string, found: Found[]): void {
    for (const { index, 0: match } of text.matchAll(pattern))
      found.push({ from: index, to: index + match.length, shown: this.shown });
  }
}

/** The digits of an escape are no part of a word: `Bearer%20` and the token. */
const WORD_START = '(?:(?<!\\w)|(?<=%[0-9a-f]{2}|\\\\u[0-9a-f]{4}|\\\\[bfnrt]))';

/** A way to write a secret: its characters, and a pattern for each. */
interface Spelling {
  /** The first ones. */
  readonly characters: readonly string[];
  /** How many there are. */
  readonly length: number;
  readonly part: (character: string) => string;
  /** What each text has that has the secret, plainly: its runs of letters and digits. Tokens of one issuer begin alike. */
  readonly keys: readonly string[];
  /** What each text has that was cut in the secret, plainly. */
  readonly beginning: string;
}

/** A longer secret, such as a JWT, is known by so many characters. What may belong to it then goes with them. */
const LONGEST_START = 64;
/** A shorter beginning of a secret, where a text was cut, says nothing. */
const SHORTEST_CUT = 4;

function spellingsOf(value: string): Spelling[] {
  const forms = [...new Set([value, utf8As(value), fromUtf8(value)])];
  return forms.flatMap((form) => {
    const mixed = spelling(form, partFor);
    if (form.length < LONG) return [mixed];
    const bytes = utf8As(form);
    const inBase64 = [0, 1, 2].map((before) => spelling(base64Within(bytes, before), base64Part));
    // Of base64 of the secret alone, the last character counts too.
    inBase64.push(spelling(btoa(bytes).replace(/=+$/, ''), base64Part));
    const inHex = spelling(
      bytes.replace(/./gs, (byte) => hex(byte.charCodeAt(0), 2)),
      (digit) => digit,
    );
    return [mixed, ...inBase64, inHex];
  });
}

function spelling(text: string, part: (character: string) => string): Spelling {
  const all = [...text];
  const characters = all.slice(0, LONGEST_START);
  const keys = folded(characters.join('')).match(/[a-z0-9]+/g) ?? [];
  const beginning = folded(all.slice(0, SHORTEST_CUT).join('')).replace(/[^a-z0-9].*/s, '');
  return { characters, length: all.length, part, keys, beginning };
}

/** Only letters of ASCII have another case here. */
function folded(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const HEX = '[0-9a-f]';
/** Read from the first of several backslashes only: from each of them, it would take quadratic time. */
const RUN = '(?<!\\\\)\\\\+';
const NUMBERED = `%(${HEX}{2})|${RUN}(?:u(0000${HEX}{4}|${HEX}{4})|u\\{(${HEX}{1,8})\\}|x(${HEX}{2}))|&#x(${HEX}{1,8});`;
const ESCAPES = new RegExp(`${NUMBERED}|&#(\\d{1,9});|${RUN}([\\w/])`, 'g');

/** A text in lower case, and after it the same without its escapes of letters and digits. */
function plainly(text: string): string {
  const lower = folded(text);
  if (!/[%\\&]/.test(text)) return lower;
  const decoded = lower.replace(ESCAPES, (whole: string, ...groups: (string | undefined)[]) => {
    const [decimal, itself] = groups.slice(5, 7);
    if (itself !== undefined) return itself;
    const digits = groups.slice(0, 5).find((group) => group !== undefined) ?? '';
    const code = decimal === undefined ? Number.parseInt(digits, 16) : Number(decimal);
    return code < 0x80 ? String.fromCharCode(code) : whole;
  });
  return `${lower}\n${folded(decoded)}`;
}

/** The patterns of characters. Several backslashes are one, since each may be written as one or two. */
function partsOf(characters: readonly string[], part: (character: string) => string): string[] {
  const parts: string[] = [];
  for (let at = 0; at < characters.length; ) {
    let count = 0;
    while (characters[at + count] === '\\') count++;
    if (count > 0) parts.push(`(?:\\\\|%5c|&#0*92;){${count},${4 * count}}`);
    else parts.push(part(characters[at] as string));
    at += Math.max(count, 1);
  }
  return parts;
}

/** What may follow the beginning of a longer secret. */
function restOf(characters: readonly string[], length: number): string {
  if (length === characters.length) return '';
  const others = [...new Set(characters)].map(escaped).join('|');
  return `(?:%${HEX}{2}|\\\\+(?:u${HEX}{4}|\\S)|&#?\\w{1,12};|\\w|${others}){0,${length - characters.length}}`;
}

/** A beginning of a secret before the sign that a text was cut, perhaps within an escape. */
function beginningOf(parts: readonly string[]): string {
  const [start, more] = [parts.slice(0, SHORTEST_CUT), parts.slice(SHORTEST_CUT)];
  const optional = more.reduceRight((rest, part) => `(?:${part}${rest})?`, '');
  return `${start.join('')}${optional}(?=(?:%\\w?|\\\\+\\w{0,5}|&#?\\w{0,12})?"?…)`;
}

/** Names of characters in HTML. Those of letters and digits are their numbers. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '!': 'excl', '#': 'num', $: 'dollar' },
  ...{ '%': 'percnt', '(': 'lpar', ')': 'rpar', '*': 'ast|midast', '+': 'plus', ',': 'comma', '.': 'period' },
  ...{ '/': 'sol', ':': 'colon', ';': 'semi', '=': 'equals', '?': 'quest', '@': 'commat', _: 'lowbar' },
  ...{ '[': 'lsqb|lbrack', ']': 'rsqb|rbrack', '^': 'hat', '`': 'grave|diacriticalgrave' },
  ...{ '{': 'lcub|lbrace', '|': 'verbar|vert|verticalline', '}': 'rcub|rbrace' },
};

/** What a character has besides, in a form and in a JSON pointer. */
const OTHERS: Readonly<Record<string, string>> = { ' ': '|\\+', '~': '|~0', '/': '|~1' };

/** A character in every spelling: itself, `%hh`, `\uhhhh`, `\xhh`, `\c`, `&#n;`, `&#xh;` and its name in HTML. */
function partFor(character: string): string {
  const code = character.codePointAt(0) as number;
  const literal = escaped(character);
  const inUrl = utf8As(character).replace(/./gs, (byte) => `%${hex(byte.charCodeAt(0), 2)}`);
  // A character beyond U+FFFF is two units in JSON.
  const units = Array.from({ length: character.length }, (_, at) => `u${hex(character.charCodeAt(at), 4)}`);
  const inCode = `${code < 0x10000 ? '' : `${units.join('\\\\+')}|`}[ux]\\{?0*${hex(code, 1)}\\}?`;
  const name = Object.hasOwn(NAMES, character) ? `|${NAMES[character]}` : '';
  const inHtml = `&(?:#0*${code}|#x0*${hex(code, 1)}${name});`;
  const ways = [literal, inUrl, `${RUN}(?:${literal}|${inCode})`, inHtml];
  return `(?:${ways.join('|')}${OTHERS[character] ?? ''})`;
}

/** A character of base64 or base64url. Letters and digits are not escaped. */
function base64Part(character: string): string {
  if (character === '+') return `(?:-|${partFor(character)})`;
  return character === '/' ? `(?:_|${partFor(character)})` : character;
}

/** Base64 of a secret within a longer text, without the characters that also depend on what is around it. */
function base64Within(bytes: string, before: number): string {
  const text = btoa('\0'.repeat(before) + bytes).replace(/=+$/, '');
  const isRagged = (bytes.length + before) % 3 !== 0;
  return text.slice([0, 2, 3][before], isRagged ? -1 : undefined);
}

function escaped(character: string): string {
  return character.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/** The bytes of a text in UTF-8, a character for each: how Node reads a header field. */
function utf8As(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(/%(..)/g, (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}

/** The text whose bytes in UTF-8 are these characters; the same text if there is none. */
function fromUtf8(bytes: string): string {
  try {
    return decodeURIComponent(bytes.replace(/./gs, (byte) => `%${hex(byte.charCodeAt(0), 2)}`));
  } catch {
    return bytes;
  }
}
