/**
 * The values of `error` in the Error bodies of the reference server. The interface does not say what the integer means
 * (openapi.yaml#/components/schemas/Error). These codes are stable: a code never gets another meaning.
 */
export const errorCodes = {
  'malformed-http': 1,
  'unknown-path': 2,
  'method-not-allowed': 3,
  'internal-error': 4,
  'authorization-missing': 10,
  'authorization-malformed': 11,
  'authorization-duplicate': 12,
  'token-wrong': 13,
  'authorization-scheme': 14,
  'media-type': 20,
  'content-encoding': 21,
  'body-too-large': 22,
  'body-missing': 23,
  'json-malformed': 24,
  'json-duplicate-key': 25,
  'body-not-an-object': 30,
  'name-missing': 31,
  'name-invalid': 32,
  'id-missing': 33,
  'id-invalid': 34,
  'id-out-of-range': 35,
  'tag-invalid': 36,
  'field-unknown': 37,
  'id-duplicate': 40,
  'failure-set': 51,
} as const;

/** The name of an error code: why the reference server rejects a request. */
export type ErrorName = keyof typeof errorCodes;

/** Why a request is rejected: what a step of the server returns instead of its result. */
export class Rejection {
  /**
   * @param reason its name in {@link errorCodes}
   * @param message a sentence that names the field and its value
   */
  constructor(
    readonly reason: ErrorName,
    readonly message: string,
  ) {}
}

/** Whether a step rejected the request for this reason. */
export function isRejected(outcome: unknown, reason: ErrorName): outcome is Rejection {
  return outcome instanceof Rejection && outcome.reason === reason;
}
