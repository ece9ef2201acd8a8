import { decodeEscapes, type Reading, readingsOf } from './readings.js';

/** Takes secrets out of texts. */
export interface Redactor {
  /**
   * For a text that was sent or received, or that quotes one. It takes out a long secret anywhere, a short secret where
   * it is a whole word, and a tiny one where it is credentials. The text may have been cut anywhere.
   */
  message(text: string): string;
  /** For header fields that were sent or received: the name of a field shows that a tiny secret is in it. */
  fields(fields: Pairs): Pairs;
  /**
   * For every text of data that this package wrote. It takes out long secrets only, since a short secret may be a word
   * of this package. Such a text is cut only before a "…".
   */
  data<T>(data: T): T;
}

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Takes secrets out of everything that this package writes: logs, reports, errors. It decodes a text and then compares:
 * escapes of URLs, JSON, HTML and JSON pointers, base64 (even as a part of a longer text), hexadecimal digits, and
 * mixtures of them; a long secret also in another letter case.
 *
 * @param secrets any number of them: a HAR file may hold thousands
 */
export function createRedactor(secrets: Iterable<Secret>): Redactor {
  const given = [...secrets].filter(({ value }) => value !== '');
  const values = new Set(given.map(({ value }) => value));
  // The decoded form of one secret may be another secret, which is shown as itself.
  const known = [...given, ...given.flatMap(decodedForms).filter(({ value }) => !values.has(value))];
  if (known.length === 0)
    return { message: (text) => text, fields: (fields) => fields, data: (data) => data };
  const ofSize = (size: ReturnType<typeof sizeOf>): Secret[] => known.filter((one) => sizeOf(one) === size);
  const long = new LongSecrets(ofSize('long'));
  const short = new ShortSecrets(ofSize('short'));
  const tiny = new TinySecrets(ofSize('tiny'));
  const leastBytes = known.every((one) => sizeOf(one) === 'long') ? 6 : 4;
  const inEvery = (text: string, least: 4 | 6, find: (reading: Reading) => readonly Span[]): Span[] =>
    readingsOf(text, least).flatMap((reading) =>
      find(reading).map((span) => ({ ...span, ...reading.placeOf(span) })),
    );
  const message = remembering((text) =>
    without(
      text,
      inEvery(text, leastBytes, ({ text: read, isEncoded }) => [
        // A whole short secret comes before the beginning of a long one that is equal to it.
        ...short.find(read, isEncoded),
        ...tiny.find(read),
        ...long.find(read, true),
      ]),
    ),
  );
  const written = remembering((text) =>
    without(
      text,
      inEvery(text, 6, ({ text: read, isEncoded }) => long.find(read, isEncoded)),
    ),
  );
  return {
    message,
    fields: (fields) =>
      fields.map(([name, value]) => [written(name), valueIn(name, message(`${name}: ${value}`))]),
    data: (data) => mapTexts(data, written),
  };
}

/**
 * A secret in each form that it has after decoding: as it is; as its UTF-8 bytes, one character each, if it is not ASCII
 * (`%C3%A4`, base64); with escapes decoded that it happens to contain (`~1`); and with spaces, if it was decoded as part
 * of a form.
 */
function decodedForms(secret: Secret): Secret[] {
  const { value } = secret;
  const forms = [
    value,
    Buffer.from(value).toString('latin1'),
    ...decodeEscapes(value).map(({ text }) => text),
    value.replaceAll('+', ' '),
  ];
  return [...new Set(forms)].map((form) => ({ ...secret, value: form }));
}

/** Where a text has a secret as it is: anywhere, or a tiny one where credentials are. */
export function placesOf(secret: Secret, text: string): number[] {
  if (secret.value === '') return [];
  if (sizeOf(secret) === 'tiny') return new TinySecrets([secret]).find(text).map(({ start }) => start);
  const places: number[] = [];
  for (
    let at = text.indexOf(secret.value);
    at !== -1;
    at = text.indexOf(secret.value, at + secret.value.length)
  )
    places.push(at);
  return places;
}

function valueIn(name: string, line: string): string {
  const before = `${name}: `;
  // Otherwise the secret begins in the name.
  return line.startsWith(before) ? line.slice(before.length) : line;
}

/** Replaces parts of a text; of parts that overlap, the first and longest. */
function without(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let result = '';
  let from = 0;
  for (const { start, end, shown } of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < from) {
      from = Math.max(from, end);
      continue;
    }
    result += text.slice(from, start) + shown;
    from = end;
  }
  return result + text.slice(from);
}

