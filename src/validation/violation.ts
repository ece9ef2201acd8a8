import { JsonNumber } from './json-number.js';

/** The part of a message that a violation lies in. */
export type Part = 'method' | 'path' | 'status' | 'header' | 'body';

/** One way in which a message departs from the interface. */
export interface Violation {
  /** Where in the message. */
  readonly part: Part;
  /** JSON pointer (RFC 6901) into the body, or `/name-in-lower-case` of a header; empty for the whole part. */
  readonly pointer: string;
  /** What was broken: a JSON Schema keyword, or `json`, `status`, `media-type`, `bearer`, `method`, `path`. */
  readonly keyword: string;
  /** A sentence for people: what is wrong, and what was found instead. */
  readonly message: string;
  /** What the interface asks for. */
  readonly expected: string;
  /** What the message has; never a token. */
  readonly actual: string;
}

const LONGEST_SHOWN = 60;

/**
 * A value in words, short enough for a message: `the string "7"`, `null`, `1.5`, `an array`.
 *
 * @param value any JSON value; `undefined` is "nothing"
 */
export function describe(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the string ${quoted(value)}`;
    case 'undefined':
      return 'nothing';
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'an array';
      return value instanceof JsonNumber ? shortened(value.text) : 'an object';
    default:
      return shortened(String(value));
  }
}

/** A text in double quotes, control characters escaped, cut where it is long. */
export function quoted(text: string): string {
  return text.length <= LONGEST_SHOWN
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, LONGEST_SHOWN).toWellFormed())}… (${text.length} characters)`;
}

function shortened(text: string): string {
  return text.length <= LONGEST_SHOWN ? text : `${text.slice(0, LONGEST_SHOWN)}… (${text.length} characters)`;
}
