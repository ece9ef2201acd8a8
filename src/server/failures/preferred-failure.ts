import { type HeaderFields, headerValues } from '../../http/fields.js';
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
