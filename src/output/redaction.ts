import { type Decoded, decodeEscapes } from './decode-escapes.js';

/** A text that must not be shown, and what is shown instead. */
export interface Secret {
  readonly value: string;
  /** Default `[redacted]`. */
  readonly shown?: string;
}

/** Takes secrets out of texts. */
export interface Redactor {
  /**
   * For a text that was sent or received, or that quotes one. It takes out a long secret anywhere, and a short secret
   * where it is a whole word. The text may have been cut anywhere.
   */
  message(text: string): string;
  /**
   * For every text of data that this package wrote. It takes out long secrets only, since a short secret may be a word
   * of this package. Such a text is cut only before a "…".
   */
  data<T>(data: T): T;
}

/** A secret of this length or more is not a word of an ordinary text, so it is taken out anywhere. */
const LONG = 8;
/** If a text was cut within a long secret, a longer beginning of the secret than this is secret as well. */
const LONGEST_HARMLESS_BEGINNING = 5;
/** A shorter secret is not looked for in base64 and in hexadecimal digits: it may be there by chance. */
const LEAST_ENCODED = 4;
const REDACTED = '[redacted]';

/** Part of a text, from `start` up to `end`. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

/**
 * Takes secrets out of everything that this package writes: logs, reports, errors. It finds a secret as it is,
 * percent-encoded, escaped as in JSON, HTML or JSON pointers, in base64 (even as a part of a longer text), and in
 * hexadecimal digits; a long secret also in another letter case. It decodes and then compares, so it finds mixtures.
 *
 * @param secrets any number of them: a HAR file may hold thousands
 */
export function createRedactor(secrets: Iterable<Secret>): Redactor {
  const known = [...secrets].filter(({ value }) => value !== '').flatMap(decodedForms);
  const long = new LongSecrets(known.filter(({ value }) => value.length >= LONG));
  const short = new ShortSecrets(known.filter(({ value }) => value.length < LONG));
  const message = (text: string): string => {
    const decoded = decodeEscapes(text);
    // A whole short secret comes before the beginning of a long one that is equal to it.
    return without(text, [...short.spansIn(text, decoded), ...long.spansIn(text, decoded, true)]);
  };
  const written = remembering((text) => without(text, long.spansIn(text, decodeEscapes(text), false)));
  return { message: remembering(message), data: (data) => mapTexts(data, written) };
}

/**
 * A secret in each form that it has after decoding: as it is; as its UTF-8 bytes, one character each, if it is not ASCII
 * (`%C3%A4`, base64); and with escapes decoded that it happens to contain (`~1`).
 */
function decodedForms(secret: Secret): Secret[] {
  const { value } = secret;
  const forms = [value, Buffer.from(value).toString('latin1'), decodeEscapes(value).text];
  return [...new Set(forms)].map((form) => ({ ...secret, value: form }));
}

/** Secrets that are looked up, so that a text is searched once, whatever their number. */
class LongSecrets {
  /** By their value in lower case. */
  private readonly byValue = new Map<string, Secret[]>();
  private readonly sorted: readonly string[];
  private readonly beginnings: ReadonlySet<string>;
  /** Most places of a text need no other look. */
  private readonly firstCharacters: ReadonlySet<number>;
  /** The longest first: one secret may begin with another. */
  private readonly lengths: readonly number[];

  constructor(secrets: readonly Secret[]) {
    for (const secret of secrets) {
      const key = lowerCase(secret.value);
      const same = this.byValue.get(key) ?? [];
      if (!same.some(({ value }) => value === secret.value)) this.byValue.set(key, [...same, secret]);
    }
    this.sorted = [...this.byValue.keys()].sort();
    this.beginnings = new Set(this.sorted.map((value) => value.slice(0, LONGEST_HARMLESS_BEGINNING + 1)));
    this.firstCharacters = new Set(this.sorted.map((value) => value.charCodeAt(0)));
    this.lengths = lengthsOf(this.sorted);
  }

  /** @param mayBeCut whether the text may have been cut at its end */
  spansIn(text: string, decoded: Decoded, mayBeCut: boolean): Span[] {
    if (this.sorted.length === 0) return [];
    const spans = this.find(decoded.text, mayBeCut).map((span) => inOriginal(span, decoded, text));
    // A secret may itself contain what looks like an escape.
    const asItIs = decoded.text === text ? [] : this.find(text, mayBeCut);
    return [...spans, ...asItIs, ...this.findEncoded(text, decoded)];
  }

  private find(text: string, mayBeCut: boolean): Span[] {
    const spans: Span[] = [];
    const folded = lowerCase(text);
    let cut = -1;
    for (let at = 0; at + LONGEST_HARMLESS_BEGINNING < folded.length; at++) {
      if (!this.firstCharacters.has(folded.charCodeAt(at))) continue;
      if (!this.beginnings.has(folded.slice(at, at + LONGEST_HARMLESS_BEGINNING + 1))) continue;
      if (cut < at) cut = endOfCut(folded, at, mayBeCut);
      const span = this.wholeAt(text, folded, at) ?? this.beginningAt(folded, at, cut);
      if (span === undefined) continue;
      spans.push(span);
      at = span.end - 1;
    }
    return spans;
  }

  private wholeAt(text: string, folded: string, start: number): Span | undefined {
    for (const length of this.lengths) {
      const same = this.byValue.get(folded.slice(start, start + length));
      if (same === undefined) continue;
      const secret = same.find(({ value }) => text.startsWith(value, start)) ?? same[0];
      return { start, end: start + length, shown: shownFor(secret) };
    }
    return undefined;
  }

