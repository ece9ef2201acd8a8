import { headerValues } from '../../http/fields.js';
import { readJson } from '../../validation/json.js';
import { isObject } from '../../validation/json-value.js';
import { parseMediaType } from '../../validation/media-type.js';
import type { Exchange, ProbeRequest } from '../exchange.js';
import { fieldsLikeKeysOf, newPlantIn } from '../oracle.js';
import { oncePer } from '../probe.js';

/** Size limits are not shown: a provider may fail on a body that is larger than this, or close the connection. */
export const OVERSIZED = 2 ** 16;

/**
 * Whether a request is a NewPlant beyond doubt, with the right token: every JSON parser and every HTTP server reads the
 * same plant. A provider may still reject it, because constraints on name, tag and id are not shown. It is decided by what
 * was sent, so it also holds for probes that are drawn at random.
 */
export function isValidPlant({ request, expectation }: Exchange): boolean {
  if (expectation === 'rejected' || request.otherOperation !== undefined || request.isUnusual === true)
    return false;
  if (request.body.length > OVERSIZED) return false;
  return isPlain(request);
}

/** Many rules ask about each request: half of the time of judging would go here. */
const isPlain = oncePer(
  (request: ProbeRequest): boolean => hasPlainHeaders(request) && isPlainBody(request.body),
);

/**
 * Whether a request has a key that is nearly the name of a field. A provider that reads it as that field may change every field,
 * so only the rule about keys judges what comes back.
 */
export const hasKeyLikeAField: (request: ProbeRequest) => boolean = oncePer(({ body }) => {
  const read = readJson(body);
  return read.ok && isObject(read.value) && fieldsLikeKeysOf(read.value).length > 0;
});

/** One bearer token, and JSON in UTF-8 as it is. Servers and libraries differ about other forms. */
function hasPlainHeaders({ headers }: ProbeRequest): boolean {
  const [authorization, ...furtherTokens] = headerValues(headers, 'authorization');
  const [contentType, ...furtherTypes] = headerValues(headers, 'content-type');
  if (furtherTokens.length > 0 || furtherTypes.length > 0) return false;
  if (!/^Bearer [^ \t]+$/.test(authorization ?? '')) return false;
  const { essence, parameters } = parseMediaType(contentType ?? '') ?? {};
  const charset = parameters?.get('charset') ?? 'utf-8';
  if (essence !== 'application/json' || charset.toLowerCase() !== 'utf-8') return false;
  return headerValues(headers, 'content-encoding').length === 0;
}

/** A string, and a number with a fraction or an exponent, in JSON. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;
const NOT_DIGITS_ONLY = /\d[.eE]/;
const BEYOND_DOUBLES = /[eE][+-]?\d{3}/;

/**
 * JSON parsers differ about duplicate keys, halves of surrogate pairs, integers written as 7.0 or 7e0, and nesting beyond
 * our own limit.
 */
function isPlainBody(body: Uint8Array): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return newPlantIn(body) !== undefined && hasPlainNumbers(text);
}

/** Whether the id has digits only, and no number is beyond the range of a double. */
function hasPlainNumbers(text: string): boolean {
  const withoutStrings = text.replace(STRING, '');
  if (!NOT_DIGITS_ONLY.test(withoutStrings)) return true;
  // The key of the id may be written with escapes.
  return !BEYOND_DOUBLES.test(withoutStrings) && /"id"\s*:/.test(text) && !/"id"\s*:\s*-?\d+[.eE]/.test(text);
}