function mapTexts<T>(data: T, map: (text: string) => string): T {
  if (typeof data === 'string') return map(data) as T;
  if (Array.isArray(data)) return data.map((item) => mapTexts(item, map)) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [map(key), mapTexts(value, map)]),
  ) as T;
}

/** A text that must not be shown, and what is shown instead. */
export interface Secret {
  readonly value: string;
  /** Default `[redacted]`. */
  readonly shown?: string;
}

/** Part of a text that must not be shown, and what is shown instead. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

const REDACTED = '[redacted]';

function shownFor(secret: Secret | undefined): string {
  return secret?.shown ?? REDACTED;
}

/** A secret of this length or more is not a word of an ordinary text, so it is taken out anywhere. */
const LONG = 8;

/** One character, two letters, three digits: they are in every text, as words, names and status codes. */
const TINY = /^(?:.|[A-Za-z]{2}|[0-9]{2,3})$/s;

/**
 * How a secret can be told from other text: `long` ones anywhere, `short` ones as whole words, `tiny` ones only where
 * credentials are. A tiny one could be guessed anyway, and its places in other text would give it away.
 */
function sizeOf({ value }: Secret): 'long' | 'short' | 'tiny' {
  if (value.length >= LONG) return 'long';
  return TINY.test(value) ? 'tiny' : 'short';
}

/** Different lengths of texts, the longest first: one secret may begin with another. */
function lengthsOf(values: Iterable<string>): number[] {
  return [...new Set([...values].map(({ length }) => length))].sort((a, b) => b - a);
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_]/.test(character);
}

/** If a text was cut within a long secret, a longer beginning of the secret than this is secret as well. */
const LONGEST_HARMLESS_BEGINNING = 5;

/** Characters that differ by a multiple of this are not told apart at first. */
const FIRST = 256;

/** Secrets that are looked up anywhere in a text, so that it is searched once, whatever their number. */
class LongSecrets {
  /** By their folded value. */
  private readonly byValue = new Map<string, Secret[]>();
  private readonly sorted: readonly string[];
  private readonly beginnings: ReadonlySet<string>;
  /** Most places of a text need no other look. */
  private readonly isFirst = new Uint8Array(FIRST);
  private readonly lengths: readonly number[];

  constructor(secrets: readonly Secret[]) {
    for (const secret of secrets) {
      const key = withoutPadding(folded(secret.value));
      const same = this.byValue.get(key) ?? [];
      if (!same.some(({ value }) => value === secret.value)) this.byValue.set(key, [...same, secret]);
    }
    this.sorted = [...this.byValue.keys()].sort();
    this.beginnings = new Set(this.sorted.map((value) => value.slice(0, LONGEST_HARMLESS_BEGINNING + 1)));
    for (const value of this.sorted) this.isFirst[value.charCodeAt(0) % FIRST] = 1;
    this.lengths = lengthsOf(this.sorted);
  }

  /** @param mayBeCut whether the text may have been cut at its end */
  find(text: string, mayBeCut: boolean): Span[] {
    if (this.sorted.length === 0) return [];
    const spans: Span[] = [];
    const same = folded(text);
    let cut = -1;
    for (let at = 0; at + LONGEST_HARMLESS_BEGINNING < same.length; at++) {
      if (this.isFirst[same.charCodeAt(at) % FIRST] === 0) continue;
      if (!this.beginnings.has(same.slice(at, at + LONGEST_HARMLESS_BEGINNING + 1))) continue;
      if (cut < at) cut = endOfCut(same, at, mayBeCut);
      const span = this.wholeAt(text, same, at) ?? this.beginningAt(same, at, cut);
      if (span === undefined) continue;
      spans.push(span);
      at = span.end - 1;
    }
    return spans;
  }

  private wholeAt(text: string, same: string, start: number): Span | undefined {
    for (const length of this.lengths) {
      const secrets = this.byValue.get(same.slice(start, start + length));
      if (secrets === undefined) continue;
      const secret = secrets.find(({ value }) => text.startsWith(value, start)) ?? secrets[0];
      let end = start + length;
      while (secret?.value.endsWith('=') === true && text[end] === '=') end++;
      return { start, end, shown: shownFor(secret) };
    }
    return undefined;
  }

  /** The beginning of a secret, if the text was cut there. */
  private beginningAt(same: string, start: number, cut: number): Span | undefined {
    const end = same[cut - 1] === '"' ? cut - 1 : cut;
    if (end - start > (this.lengths[0] ?? 0)) return undefined;
    const beginning = same.slice(start, end);
    if (beginning.length <= LONGEST_HARMLESS_BEGINNING) return undefined;
    const value = firstNotBefore(this.sorted, beginning);
    if (value?.startsWith(beginning) !== true) return undefined;
    return { start, end, shown: shownFor(this.byValue.get(value)?.[0]) };
  }
}

