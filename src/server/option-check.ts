import { didYouMean } from '../suggestion.js';
import { invalidOption } from '../toolkit-error.js';
import { parseBearer, parseMediaType } from '../validation/header-values.js';
import { isObject } from '../validation/json-value.js';
import { describe } from '../validation/violation.js';
import { errorCodes } from './error-codes.js';
import type { Fault } from './faults/fault.js';
import { faultNames } from './faults/index.js';

/** Returns `true` if a value is valid for an option, and otherwise what it must be. */
export type Check = (value: unknown) => true | string;

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

function isToken(text: string): boolean {
  const credentials = parseBearer(`Bearer ${text}`);
  return credentials.ok && credentials.token === text;
}

export function checkToken(value: unknown): true | string {
  if (typeof value === 'function') return true;
  const tokens = typeof value === 'string' ? [value] : value;
  if (isStrings(tokens) && tokens.length > 0 && tokens.every(isToken)) return true;
  const texts = [value].flat().filter((token) => typeof token === 'string');
  if (texts.some((token) => /^bearer\s/i.test(token))) return 'the token alone: leave out the word "Bearer"';
  if (texts.some((token) => /[\r\n]$/.test(token))) return 'the token alone: it ends with a line break';
  return 'a token of the characters A-Z a-z 0-9 - . _ ~ + / | : (and = at its end), a list of tokens, or a function';
}

/** Reasons whose response is fixed. */
const FIXED: ReadonlySet<string> = new Set(['malformed-http', 'internal-error', 'failure-set']);

export function checkRejections(value: unknown): true | string {
  const must =
    'reasons with a status from 400 to 499, an int32 as "error", or both, such as { "id-duplicate": { status: 409, error: 7 } }';
  if (!isObject(value)) return must;
  const reasons = Object.keys(errorCodes).filter((reason) => !FIXED.has(reason));
  for (const [reason, response] of Object.entries(value)) {
    if (!reasons.includes(reason)) return `${must}; "${reason}" is no reason${didYouMean(reason, reasons)}`;
    if (!isRejectionResponse(response)) return `${must}; that of "${reason}" is wrong`;
  }
  return true;
}

function isRejectionResponse(response: unknown): boolean {
  if (!isObject(response)) return false;
  const { status = 400, error = 0, ...others } = response;
  return integer(400, 499)(status) === true && isInt32(error) && Object.keys(others).length === 0;
}

export function checkMediaTypes(value: unknown): true | string {
  const isMediaType = (text: string): boolean =>
    text === 'none' || text === '*/*' || parseMediaType(text)?.essence === text;
  return (
    (isStrings(value) && value.every(isMediaType)) || 'a list of media types, such as text/plain, or none'
  );
}

/** Faults: names, or faults of the user. A message shows the one that is wrong, and what it may mean. */
export const faultList = {
  check: (value: unknown): true | string =>
    (Array.isArray(value) && value.every(isFault)) ||
    'a list of fault names (see plant-store-contract serve --list-faults), or of faults',
  got: (value: unknown): string => {
    const wrong: unknown = Array.isArray(value) ? value.find((fault) => !isFault(fault)) : value;
    return shown(wrong) + (typeof wrong === 'string' ? didYouMean(wrong, faultNames) : '');
  },
};

function isFault(value: unknown): boolean {
  if (typeof value === 'string') return (faultNames as readonly string[]).includes(value);
  const { name, title, breaks, replace } = (value ?? {}) as Partial<Fault>;
  return (
    typeof name === 'string' &&
    typeof title === 'string' &&
    isStrings(breaks) &&
    typeof replace === 'function'
  );
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
