import { operation } from '../spec/operation.js';
import { type ErrorName, errorCodes, type Rejection } from './error-codes.js';
import type { OutgoingResponse } from './exchange.js';
import type { Settings } from './options.js';

/** The statuses other than 400, except those of authentication. */
const STATUSES: Partial<Record<ErrorName, number>> = {
  'unknown-path': 404,
  'method-not-allowed': 405,
  'internal-error': 500,
};

const FIELDS: Partial<Record<ErrorName, readonly string[]>> = {
  'method-not-allowed': ['allow', operation.method],
  'authorization-missing': ['www-authenticate', 'Bearer'],
  'authorization-malformed': ['www-authenticate', 'Bearer error="invalid_request"'],
  'authorization-duplicate': ['www-authenticate', 'Bearer error="invalid_request"'],
  'token-wrong': ['www-authenticate', 'Bearer error="invalid_token"'],
};

const JSON_HEADERS = ['content-type', 'application/json'] as const;

/** How each rejection is answered, as the options say. */
export function rejecterFrom(settings: Settings): (rejection: Rejection) => OutgoingResponse {
  const responses = new Map(
    (Object.keys(errorCodes) as ErrorName[]).map((reason) => [reason, responseFor(reason, settings)]),
  );
  return ({ reason, message }) => {
    const { status, headers, error } = responses.get(reason) as ResponseTo;
    return { status, headers, body: JSON.stringify({ error, message }) };
  };
}

/** What is the same in all responses to rejections for one reason. */
interface ResponseTo {
  readonly status: number;
  readonly headers: readonly string[];
  readonly error: number;
}

export function responseFor(
  reason: ErrorName,
  { rejections, errorCodes: codes, authenticationFailureStatus, challenge }: Settings,
): ResponseTo {
  const given = Object.hasOwn(rejections, reason) ? rejections[reason as keyof typeof rejections] : undefined;
  const own = FIELDS[reason];
  const isOfAuthentication = own?.[0] === 'www-authenticate';
  const usual = isOfAuthentication ? authenticationFailureStatus : (STATUSES[reason] ?? 400);
  const status = given?.status ?? usual;
  const challenges = isOfAuthentication && challenge !== undefined;
  const fields = challenges ? (challenge === false ? [] : ['www-authenticate', challenge]) : (own ?? []);
  const usualError = codes === 'own' ? errorCodes[reason] : codes === 'status' ? status : codes;
  return { status, headers: [...JSON_HEADERS, ...fields], error: given?.error ?? usualError };
}
