import { shortened } from '../shortened.js';
import { JsonNumber, pointerTo } from './json-value.js';

/** The part of a message that a violation is in. */
export type Part = 'method' | 'path' | 'status' | 'header' | 'body';

/**
 * How much it matters that a rule is broken. `error`: a client that keeps to the interface is hurt, a caller without the right
 * token gets in, a demand is broken that the interface states outright, or an everyday mistake gets a 5xx or no response.
 * `warning`: only a client that breaks the interface itself notices.
 */
export type Severity = 'error' | 'warning';

/** One way in which a message does not conform to the interface. */
export interface Violation {
  /** That of the rule that is broken. A message with warnings alone conforms. */
  readonly severity: Severity;
  /** The part of the message. */
  readonly part: Part;
  /**
   * A JSON pointer (RFC 6901) into the body, or `/name-in-lower-case` of a header; empty for the whole part. A key of more
   * than 200 characters is cut and ends in `…`.
   */
  readonly pointer: string;
  /** What is violated: a JSON Schema keyword, or `json`, `status`, `media-type`, `bearer`, `method`, `path`, `accepted`. */
  readonly keyword: string;
  /** A sentence: what is wrong, and the actual value. */
  readonly message: string;
  /** What the interface requires. */
  readonly expected: string;
  /** What the message has. Never a token. */
  readonly actual: string;
}

/** A violation that is an error. */
export function errorIn(
  part: Part,
  pointer: string,
  keyword: string,
  texts: Pick<Violation, 'message' | 'expected' | 'actual'>,
): Violation {
  return { severity: 'error', part, pointer, keyword, ...texts };
}

/** A violation that counts as an error, whatever it is. */
export function strictly<V extends Violation>(violation: V): V {
  return { ...violation, severity: 'error' };
}

/** A violation whose texts are redacted: a provider may send the token back. */
export function redactedViolation<V extends Violation>(violation: V, redact: (text: string) => string): V {
  const { pointer, message, actual } = violation;
  return { ...violation, pointer: redact(pointer), message: redact(message), actual: redact(actual) };
}

/** `body /id`: the part of a message, and the place in it. A status has no places: its pointer leads into the request. */
export function placeOf({ part, pointer }: Pick<Violation, 'part' | 'pointer'>): string {
  return pointer === '' || part === 'status' ? part : `${part} ${pointer}`;
}

const LONGEST_SHOWN = 60;
const LONGEST_KEY = 200;

/** The JSON pointer to a member, short enough for a report. */
export function shortPointer(key: string): string {
  return pointerTo([shortened(key, LONGEST_KEY)]);
}

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
      return value instanceof JsonNumber ? withLength(value.text) : 'an object';
    default:
      return withLength(String(value));
  }
}

/** A text in double quotes, with control characters escaped, and cut if it is long. */
export function quoted(text: string): string {
  return text.length <= LONGEST_SHOWN
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, LONGEST_SHOWN).toWellFormed())}… (${text.length} characters)`;
}

/** A number, and how long it is if it is cut. */
function withLength(text: string): string {
  const shown = shortened(text, LONGEST_SHOWN);
  return text.length <= LONGEST_SHOWN ? shown : `${shown} (${text.length} characters)`;
}
