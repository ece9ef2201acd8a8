import type { Fields } from '../http/fields.js';

/** A text that must not be shown, and what is shown instead. */
export interface Secret {
  readonly value: string;
  /** Default `[redacted]`. A report that has lines for a shell shows its variable. */
  readonly shown?: string;
}

/** A shorter secret may be a word of an ordinary text, so it is taken out where it is a whole word only. */
const LONG = 8;
/** So many credentials that were seen are remembered, and so many of one request. */
const MOST_SEEN = 200;
const MOST_OF_ONE = 20;

/**
 * Takes secrets out of everything that this package writes: logs, reports, errors. It looks for each secret as it is, and in
 * the spellings that programs give to a text: escapes of URLs, forms, JSON, JSON pointers and HTML, base64 from each of its three
 * beginnings, and hexadecimal digits; in any letter case. The runner of GitHub Actions masks its secrets in the same way.
 */
export class Redactor {
  private readonly byKey = new Map<string, Set<Spelling>>();
  /** What spellings begin with: at most places of a text, none of them does. */
  private readonly beginnings = new Set<number>();
  private readonly seen = new Map<string, readonly Spelling[]>();

  /** @param secrets those that are always taken out */
  constructor(secrets: Iterable<Secret> = []) {
    for (const secret of secrets) for (const spelling of spellingsOf(secret)) this.put(spelling);
  }

  /**
   * Remembers the credentials in the fields of a request: a provider may send them back, also to another request. Of all that it
   * was given, it remembers the last ones.
   */
  see(headers: Fields): void {
    for (const value of secretsOf(headers).slice(0, MOST_OF_ONE)) {
      const before = this.seen.get(value);
      this.seen.delete(value);
      this.seen.set(value, before ?? spellingsOf({ value }));
      if (before === undefined) for (const spelling of this.seen.get(value) ?? []) this.put(spelling);
    }
    for (const [value, spellings] of this.seen) {
      if (this.seen.size <= MOST_SEEN) break;
      this.seen.delete(value);
      for (const spelling of spellings) this.take(spelling);
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

  private put(spelling: Spelling): void {
    const same = this.byKey.get(keyOf(spelling.text)) ?? new Set();
    this.byKey.set(keyOf(spelling.text), same.add(spelling));
    this.beginnings.add(beginningAt(spelling.text, 0));
  }

  private take(spelling: Spelling): void {
    this.byKey.get(keyOf(spelling.text))?.delete(spelling);
  }

  private without(text: string, longOnly: boolean): string {
    const same = folded(text);
    const isCut = text.includes('…');
    let [result, from] = ['', 0];
    for (let at = 0; at < same.length; at++) {
      if (!this.beginnings.has(beginningAt(same, at)) && !this.beginnings.has(same.charCodeAt(at))) continue;
      const found = this.at(same, at, longOnly) ?? (isCut ? this.cutAt(same, at) : undefined);
      if (found === undefined) continue;
      result += text.slice(from, at) + found.shown;
      from = at + found.length;
      at = from - 1;
    }
    return result + text.slice(from);
  }

  /** The longest secret that begins at a place, since one may begin with another. */
  private at(text: string, at: number, longOnly: boolean) {
    let longest: Spelling | undefined;
    for (let length = LONGEST_KEY; length > 0; length--)
      for (const spelling of this.byKey.get(text.slice(at, at + length)) ?? []) {
        const isShorter = spelling.text.length <= (longest?.text.length ?? 0);
        if (isShorter || (longOnly && spelling.isWord) || !isAt(spelling, text, at)) continue;
        longest = spelling;
      }
    return longest && { shown: longest.shown, length: longest.text.length };
  }

  /** The beginning of a long secret, if this package cut the text there. */
  private cutAt(text: string, at: number) {
    for (const { isWord, text: whole, shown } of this.byKey.get(text.slice(at, at + LONGEST_KEY)) ?? []) {
      const length = text.slice(at, at + whole.length + 2).search(/"?…/);
      if (!isWord && length >= LONGEST_KEY && whole.startsWith(text.slice(at, at + length)))
        return { shown, length };
    }
    return undefined;
  }
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

function passwordIn(credentials: string): string[] {
  const text = Buffer.from(credentials, 'base64').toString();
  const colon = text.indexOf(':');
  return colon === -1 ? [] : [text.slice(colon + 1)];
}

const SCHEME = /^(?:bearer|basic|digest|negotiate|token)?$/i;

/** The same, as a function. */
export function createRedactor(secrets: Iterable<Secret>): Redactor {
  return new Redactor(secrets);
}

/** One way in which a secret is written. */
interface Spelling {
  /** In lower case. */
  readonly text: string;
  readonly shown: string;
  /** Whether it is found as a whole word only. */
  readonly isWord: boolean;
}

/** Spellings are looked up by so many of their first characters. */
const LONGEST_KEY = 4;

/** A number for two characters, or for the only one. */
function beginningAt(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  return text.charCodeAt(at) + (Number.isNaN(next) ? 0 : (next + 1) * 0x10000);
}

function keyOf(text: string): string {
  return text.slice(0, LONGEST_KEY);
}

function isAt({ text, isWord }: Spelling, whole: string, at: number): boolean {
  if (!whole.startsWith(text, at)) return false;
  if (!isWord) return true;
  // The digits of an escape are no part of a word: `Bearer%20` and the token.
  const before = whole.slice(Math.max(0, at - 6), at);
  const isAfterWord = /\w$/.test(before) && !/(?:%[0-9a-f]{2}|\\u[0-9a-f]{4})$/i.test(before);
  return !isAfterWord && !/\w/.test(whole[at + text.length] ?? '');
}

/** Every character keeps its place, so only ASCII letters change. */
function folded(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function spellingsOf({ value, shown = '[redacted]' }: Secret): Spelling[] {
  // Node reads header fields as Latin-1, and the same bytes in a body are UTF-8.
  const forms = [value, Buffer.from(value, 'latin1').toString(), Buffer.from(value).toString('latin1')];
  const written = forms.flatMap((form) => [
    form,
    JSON.stringify(form).slice(1, -1),
    form.replaceAll('/', '\\/'),
    form.replaceAll('~', '~0').replaceAll('/', '~1'),
    encodeURIComponent(form.toWellFormed()),
    encodeURI(form.toWellFormed()),
    new URLSearchParams([['', form]]).toString().slice(1),
    form.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
    form.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ...(form.length < LONG ? [] : encodingsOf(Buffer.from(form))),
  ]);
  const texts = new Set(written.map(folded).filter((text) => text !== ''));
  return Array.from(texts, (text) => ({ text, shown, isWord: text.length < LONG }));
}

/** Base64 of a secret within a longer text, and hexadecimal digits. */
function encodingsOf(bytes: Buffer): string[] {
  const inBase64 = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    // The characters at both ends also depend on what is around the secret.
    const isRagged = (bytes.length + before) % 3 !== 0;
    return text.slice([0, 2, 3][before], isRagged ? -1 : undefined);
  });
  inBase64.push(bytes.toString('base64').replace(/=+$/, ''));
  const inUrls = inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'));
  return [...inBase64, ...inUrls, bytes.toString('hex')];
}
