import { type ErrorName, errorCodes } from '../error-codes.js';
import type { OutgoingResponse } from '../exchange.js';
import type { Settings } from '../options.js';
import type { Failure } from './failure.js';

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
