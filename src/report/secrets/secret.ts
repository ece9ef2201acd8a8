/** A text that must not be shown, and what is shown instead. */
export interface Secret {
  readonly value: string;
  /** Default `[redacted]`. */
  readonly shown?: string;
}

/** Part of a text that must not be shown, and what is shown instead. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly shown: string;
}

const REDACTED = '[redacted]';

export function shownFor(secret: Secret | undefined): string {
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
export function sizeOf({ value }: Secret): 'long' | 'short' | 'tiny' {
  if (value.length >= LONG) return 'long';
  return TINY.test(value) ? 'tiny' : 'short';
}

/** Different lengths of texts, the longest first: one secret may begin with another. */
export function lengthsOf(values: Iterable<string>): number[] {
  return [...new Set([...values].map(({ length }) => length))].sort((a, b) => b - a);
}

export function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z0-9_]/.test(character);
}
