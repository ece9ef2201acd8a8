import { headerValues } from '../http/fields.js';
import type { IncomingRequest } from './exchange.js';
import type { FailureStatus } from './failures/failure.js';

/** What a request asks for with `Prefer` (RFC 7240), as far as this server does it. */
export interface Preferences {
  /** A failure with this status: any 4xx or 5xx. */
  readonly code?: FailureStatus;
  /** A delay of the response, in seconds. */
  readonly wait?: number;
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

/** The preferences of a request; `undefined` if it has none that this server knows. */
export function preferencesOf({ headers }: IncomingRequest): Preferences | undefined {
  const values = headerValues(headers, 'prefer');
  if (values.length === 0) return undefined;
  const all = new Map<string, string>();
  for (const value of values) readInto(all, value);
  const code = all.get('code') ?? '';
  const wait = all.get('wait') ?? '';
  const preferences = {
    ...(/^[45]\d\d$/.test(code) && { code: Number(code) as FailureStatus }),
    ...(/^\d{1,9}$/.test(wait) && Number(wait) <= LONGEST_WAIT && { wait: Number(wait) }),
  };
  return Object.keys(preferences).length === 0 ? undefined : preferences;
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

/** `Preference-Applied` of the response. */
export function appliedOf({ code, wait }: Preferences): string {
  return [code !== undefined && `code=${code}`, wait !== undefined && `wait=${wait}`]
    .filter((one) => one !== false)
    .join(', ');
}
