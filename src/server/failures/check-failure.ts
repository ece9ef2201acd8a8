import { definedOnly } from '../../defined-only.js';
import { checkSendable } from '../../http/fields.js';
import { invalidOption } from '../../toolkit-error.js';
import { isObject } from '../../validation/json-value.js';
import { type Check, checkAll, integer, isInt32, MOST_TIMEOUT, oneOf } from '../option-check.js';
import { connectionFailures, type Failure, type FailureMatch } from './failure.js';

const text: Check = (value) => typeof value === 'string' || 'a string';
const object: Check = (value) => isObject(value) || 'an object';

const CHECKS: Record<keyof Failure, Check> = {
  status: integer(400, 599),
  error: (value) => isInt32(value) || 'an int32',
  message: text,
  body: text,
  contentType: text,
  headers: object,
  retryAfter: (value) =>
    value === false ||
    typeof value === 'string' ||
    integer(0, MOST_TIMEOUT)(value) === true ||
    'a number of seconds, a date, or false',
  delayMs: integer(0, MOST_TIMEOUT),
  connection: oneOf(...connectionFailures),
  bytesPerSecond: integer(1, 2 ** 30),
  stored: (value) => typeof value === 'boolean' || 'true or false',
  when: object,
  times: integer(1, 1_000_000_000),
  every: integer(1, 1_000_000_000),
};

const MATCH_CHECKS: Record<keyof FailureMatch, Check> = {
  name: text,
  id: (value) => idOf(value) !== undefined || 'an int64: an integer, a bigint, or its digits as a string',
  headers: object,
};

/** What only the response with the status of a failure has. */
const OF_STATUS = ['error', 'message', 'body', 'contentType', 'headers', 'retryAfter'] as const;

/** Fields that the server itself sends. */
const OWN_FIELDS = /^(?:content-length|transfer-encoding|connection|keep-alive|upgrade|trailer)$/i;

/** The members of a failure, in order. */
export const failureMembers = Object.keys(CHECKS) as readonly (keyof Failure)[];

/**
 * Checks a failure, wherever it comes from.
 *
 * @returns a copy that later changes do not reach
 * @throws ToolkitError `invalid-option`, with a sentence that names what is wrong
 */
export function checkFailure(value: unknown): Failure {
  if (!isObject(value)) throw invalidOption('a failure must be an object such as { "status": 503 }');
  checkAll('failure field', value, CHECKS);
  const failure = definedOnly(structuredClone(value)) as object as Failure;
  const { when = {}, headers = {}, contentType, retryAfter } = failure;
  checkAll('"when" field', when, MATCH_CHECKS);
  checkFields(headers, false);
  checkFields(when.headers ?? {}, true);
  if (contentType !== undefined) checkField('Content-Type', contentType);
  if (typeof retryAfter === 'string') checkField('Retry-After', retryAfter);
  const problem = contradictionIn(failure);
  if (problem !== undefined) throw invalidOption(`a failure ${problem}`);
  return failure;
}

/** An id as a bigint; `undefined` if it is not an int64, or a number that may be rounded. */
export function idOf(value: unknown): bigint | undefined {
  const isExact =
    typeof value === 'bigint' ||
    Number.isSafeInteger(value) ||
    (typeof value === 'string' && /^-?\d{1,19}$/.test(value));
  if (!isExact) return undefined;
  const id = BigInt(value as bigint | number | string);
  return BigInt.asIntN(64, id) === id ? id : undefined;
}

function checkFields(fields: Readonly<Record<string, unknown>>, ofRequest: boolean): void {
  for (const [name, value] of Object.entries(fields)) {
    checkField(name, value);
    if (ofRequest) continue;
    if (OWN_FIELDS.test(name)) throw invalidOption(`a failure cannot set the header ${JSON.stringify(name)}`);
    if (/^(?:content-type|retry-after)$/i.test(name))
      throw invalidOption(
        `a failure sets ${name} with ${/^c/i.test(name) ? '"body" and "contentType"' : '"retryAfter"'}, not in "headers"`,
      );
  }
}

function checkField(name: string, value: unknown): void {
  if (typeof value !== 'string')
    throw invalidOption(`the header ${JSON.stringify(name)} of a failure must be a string`);
  checkSendable(name, value);
}

function contradictionIn(failure: Failure): string | undefined {
  const { status, body, contentType, error, message, connection, bytesPerSecond, delayMs } = failure;
  if (
    status === undefined &&
    connection === undefined &&
    bytesPerSecond === undefined &&
    delayMs === undefined
  )
    return 'needs a "status", a "connection", a "delayMs" or a "bytesPerSecond"';
  const lonely = OF_STATUS.find((name) => failure[name] !== undefined);
  if (status === undefined && lonely !== undefined) return `with "${lonely}" needs a "status"`;
  if (status !== undefined && (connection === 'hang' || connection === 'reset'))
    return `with the connection "${connection}" sends no status`;
  if (body !== undefined && (error !== undefined || message !== undefined))
    return 'has either a "body", or an "error" and a "message"';
  if (contentType !== undefined && !body) return 'with "contentType" needs a "body"';
  if (connection !== undefined && bytesPerSecond !== undefined)
    return 'has either a "connection" or "bytesPerSecond"';
  const needsBody =
    bytesPerSecond !== undefined || connection === 'truncate' || connection === 'reset-after-head';
  return needsBody && body === '' ? 'with an empty "body" cannot be slow or incomplete' : undefined;
}
