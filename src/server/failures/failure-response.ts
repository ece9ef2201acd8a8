import { type HeaderFields, headerValues } from '../../http/fields.js';
import { type ErrorName, errorCodes } from '../error-codes.js';
import type { OutgoingResponse } from '../exchange.js';
import type { Settings } from '../options.js';
import type { Failure, FailureStatus } from './failure.js';

/** A failure that a request itself asks for. */
export interface PreferredFailure {
  readonly failure: Failure;
  /** `Preference-Applied` of the response. */
  readonly applied: string;
}

/** A longer wait is ignored. */
const LONGEST_WAIT = 600;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const WORD = `(?:(${TOKEN})|"((?:[^"\\\\]|\\\\.)*)")`;
/** RFC 7240, section 2: a name, with a value or without. */
const PREFERENCE = new RegExp(`[ \\t,]*(${TOKEN})(?:[ \\t]*=[ \\t]*${WORD})?`, 'y');
/** What may follow: a semicolon, with a parameter or without. */
const PARAMETER = new RegExp(`[ \\t]*;[ \\t]*(?:${TOKEN}(?:[ \\t]*=[ \\t]*${WORD})?)?`, 'y');
const END = /[ \t]*(?:,|$)/y;

/**
 * The failure that a request asks for with `Prefer` (RFC 7240): `code`, any 4xx or 5xx, and `wait`, in seconds. `undefined` if
 * it asks for nothing that this server knows.
 */
export function preferredFailure(headers: HeaderFields): PreferredFailure | undefined {
  const values = headerValues(headers, 'prefer');
  if (values.length === 0) return undefined;
  const all = new Map<string, string>();
  for (const value of values) readInto(all, value);
  const [code = '', wait = ''] = [all.get('code'), all.get('wait')];
  const status = /^[45]\d\d$/.test(code) ? (Number(code) as FailureStatus) : undefined;
  const seconds = /^\d{1,9}$/.test(wait) && Number(wait) <= LONGEST_WAIT ? Number(wait) : undefined;
  const delay = seconds === undefined ? undefined : { delayMs: seconds * 1_000 };
  const waits = seconds === undefined ? '' : `wait=${seconds}`;
  if (status === undefined) return delay && { failure: delay, applied: waits };
  const message = `the request asked for a ${status} with Prefer: code=${status}`;
  const applied = `code=${status}${waits && `, ${waits}`}`;
  return { failure: { status, message, ...delay }, applied };
}

/** Of preferences with one name, the first one counts. After a part that is malformed, nothing is read. */
function readInto(all: Map<string, string>, value: string): void {
  let at = 0;
  while (at < value.length) {
    PREFERENCE.lastIndex = at;
    const [whole, name, token, string] = PREFERENCE.exec(value) ?? [];
    if (whole === undefined || name === undefined) return;
    at = afterParameters(value, at + whole.length);
    END.lastIndex = at;
    const end = END.exec(value);
    if (end === null) return;
    at += end[0].length;
    const key = name.toLowerCase();
    if (!all.has(key)) all.set(key, token ?? string?.replace(/\\(.)/g, '$1') ?? '');
  }
}

function afterParameters(value: string, start: number): number {
  let at = start;
  for (;;) {
    PARAMETER.lastIndex = at;
    const parameter = PARAMETER.exec(value);
    if (parameter === null) return at;
    at += parameter[0].length;
  }
}

const JSON_TYPE = 'application/json';
const PLAIN_TYPE = 'text/plain; charset=utf-8';

/** What a client should do about a status, by RFC 9110 and RFC 6585. */
const RETRY_AFTER: Readonly<Record<number, number>> = { 429: 1, 503: 1 };

/**
 * The response of a failure that has a status.
 *
 * @param reason whose code is the `error` of its Error, unless the failure or an option says otherwise
 */
export function failureResponse(
  failure: Failure & { readonly status: number },
  settings: Settings,
  reason: ErrorName = 'failure-set',
): OutgoingResponse {
  const { status, body, contentType = body === undefined ? JSON_TYPE : PLAIN_TYPE } = failure;
  const type = body === '' ? [] : ['content-type', contentType];
  const headers = [...type, ...fieldsOf(failure, settings)];
  return { status, headers, body: body ?? errorOf(failure, settings, reason) };
}

function errorOf(
  { status, error, message }: Failure,
  { errorCodes: codes }: Settings,
  reason: ErrorName,
): string {
  const usual = codes === 'own' ? errorCodes[reason] : codes === 'status' ? status : codes;
  return JSON.stringify({ error: error ?? usual, message: message ?? 'this failure was asked for' });
}

function fieldsOf(
  { status, headers = {}, retryAfter = (status && RETRY_AFTER[status]) ?? false }: Failure,
  { challenge = 'Bearer' }: Settings,
): string[] {
  const given = Object.entries(headers);
  const isGiven = (name: string): boolean => given.some(([other]) => other.toLowerCase() === name);
  // RFC 9110, section 15.5.2: a 401 has a challenge.
  const challenges = status === 401 && challenge !== false && !isGiven('www-authenticate');
  return [
    ...(challenges ? ['www-authenticate', challenge] : []),
    ...(retryAfter === false ? [] : ['retry-after', String(retryAfter)]),
    ...given.flat(),
  ];
}