  /** The beginning of a secret, if the text was cut there. */
  private beginningAt(folded: string, start: number, cut: number): Span | undefined {
    const end = folded[cut - 1] === '"' ? cut - 1 : cut;
    if (end - start > (this.lengths[0] ?? 0)) return undefined;
    const beginning = folded.slice(start, end);
    if (beginning.length <= LONGEST_HARMLESS_BEGINNING) return undefined;
    const value = firstNotBefore(this.sorted, beginning);
    if (value?.startsWith(beginning) !== true) return undefined;
    return { start, end, shown: shownFor(this.byValue.get(value)?.[0]) };
  }

  /** Runs of base64 or of hexadecimal digits that hold a secret; a run is taken out whole. */
  private findEncoded(text: string, decoded: Decoded): Span[] {
    const spans: Span[] = [];
    const leastDigits = Math.ceil(((this.lengths.at(-1) ?? 0) * 4) / 3);
    for (const { 0: run, index: start } of decoded.text.matchAll(ENCODED)) {
      if (run.length < leastDigits) continue;
      const found = encodedTexts(run).flatMap((inner) => this.find(inner, true))[0];
      if (found === undefined) continue;
      spans.push(inOriginal({ start, end: start + run.length, shown: found.shown }, decoded, text));
    }
    return spans;
  }
}

/** What may be base64 or hexadecimal digits. */
const ENCODED = /[A-Za-z0-9+/_-]{6,}={0,2}/g;

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

/** Different lengths, the longest first. */
function lengthsOf(values: Iterable<string>): number[] {
  return [...new Set([...values].map(({ length }) => length))].sort((a, b) => b - a);
}

/** What a run of characters says, read as base64 from any of the first four characters, and as hexadecimal digits. */
function encodedTexts(run: string): string[] {
  const texts = [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString('latin1'));
  if (/^[0-9a-f]+$/i.test(run))
    for (const from of [0, 1]) texts.push(Buffer.from(run.slice(from), 'hex').toString('latin1'));
  return texts;
}

function inOriginal(span: Span, { starts }: Decoded, original: string): Span {
  if (starts === undefined) return span;
  return { ...span, start: starts[span.start] ?? 0, end: starts[span.end] ?? original.length };
}

/** Secrets that may be part of an ordinary word, so they are taken out only where they are whole words. */
class ShortSecrets {
  private readonly byValue: ReadonlyMap<string, Secret>;
  private readonly firstCharacters: ReadonlySet<number>;
  private readonly lengths: readonly number[];

  constructor(secrets: readonly Secret[]) {
    this.byValue = new Map(secrets.map((secret) => [secret.value, secret]));
    this.firstCharacters = new Set(secrets.map(({ value }) => value.charCodeAt(0)));
    this.lengths = lengthsOf(this.byValue.keys());
  }

  spansIn(text: string, decoded: Decoded): Span[] {
    if (this.lengths.length === 0) return [];
    const spans = this.find(decoded.text).map((span) => inOriginal(span, decoded, text));
    // A secret may itself contain what looks like an escape.
    const asItIs = decoded.text === text ? [] : this.find(text);
    return [...spans, ...asItIs, ...this.findEncoded(text, decoded)];
  }

  private find(text: string): Span[] {
    const spans: Span[] = [];
    for (let start = 0; start < text.length; start++) {
      if (!this.firstCharacters.has(text.charCodeAt(start)) || isWord(text[start - 1])) continue;
      const length = this.lengths.find((length) => this.isAt(text, start, length));
      if (length === undefined) continue;
      const end = start + length;
      spans.push({ start, end, shown: shownFor(this.byValue.get(text.slice(start, end))) });
      start = end - 1;
    }
    return spans;
  }

  /** Runs of base64 or of hexadecimal digits that say a text with a secret: `user:secret`. */
  private findEncoded(text: string, decoded: Decoded): Span[] {
    const spans: Span[] = [];
    if ((this.lengths[0] ?? 0) < LEAST_ENCODED) return spans;
    for (const { 0: run, index: start } of decoded.text.matchAll(ENCODED)) {
      const [whole = '', , , , hex = ''] = encodedTexts(run);
      const found = [whole, hex]
        .filter((inner) => PRINTABLE.test(inner))
        .flatMap((inner) => this.find(inner).filter(({ start, end }) => end - start >= LEAST_ENCODED))[0];
      if (found === undefined) continue;
      spans.push(inOriginal({ start, end: start + run.length, shown: found.shown }, decoded, text));
    }
    return spans;
  }

  private isAt(text: string, start: number, length: number): boolean {
    return !isWord(text[start + length]) && this.byValue.has(text.slice(start, start + length));
  }
}

/** What is not printable was not text before it was encoded. */
const PRINTABLE = /^[\x20-\x7e]+$/;

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_]/.test(character);
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

function shownFor(secret: Secret | undefined): string {
  return secret?.shown ?? REDACTED;
}

/** ASCII only, so that every character keeps its place. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Texts that are remembered, and the longest of them: a redactor may live as long as a proxy. */
const MOST_REMEMBERED = 2_000;
const LONGEST_REMEMBERED = 200;

/** Most short texts come many times: names and values of headers, verdicts, ids of rules. */
function remembering(map: (text: string) => string): (text: string) => string {
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

function mapTexts<T>(data: T, map: (text: string) => string): T {
  if (typeof data === 'string') return map(data) as T;
  if (Array.isArray(data)) return data.map((item) => mapTexts(item, map)) as T;
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mapTexts(value, map)])) as T;
}
