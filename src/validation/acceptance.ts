import { headerValues } from '../http/fields.js';
import { parseMediaType } from './header-values.js';
import { readJsonText } from './json.js';
import {
  isObject,
  isWellFormedThroughout,
  JsonNumber,
  type JsonObject,
  type JsonValue,
  objectOf,
} from './json-value.js';
import { type Body, bytesIn, judgeBody, type PlainRequest, readBody } from './message.js';
import { authorizationViolations } from './request.js';
import { newPlantFields } from './schema.generated.js';
import { severityOf } from './severity.js';
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
 * @param mistake the worst of the request
 * @param isWrong whether the request has violations
 */
export function severityOfFailing(body: Body, mistake: Violation | undefined, isWrong: boolean): Severity {
  if (isWrong) return mistake?.severity ?? 'warning';
  const read = readBody(body);
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
function missingToken(values: readonly string[]): Violation[] {
  const [value = '', ...more] = values;
  if (more.length > 0 || /bearer\s+\S/i.test(value)) return [];
  // "Bearer" and a token as one word: whoever sends that has a token.
  const severity = severityOf(
    /^\s*bearer\S+\s*$/i.test(value) ? 'auth/joined-token-is-refused' : 'auth/missing-token-is-refused',
  );
  return authorizationViolations(values).map((violation) => ({ ...violation, severity }));
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
  const { violations, read } = judgeBody('NewPlant', body);
  // Of duplicate keys, nobody knows which one counts.
  if (read?.ok === true && read.duplicateKeys.length > 0) return [];
  const text = read?.ok === true ? '' : Buffer.from(bytesIn(body) ?? String(body)).toString();
  if (read?.ok === false && isTolerable(text, read.message)) return [];
  return violations.map((violation) => {
    const rule = read?.ok === true ? ruleOfValue(violation, read.value) : ruleOfText(text, violation.actual);
    return { ...violation, severity: severityOf(rule) };
  });
}

/**
 * The rule of a check for a text that is not JSON, by the reason. No reader takes a text for JSON that has no object in it or is cut
 * off. Some take what is nearly JSON.
 *
 * @param why as `readJsonText` says it
 */
export function ruleOfText(text: string, why: string): string {
  if (why.startsWith('expected the end of the text')) return 'request/nothing-follows-the-json';
  const isCutOff = why.endsWith('got the end of the text') || why === 'the text ends inside a string';
  return isCutOff || !text.includes('{') ? 'request/body-is-json' : 'request/near-json-is-refused';
}

/** The rule of a check that a JSON value breaks which is no NewPlant. */
export function ruleOfValue({ pointer, keyword, expected }: Violation, value: JsonValue): string {
  if (pointer === '') return ruleOfNoObject(value);
  const plant = objectOf(value);
  if (keyword === 'required') {
    const field = expected.includes('"name"') ? 'name' : 'id';
    return fieldsLikeKeysOf(plant).includes(field)
      ? 'request/keys-are-exact'
      : `request/${field}-is-required`;
  }
  if (pointer === '/tag' && plant.tag === null) return 'request/null-tag-is-refused';
  if (pointer !== '/id') return `request/${pointer.slice(1)}-is-a-string`;
  return isInteger(plant.id) ? 'request/id-is-within-int64' : 'request/id-is-an-integer';
}

function ruleOfNoObject(value: JsonValue): string {
  if (isRecord(value)) return 'request/array-is-no-record';
  return typeof value === 'string' && hasObject(value)
    ? 'request/string-is-no-plant'
    : 'request/body-is-an-object';
}

/** Whether a text is the JSON of an object. */
function hasObject(text: string): boolean {
  const read = readJsonText(text);
  return read.ok && isObject(read.value);
}

/** Whether some readers fill the fields of a plant from an array. */
function isRecord(value: JsonValue): boolean {
  if (!Array.isArray(value) || value.length > newPlantFields.length) return false;
  return value.some((item) => typeof item === 'string') && value.some(isInteger);
}

/** White space, marks, and characters that nobody sees. */
const UNSEEN = /[\s\p{Cf}\p{M}]/gu;

/**
 * The field for which a careless reader takes a key that is not the name of a field: in another case, in wide letters, with
 * white space or an accent, or with U+0000 after it.
 */
export function fieldLike(key: string): string | undefined {
  if (newPlantFields.includes(key)) return undefined;
  const folded = key.replace(/\0.*$/s, '').normalize('NFKD').replace(UNSEEN, '').toLowerCase();
  return newPlantFields.find((field) => field === folded);
}

/** The fields for which a careless reader takes other keys of an object. */
export function fieldsLikeKeysOf(value: JsonObject): readonly string[] {
  return Object.keys(value).flatMap((key) => fieldLike(key) ?? []);
}

/** Whether an id is a whole number, in the range of int64 or not. */
function isInteger(value: JsonValue | undefined): boolean {
  return value instanceof JsonNumber ? value.isInteger : typeof value === 'bigint' || Number.isInteger(value);
}

/**
 * Whether parsers of JSON accept a text that is not JSON: with a byte-order mark, malformed UTF-8, NaN or infinity, or
 * nested deeper than we read.
 *
 * @param why it is not JSON, as `readJsonText` says it
 */
export function isTolerable(text: string, why: string): boolean {
  if (/byte-order mark|UTF-8|nests deeper/.test(why)) return true;
  if (/[[{]{400}/.test(text)) return true;
  const finite = text.replaceAll(/[+-]?(?:nan|inf(?:inity)?)\b/gi, '0');
  return finite !== text && readJsonText(finite).ok;
}
