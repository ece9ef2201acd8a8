import { didYouMean } from '../suggestion.js';
import { isObject } from '../validation/json-value.js';
import { parseMediaType } from '../validation/media-type.js';
import { patternOf, UNLIMITED } from './constraints.js';
import { errorCodes } from './error-codes.js';
import { type FaultName, faultNames } from './faults/names.js';
import {
  type Check,
  checkAll,
  integer,
  isFieldValue,
  isInt32,
  MOST_TIMEOUT,
  oneOf,
  shown,
} from './option-check.js';
import type { Limits, ListenOptions } from './options.js';

const TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/;

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcd';
/** Reasons whose response is fixed. */
const FIXED: ReadonlySet<string> = new Set([
  'malformed-http',
  'internal-error',
  'failure-preferred',
  'failure-set',
]);

const OPTION_CHECKS: Record<keyof Omit<ListenOptions, 'profile'>, Check> = {
  token: (value) =>
    typeof value === 'function' ||
    isTokens(value) ||
    (hasBearer(value) && 'the token alone: leave out the word "Bearer"') ||
    'a token of the characters A-Z a-z 0-9 - . _ ~ + / (and = at its end), a list of tokens, or a function',
  authenticationFailureStatus: oneOf(400, 401, 403),
  challenge: (value) => value === false || isFieldValue(value) || 'the value of a header field, or false',
  authorizationSyntax: oneOf('rfc', 'exact-scheme', 'one-space', 'exact'),
  duplicateAuthorization: oneOf('reject', 'first'),
  rejections: checkRejections,
  errorCodes: (value) =>
    value === 'own' || value === 'status' || isInt32(value) || '"own", "status" or an int32',
  duplicateId: oneOf('reject', 'replace', 'reject-different'),
  duplicateName: oneOf('accept', 'reject'),
  unknownFields: oneOf('ignore', 'reject'),
  duplicateKeys: oneOf('reject', 'last'),
  fractionalIds: oneOf('accept', 'reject'),
  byteOrderMark: oneOf('reject', 'accept'),
  mediaTypes: (value) =>
    (isStrings(value) && value.every(isMediaType)) || 'a list of media types, such as text/plain, or none',
  namePattern: pattern(['A', 'z', LETTERS, 'null'], 'ASCII letters'),
  tagPattern: pattern(['succulent', 'null'], 'lower-case ASCII letters'),
  limits: (value) => isObject(value) || 'an object',
  delayMs: integer(0, MOST_TIMEOUT),
  cors: (value) =>
    typeof value === 'boolean' ||
    (isStrings(value) && value.every(isOrigin)) ||
    'true, false or a list of origins such as https://plants.example, without a path',
  logger: (value) => typeof value === 'function' || 'a function',
  receivedRequests: integer(0, 1_000_000),
  failures: (value) => Array.isArray(value) || 'a list of failures',
  faults: (value) => isFaultNames(value) || 'a list of fault names (see plant-store serve --list-faults)',
  host: (value) => (typeof value === 'string' && value !== '') || 'a host name or an address',
  port: integer(0, 65_535),
};

const LIMIT_CHECKS: Record<keyof Limits, Check> = {
  bodyBytes: integer(0, 2 ** 30),
  headersTimeoutMs: integer(1, MOST_TIMEOUT),
  requestTimeoutMs: integer(1, MOST_TIMEOUT),
  // An unknown field may have any value, so its depth is at least that of a plant.
  depth: integer(1, UNLIMITED),
  longestName: integer(30, UNLIMITED),
  longestTag: integer(9, UNLIMITED),
  smallestId: (value) =>
    ((typeof value === 'bigint' || Number.isInteger(value)) && BigInt(value as number) <= 1n) ||
    'an integer of at most 1',
  // A Map holds no more than 2^24.
  plants: integer(1, 16_000_000),
};

/**
 * Checks all options.
 *
 * @throws ToolkitError `invalid-option`, with a sentence that names the option, what it must be, and its value
 */
export function checkOptions(options: ListenOptions): void {
  checkAll('option', options, OPTION_CHECKS, got);
  checkAll('limit', options.limits ?? {}, LIMIT_CHECKS);
}

/** How a message shows an invalid value. An invalid token is a secret too. */
function got(name: string, value: unknown): string {
  if (name === 'token') return '';
  const item = wrongItem(name, value);
  return shown(item) + (name === 'faults' && typeof item === 'string' ? didYouMean(item, faultNames) : '');
}

/** The item of a list that is wrong, or the value itself. */
function wrongItem(option: string, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  if (option === 'faults') return value.find((name) => !faultNames.includes(name));
  return option === 'cors' ? value.find((origin) => typeof origin !== 'string' || !isOrigin(origin)) : value;
}

/** A pattern that accepts what every provider must accept. */
function pattern(accepted: readonly string[], what: string): Check {
  const must = `a regular expression that accepts ${what}`;
  return (value) => {
    if (typeof value !== 'string' && !(value instanceof RegExp)) return must;
    try {
      return accepted.every((text) => patternOf(value).test(text)) || must;
    } catch {
      return must;
    }
  };
}

function checkRejections(value: unknown): true | string {
  const must = 'an object such as { "id-duplicate": { status: 409, error: 7 } }';
  if (!isObject(value)) return must;
  for (const [reason, response] of Object.entries(value)) {
    if (!Object.hasOwn(errorCodes, reason) || FIXED.has(reason))
      return `${must}; ${JSON.stringify(reason)} is none of its reasons`;
    if (!isObject(response)) return must;
    const { status = 400, error = 0, ...others } = response as Record<string, unknown>;
    const isRight = integer(400, 499)(status) === true && isInt32(error) && Object.keys(others).length === 0;
    if (!isRight) return `${must}, with a status from 400 to 499 and an int32`;
  }
  return true;
}

function isMediaType(value: string): boolean {
  return value === 'none' || value === '*/*' || parseMediaType(value)?.essence === value;
}

/** An origin as a browser sends it, which is compared byte by byte. A page in a file has the origin "null". */
function isOrigin(value: string): boolean {
  if (value === 'null') return true;
  if (!URL.canParse(value)) return false;
  const { origin } = new URL(value);
  // Only web origins have one form. An extension of a browser has another scheme.
  return origin === 'null' ? /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s]+$/.test(value) : origin === value;
}

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isTokens(value: unknown): boolean {
  const tokens = typeof value === 'string' ? [value] : value;
  return isStrings(tokens) && tokens.length > 0 && tokens.every((token) => TOKEN.test(token));
}

function hasBearer(value: unknown): boolean {
  return [value].flat().some((token) => typeof token === 'string' && /^bearer\s/i.test(token));
}

function isFaultNames(value: unknown): boolean {
  return isStrings(value) && value.every((name) => faultNames.includes(name as FaultName));
}
