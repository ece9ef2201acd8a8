import { didYouMean } from '../suggestion.js';
import { invalidOption } from '../toolkit-error.js';
import { isObject } from '../validation/json-value.js';
import { describe } from '../validation/violation.js';

/** Returns `true` if a value is valid for an option, and otherwise what it must be. */
export type Check = (value: unknown) => true | string;

/** The longest time of a timer. */
export const MOST_TIMEOUT = 2 ** 31 - 1;

/**
 * Checks each member of an object.
 *
 * @param kind what a member is called: "option"
 * @param got how a message shows an invalid value; empty if it must not
 * @throws ToolkitError `invalid-option`, with a sentence that names the member, what it must be, and its value
 */
export function checkAll(
  kind: string,
  members: object,
  checks: Readonly<Record<string, Check>>,
  got: (name: string, value: unknown) => string = (_name, value) => shown(value),
): void {
  if (!isObject(members)) throw invalidOption(`the ${kind}s must be an object`);
  for (const [name, value] of Object.entries(members)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      const known = Object.keys(checks);
      const hint = didYouMean(name, known);
      throw invalidOption(`unknown ${kind} "${name}"; expected one of: ${known.join(', ')}${hint}`);
    }
    const verdict = value === undefined || check(value);
    if (verdict === true) continue;
    const value_ = got(name, value);
    throw invalidOption(`the ${kind} "${name}" must be ${verdict}${value_ === '' ? '' : `; got ${value_}`}`);
  }
}

/** An invalid value, for a message. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : describe(value);
}

export function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.includes(value) || values.map(shown).join(' or ');
}

export function integer(low: number, high: number): Check {
  return (value) =>
    (Number.isInteger(value) && (value as number) >= low && (value as number) <= high) ||
    `an integer from ${low} to ${high}`;
}

export function isInt32(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= -(2 ** 31) && (value as number) < 2 ** 31;
}

/** Whether a value is a field value that can be sent and arrives unchanged. */
export function isFieldValue(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}
