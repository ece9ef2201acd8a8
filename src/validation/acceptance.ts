import { headerValues, withoutOuterSpace } from '../http/fields.js';
import { parseBearer, parseMediaType } from './header-values.js';
import { readJson } from './json.js';
import { type Body, bytesIn, judgeBody, type PlainRequest, readBody } from './message.js';
import { bearerViolation } from './request.js';
import type { Violation } from './violation.js';

/**
 * Judges whether a response accepts a request that must be rejected.
 *
 * @param mistake of the request, for which it must be rejected
 */
export function acceptanceOf(mistake: Violation | undefined, status: number): Violation[] {
  if (mistake === undefined || status < 200 || status > 299) return [];
  return [
    {
      part: 'status',
      pointer: mistake.pointer,
      keyword: 'accepted',
      message: `accepted a wrong request: ${mistake.message}`,
      expected: 'a 4xx, since the request must be rejected',
      actual: `the status ${status}`,
    },
  ];
}

/**
 * The first mistake of a request for which it must be rejected. Only what is wrong beyond doubt counts: nobody but the
 * provider knows which tokens are right, and some of what is not allowed may be accepted.
 *
 * @param request of the operation, whole, without content codings
 * @param isCertain whether a mistake was sent, and not made when the request was stored
 */
export function mistakeIn(
  request: PlainRequest,
  isCertain: (mistake: Violation) => boolean = () => true,
): Violation | undefined {
  return mistakesIn(request).find(isCertain);
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
  return judgeBody('NewPlant', body).violations;
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