/** Without the padding of base64, which many writers leave out. What is left of a long secret is long enough. */
function withoutPadding(value: string): string {
  let end = value.length;
  while (end > LONGEST_HARMLESS_BEGINNING + 2 && value[end - 1] === '=') end--;
  return value.slice(0, end);
}

/**
 * A text in which the spellings are equal that people and programs confuse: letter case, and the two alphabets of
 * base64. Every character keeps its place, so only ASCII letters change.
 */
function folded(text: string): string {
  return text
    .replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    .replaceAll('-', '+')
    .replaceAll('_', '/');
}

/** Where a text was cut: before the next "…", or at its end. */
function endOfCut(text: string, from: number, mayBeCut: boolean): number {
  const mark = text.indexOf('…', from);
  if (mark !== -1) return mark;
  return mayBeCut ? text.length : Number.POSITIVE_INFINITY;
}

/** The first text of a sorted list that is not before another. */
function firstNotBefore(sorted: readonly string[], text: string): string | undefined {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return sorted[low];
}

/** A shorter secret is not looked for in what was decoded: it may be there by chance. */
const LEAST_ENCODED = 4;

/** What is not printable was not text before it was encoded. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Secrets that may be part of an ordinary word, so they are found only where they are whole words. */
class ShortSecrets {
  private readonly byValue: ReadonlyMap<string, Secret>;
  private readonly firstCharacters: ReadonlySet<number>;
  private readonly lengths: readonly number[];

  constructor(secrets: readonly Secret[]) {
    this.byValue = new Map(secrets.map((secret) => [secret.value, secret]));
    this.firstCharacters = new Set(secrets.map(({ value }) => value.charCodeAt(0)));
    this.lengths = lengthsOf(this.byValue.keys());
  }

  /** @param isEncoded whether the text was in base64 or in hexadecimal digits */
  find(text: string, isEncoded: boolean): Span[] {
    if (this.lengths.length === 0 || (isEncoded && !PRINTABLE.test(text))) return [];
    const spans: Span[] = [];
    for (let start = 0; start < text.length; start++) {
      if (!this.firstCharacters.has(text.charCodeAt(start)) || isWordCharacter(text[start - 1])) continue;
      const length = this.lengths.find((length) => this.isAt(text, start, length));
      if (length === undefined || (isEncoded && length < LEAST_ENCODED)) continue;
      const end = start + length;
      spans.push({ start, end, shown: shownFor(this.byValue.get(text.slice(start, end))) });
      start = end - 1;
    }
    return spans;
  }

  private isAt(text: string, start: number, length: number): boolean {
    return !isWordCharacter(text[start + length]) && this.byValue.has(text.slice(start, start + length));
  }
}

/** What comes before credentials: a scheme, or a name and a sign. */
const BEFORE_CREDENTIALS =
  /\b(?:bearer|basic|digest|negotiate)[ \t]+|(?:token|key|secret|password|authorization)["']?\s*[=:]\s*["']?/gi;

/** Secrets that are in every text by chance, so they are found only where credentials are. */
class TinySecrets {
  private readonly byValue: ReadonlyMap<string, Secret>;
  private readonly lengths: readonly number[];

  constructor(secrets: readonly Secret[]) {
    this.byValue = new Map(secrets.map((secret) => [secret.value, secret]));
    this.lengths = lengthsOf(this.byValue.keys());
  }

  find(text: string): Span[] {
    if (this.lengths.length === 0) return [];
    const spans: Span[] = [];
    for (const { 0: before, index } of text.matchAll(BEFORE_CREDENTIALS)) {
      const start = index + before.length;
      const length = this.lengths.find(
        (length) =>
          this.byValue.has(text.slice(start, start + length)) && !isWordCharacter(text[start + length]),
      );
      if (length === undefined) continue;
      const end = start + length;
      spans.push({ start, end, shown: shownFor(this.byValue.get(text.slice(start, end))) });
    }
    return spans;
  }
}

/** Texts that are remembered, and the longest of them: a proxy or a server may run for weeks. */
const MOST_REMEMBERED = 2_000;
const LONGEST_REMEMBERED = 200;

/**
 * The same function of a text, which remembers results. Most short texts come many times: names and values of headers,
 * verdicts, ids of rules, lines of a log.
 */
export function remembering(map: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return map(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const mapped = map(text);
    known.set(text, mapped);
    return mapped;
  };
}
