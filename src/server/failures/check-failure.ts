import { definedOnly } from '../../defined-only.js';
import { checkSendable } from '../../http/fields.js';
import { invalidOption } from '../../toolkit-error.js';
import { jsonProblem, readJsonText } from '../../validation/json.js';
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

/** The fields of `Failure` that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set([
  'status',
  'error',
  'retryAfter',
  'delayMs',
  'bytesPerSecond',
  'times',
  'every',
]);
const BOOLEANS: ReadonlySet<string> = new Set(['stored', 'retryAfter']);

/** Where names of header fields follow. They may contain dots. */
const OPEN = ['when.headers.', 'headers.'];

const ITEM = /[ \t]*([^\s=,"]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^,"]*)))?[ \t]*(?:,|$)/sy;

/**
 * Reads a failure as text: fields of `Failure` in any order, separated by commas. A status and a connection need no name, and
 * `stored` needs no value. Fields within fields have dots.
 *
 * `503,times=2` · `reset,when.name="Aloe, vera",stored` · `429,retryAfter=5,headers.X-Limit=10` · `{"status":503}`
 *
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong
 */
export function parseFailure(text: string): Failure {
  if (text.trimStart().startsWith('{')) return fromJson(text);
  const failure: Record<string, unknown> = {};
  let at = 0;
  while (at < text.length) {
    ITEM.lastIndex = at;
    const [whole, path, quoted, plain] = ITEM.exec(text) ?? [];
    if (whole === undefined || path === undefined)
      throw invalidOption(
        `the failure ${JSON.stringify(text)} cannot be read at ${JSON.stringify(text.slice(at))}`,
      );
    const value = quoted?.replace(/\\(.)/gs, '$1') ?? plain?.trimEnd();
    set(failure, ...(value === undefined ? implied(path) : ([path, typed(path, value)] as const)));
    at += whole.length;
  }
  return checkFailure(failure);
}

function fromJson(text: string): Failure {
  const read = readJsonText(text);
  if (!read.ok) throw invalidOption(`the failure is not JSON: ${jsonProblem(read)}`);
  return checkFailure(read.value);
}

/** What a word without a value is: a status, a connection, or `stored`. */
function implied(word: string): readonly [path: string, value: unknown] {
  if (/^\d+$/.test(word)) return ['status', Number(word)];
  if (word === 'stored') return ['stored', true];
  if ((connectionFailures as readonly string[]).includes(word)) return ['connection', word];
  throw invalidOption(
    `${JSON.stringify(word)} is no failure; expected a status, ${connectionFailures.join(', ')}, stored, or a field such as times=2`,
  );
}

function typed(path: string, value: string): unknown {
  if (BOOLEANS.has(path) && /^(?:true|false)$/.test(value)) return value === 'true';
  return NUMBERS.has(path) && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
}

function set(failure: Record<string, unknown>, path: string, value: unknown): void {
  const open = OPEN.find((prefix) => path.startsWith(prefix));
  const keys =
    open === undefined ? path.split('.') : [...open.slice(0, -1).split('.'), path.slice(open.length)];
  let inner = failure;
  for (const key of keys.slice(0, -1)) {
    if (!Object.hasOwn(inner, key)) define(inner, key, {});
    const next = inner[key];
    if (!isObject(next)) throw invalidOption(`a failure has ${JSON.stringify(path)} beside ${key}`);
    inner = next;
  }
  const last = keys.at(-1) as string;
  if (Object.hasOwn(inner, last)) throw invalidOption(`a failure has ${JSON.stringify(path)} twice`);
  define(inner, last, value);
}

/** Sets an own member, even if it is called `__proto__`. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

/** A failure as the text that {@link parseFailure} reads. */
export function failureText(failure: Failure): string {
  const { status, connection, stored, ...others } = failure;
  return [
    ...(status === undefined ? [] : [String(status)]),
    ...(connection === undefined ? [] : [connection]),
    ...(stored === undefined ? [] : [stored ? 'stored' : 'stored=false']),
    ...items('', others),
  ].join(',');
}

function items(prefix: string, members: object): string[] {
  return Object.entries(members).flatMap(([key, value]) =>
    typeof value === 'object' ? items(`${prefix}${key}.`, value) : [`${prefix}${key}=${word(String(value))}`],
  );
}

function word(value: string): string {
  return /^[^\s,"]+$/.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`;
}
