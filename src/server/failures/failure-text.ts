import { invalidOption } from '../../toolkit-error.js';
import { readJsonText } from '../../validation/json.js';
import { isObject } from '../../validation/json-value.js';
import { checkFailure } from './check-failure.js';
import { connectionFailures, type Failure } from './failure.js';

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
  if (!read.ok) throw invalidOption(`the failure is not JSON: ${read.message}, at byte ${read.offset}`);
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
