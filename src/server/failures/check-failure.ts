import { definedOnly } from '../../defined-only.js';
import { LONGEST_TIMEOUT_MS } from '../../duration.js';
import { checkSendable } from '../../http/fields.js';
import { invalidOption } from '../../toolkit-error.js';
import { jsonProblem, readJsonText, type WritableJson, writeJson } from '../../validation/json.js';
import { isObject } from '../../validation/json-value.js';
import { type Check, checkAll, integer, isInt32, oneOf } from '../option-check.js';
import { connectionFailures, copyOf, type Failure, type FailureMatch, idOf } from './failure.js';

const text: Check = (value) => typeof value === 'string' || 'a string';
const object: Check = (value) => isObject(value) || 'an object';

const CHECKS: Record<keyof Failure, Check> = {
  status: integer(400, 599),
  error: (value) => isInt32(value) || 'an int32',
  message: text,
  body: text,
  headers: object,
  delayMs: integer(0, LONGEST_TIMEOUT_MS),
  connection: oneOf(...connectionFailures),
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
const OF_STATUS = ['error', 'message', 'body', 'headers'] as const;

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
  const failure = definedOnly(copyOf(value)) as object as Failure;
  const { when = {}, headers = {} } = failure;
  checkAll('"when" field', when, MATCH_CHECKS);
  checkFields(headers);
  checkFields(when.headers ?? {});
  const own = Object.keys(headers).find((name) => OWN_FIELDS.test(name));
  if (own !== undefined) throw invalidOption(`a failure cannot set the header ${JSON.stringify(own)}`);
  const problem = contradictionIn(failure);
  if (problem !== undefined) throw invalidOption(`a failure ${problem}`);
  return failure;
}

function checkFields(fields: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'string')
      throw invalidOption(`the header ${JSON.stringify(name)} of a failure must be a string`);
    checkSendable(name, value);
  }
}

function contradictionIn(failure: Failure): string | undefined {
  const { status, body, error, message, connection, delayMs } = failure;
  if (status === undefined && connection === undefined && delayMs === undefined)
    return 'needs a "status", a "connection" or a "delayMs"';
  const lonely = OF_STATUS.find((name) => failure[name] !== undefined);
  if (status === undefined && lonely !== undefined) return `with "${lonely}" needs a "status"`;
  if (status !== undefined && (connection === 'hang' || connection === 'reset'))
    return `with the connection "${connection}" sends no status`;
  if (body !== undefined && (error !== undefined || message !== undefined))
    return 'has either a "body", or an "error" and a "message"';
  return connection === 'truncate' && body === '' ? 'with an empty "body" cannot be incomplete' : undefined;
}

/**
 * Reads a failure as text: JSON, or words with commas between them. Such a word is a status, a connection, `stored`, or a
 * number with its name.
 *
 * `503,times=2` · `reset,stored` · `delayMs=2000,every=3` · `{"status":503,"when":{"name":"Aloe"}}`
 *
 * @throws ToolkitError `invalid-option`, with a sentence that says what is wrong
 */
export function parseFailure(text: string): Failure {
  if (text.trimStart().startsWith('{')) {
    const read = readJsonText(text);
    if (!read.ok) throw invalidOption(`the failure is not JSON: ${jsonProblem(read)}`);
    return checkFailure(read.value);
  }
  const members = text.split(',').map((word) => memberIn(word.trim()));
  const names = members.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw invalidOption(`a failure has ${JSON.stringify(twice)} twice`);
  return checkFailure(Object.fromEntries(members));
}

function memberIn(word: string): readonly [name: string, value: unknown] {
  if (/^\d+$/.test(word)) return ['status', Number(word)];
  if (word === 'stored') return ['stored', true];
  if ((connectionFailures as readonly string[]).includes(word)) return ['connection', word];
  const [, name, number] = /^(\w+)=(-?\d{1,15})$/.exec(word) ?? [];
  if (name !== undefined) return [name, Number(number)];
  throw invalidOption(
    `${JSON.stringify(word)} is no failure; expected a status, ${connectionFailures.join(', ')}, stored, a number such as times=2, or all of it as JSON`,
  );
}

/** A failure as JSON, which {@link parseFailure} reads. */
export function failureText(failure: Failure): string {
  return writeJson(failure as object as WritableJson);
}
