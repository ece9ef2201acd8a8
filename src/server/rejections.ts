import { operation } from '../spec/operation.js';
import type { Behaviour } from './behaviour.js';
import { type ErrorName, errorCodes, type Rejection } from './error-codes.js';
import type { OutgoingResponse } from './exchange.js';

/** What the response for a reason has besides the status 400. */
interface Own {
  readonly status?: number;
  readonly allow?: string;
  /** Its `WWW-Authenticate`. Then the reason is about authentication, whose status is an option. */
  readonly challenge?: string;
}

const OWN: Partial<Record<ErrorName, Own>> = {
  'unknown-path': { status: 404 },
  'method-not-allowed': { status: 405, allow: operation.method },
  'internal-error': { status: 500 },
  // RFC 6750, section 3.1: without bearer credentials, there is no error code.
  'authorization-missing': { challenge: 'Bearer' },
  'authorization-scheme': { challenge: 'Bearer' },
  'authorization-malformed': { challenge: 'Bearer error="invalid_request"' },
  'authorization-duplicate': { challenge: 'Bearer error="invalid_request"' },
  'token-wrong': { challenge: 'Bearer error="invalid_token"' },
};

export const JSON_HEADERS = ['content-type', 'application/json'] as const;

/** How each rejection is answered, as the options say. */
export function rejecterFrom(settings: Behaviour): (rejection: Rejection) => OutgoingResponse {
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

/** The `error` of a response that nothing else chooses. */
export function usualError(reason: ErrorName, status: number, codes: Behaviour['errorCodes']): number {
  return codes === 'own' ? errorCodes[reason] : codes === 'status' ? status : codes;
}

/** The response for a reason: what `rejections` says, then the other options, then what is usual. */
export function responseFor(
  reason: ErrorName,
  { rejections, errorCodes: codes, authenticationFailureStatus }: Behaviour,
): ResponseTo {
  const chosen = Object.hasOwn(rejections, reason)
    ? rejections[reason as keyof typeof rejections]
    : undefined;
  const own: Own = OWN[reason] ?? {};
  const usualStatus = own.challenge === undefined ? (own.status ?? 400) : authenticationFailureStatus;
  const status = chosen?.status ?? usualStatus;
  const headers = [
    ...JSON_HEADERS,
    ...(own.allow === undefined ? [] : ['allow', own.allow]),
    ...(own.challenge === undefined ? [] : ['www-authenticate', own.challenge]),
  ];
  return { status, headers, error: chosen?.error ?? usualError(reason, status, codes) };
}
