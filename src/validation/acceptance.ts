import { headerValues, withoutOuterSpace } from '../http/fields.js';
import { parseBearer, parseMediaType } from './header-values.js';
import { readJson } from './json.js';
import { isWellFormedThroughout, JsonNumber, type JsonRead, type JsonValue, objectOf } from './json-value.js';
import { type Body, bytesIn, judgeBody, type PlainRequest, readBody } from './message.js';
import { bearerViolation } from './request.js';
import { newPlantFields } from './schema.generated.js';
import type { Severity, Violation } from './violation.js';

/**
 * Judges whether a response accepts a request that must be rejected.
 *
 * @param mistake of the request, for which it must be rejected
 */
export function acceptanceOf(mistake: Violation | undefined, status: number): Violation[] {
  if (mistake === undefined || status < 200 || status > 299) return [];
  return [
    {
      ...mistake,
      part: 'status',
      keyword: 'accepted',
      message: `accepted a wrong request: ${mistake.message}`,
      expected: 'a 4xx, since the request must be rejected',
      actual: `the status ${status}`,
    },
  ];
}

/**
 * The worst mistake of a request for which it must be rejected. Only what is wrong beyond doubt counts: nobody but the
 * provider knows which tokens are right, and some of what is not allowed may be accepted. Its severity is how much it matters that
 * it is accepted.
 *
 * @param request of the operation, whole, without content codings
 * @param isCertain whether a mistake was sent, and not made when the request was stored
 */
export function mistakeIn(
  request: PlainRequest,
  isCertain: (mistake: Violation) => boolean = () => true,
): Violation | undefined {
  const mistakes = mistakesIn(request).filter(isCertain);
  return mistakes.find(({ severity }) => severity === 'error') ?? mistakes[0];
}

/**
 * How much it matters that a request gets a 5xx or a redirect: an error for what every client may send, and for everyday mistakes.
 * Other wrong requests come only from a client that breaks the interface in a way that hardly any does.
 *
 * @param isWrong whether it has violations
 */
export function severityOfFailing(request: PlainRequest, isWrong: boolean): Severity {
  const isEveryday = mistakesIn(request).some(({ severity }) => severity === 'error');
  if (isWrong) return isEveryday ? 'error' : 'warning';
  const read = readBody(request.body);
  return read?.ok !== true || isWellFormedThroughout(read.value) ? 'error' : 'warning';
}

/** The mistakes for which the interface allows no success. */
function mistakesIn({ headers, body }: PlainRequest): Violation[] {
  const ofToken = missingToken(headerValues(headers, 'authorization'));
  return hasOtherCharset(headers, body) ? ofToken : [...ofToken, ...wrongBody(body)];
}

/**
 * There is no bearer token. A token with characters that RFC 6750 does not allow may be the right one, and of several
 * header fields one may have it.
 */
function missingToken([value, ...more]: readonly string[]): Violation[] {
  if (value === undefined) return [bearerViolation('the Authorization header is missing', 'nothing')];
  const credentials = parseBearer(withoutOuterSpace(value));
  if (credentials.ok || more.length > 0 || /bearer\s+\S/i.test(value)) return [];
  return [bearerViolation(credentials.reason, 'a redacted value')];
}

/** UTF-16 and UTF-32 have a NUL among the first four bytes of a JSON text (RFC 4627, section 3). */
function hasOtherCharset(headers: PlainRequest['headers'], body: Body): boolean {
  if (bytesIn(body)?.subarray(0, 4).includes(0) === true) return true;
  return headerValues(headers, 'content-type').some((type) => {
    const charset = parseMediaType(type)?.parameters.get('charset') ?? 'utf-8';
    return !/^(?:utf-?8|us-ascii)$/i.test(charset);
  });
}

function wrongBody(body: Body): Violation[] {
  const read = readBody(body);
  // Of duplicate keys, nobody knows which one counts.
  if (read?.ok === true && read.duplicateKeys.length > 0) return [];
  if (read?.ok === false && isTolerable(bytesIn(body) ?? Buffer.from(String(body)), read.message)) return [];
  const { violations } = judgeBody('NewPlant', body);
  return violations.map((violation) => ({
    ...violation,
    severity: severityOfAccepting(violation, body, read),
  }));
}

/**
 * How much it matters that a body is accepted. A missing field or a wrong type is an error. What is nearly right is a warning: a
 * client that keeps to the interface never sends it.
 */
function severityOfAccepting(
  { pointer, keyword, expected, actual }: Violation,
  body: Body,
  read: JsonRead | undefined,
): Severity {
  const nearly = (isNearlyRight: boolean): Severity => (isNearlyRight ? 'warning' : 'error');
  if (read === undefined) return 'error';
  if (!read.ok) {
    // A text that is cut off, or has no object in it, is nothing like a plant.
    const isCutOff = actual.endsWith('got the end of the text') || actual === 'the text ends inside a string';
    const hasObject = Buffer.from(bytesIn(body) ?? String(body)).includes('{');
    return nearly(actual.startsWith('expected the end of the text') || (hasObject && !isCutOff));
  }
  if (pointer === '') return nearly(isRecord(read.value));
  const plant = objectOf(read.value);
  const isLike = (key: string): boolean => expected.includes(`"${key.trim().toLowerCase()}"`);
  if (keyword === 'required') return nearly(Object.keys(plant).some(isLike));
  if (pointer === '/tag') return nearly(plant.tag === null);
  return nearly(pointer === '/id' && isInteger(plant.id));
}

/** Whether some readers fill the fields of a plant from an array. */
function isRecord(value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length > newPlantFields.length) return false;
  return value.some((item) => typeof item === 'string') && value.some(isInteger);
}

/** Whether an id is a whole number, in the range of int64 or not. */
function isInteger(value: JsonValue | undefined): boolean {
  return value instanceof JsonNumber ? value.isInteger : typeof value === 'bigint' || Number.isInteger(value);
}

/**
 * Whether parsers of JSON accept a text that is not JSON: with a byte-order mark, malformed UTF-8, NaN or infinity, or
 * nested deeper than we read.
 *
 * @param why it is not JSON, as `readJson` says it
 */
export function isTolerable(bytes: Uint8Array, why: string): boolean {
  if (/byte-order mark|UTF-8|nests deeper/.test(why)) return true;
  const text = Buffer.from(bytes).toString();
  if (/[[{]{400}/.test(text)) return true;
  const finite = text.replaceAll(/[+-]?(?:nan|inf(?:inity)?)\b/gi, '0');
  return finite !== text && readJson(Buffer.from(finite)).ok;
}
