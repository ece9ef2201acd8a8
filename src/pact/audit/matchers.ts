import { JsonNumber } from '../../validation/json-number.js';
import type { JsonValue } from '../../validation/json-value.js';

/** One matcher of a matching rule: `{ match: 'regex', regex: … }`. */
export interface Matcher {
  readonly match: string;
  readonly regex?: JsonValue | undefined;
  /** What `include` looks for. */
  readonly value?: JsonValue | undefined;
  /** What `statusCode` accepts. */
  readonly status?: JsonValue | undefined;
}

/** The matchers for one value. */
export interface Rules {
  readonly combine: 'AND' | 'OR';
  readonly matchers: readonly Matcher[];
}

/**
 * Whether a value from a provider satisfies the rules, as Pact's verifier decides it.
 *
 * @param rules `undefined` where none apply, so that the value has to be equal to the example
 * @param actual a text or a number
 * @param example what the pact has
 */
export function satisfies(rules: Rules | undefined, actual: string | number, example: JsonValue): boolean {
  if (rules === undefined) return isEqual(actual, example);
  const accepts = (matcher: Matcher): boolean => acceptsValue(matcher, actual, example);
  return rules.combine === 'OR' ? rules.matchers.some(accepts) : rules.matchers.every(accepts);
}

/** Whether the rules amount to equality: the consumer did not loosen the value at all. */
export function demandEquality(rules: Rules | undefined): boolean {
  return rules === undefined || rules.matchers.some(({ match }) => match === 'equality');
}

/** Whether a pattern matches the whole of a text, as in Pact. A pattern that is none here may match. */
export function wholeMatch(pattern: JsonValue | undefined, text: string): boolean {
  if (typeof pattern !== 'string') return true;
  // Pact's patterns are those of Rust, which have their flags in front.
  const ignoresCase = pattern.startsWith('(?i)');
  const whole = `^(?:${ignoresCase ? pattern.slice(4) : pattern})$`;
  for (const flags of ['u', '']) {
    try {
      return new RegExp(whole, ignoresCase ? `${flags}i` : flags).test(text);
    } catch {
      // Without "u", more texts are patterns.
    }
  }
  return true;
}

function acceptsValue(
  { match, regex, value }: Matcher,
  actual: string | number,
  example: JsonValue,
): boolean {
  switch (match) {
    case 'equality':
      return isEqual(actual, example);
    case 'type':
      return typeof actual === 'number' ? isNumber(example) : typeof example === 'string';
    case 'regex':
      return wholeMatch(regex, String(actual));
    case 'include':
      return typeof value !== 'string' || String(actual).includes(value);
    case 'number':
    case 'integer':
      return typeof actual === 'number';
    case 'decimal':
      return typeof actual === 'number' && !Number.isInteger(actual);
    case 'boolean':
      return actual === 'true' || actual === 'false';
    case 'null':
      return false;
    case 'notEmpty':
      return actual !== '';
    case 'date':
    case 'time':
    case 'timestamp':
    case 'datetime':
    case 'semver':
      return /\d/.test(String(actual));
    default:
      // Plugins bring matchers of their own.
      return true;
  }
}

function isEqual(actual: string | number, example: JsonValue): boolean {
  return actual === example;
}

function isNumber(value: JsonValue): boolean {
  return typeof value === 'number' || typeof value === 'bigint' || value instanceof JsonNumber;
}
