import { isWordCharacter, lengthsOf, type Secret, type Span, shownFor } from './secret.js';

/** A shorter secret is not looked for in what was decoded: it may be there by chance. */
const LEAST_ENCODED = 4;

/** What is not printable was not text before it was encoded. */
const PRINTABLE = /^[\x20-\x7e]+$/;

/** Secrets that may be part of an ordinary word, so they are found only where they are whole words. */
export class ShortSecrets {
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
export class TinySecrets {
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
