/**
 * What the reference server answers in `error` of an Error body. The interface leaves the meaning of the integer
 * open (Errors, rule 2); these are stable: a code is never given another meaning.
 */
export const errorCodes = {
  'malformed-http': 1,
  'unknown-path': 2,
  'method-not-allowed': 3,
  'internal-error': 4,
  'authorization-missing': 10,
  'authorization-malformed': 11,
  'authorization-repeated': 12,
  'token-wrong': 13,
  'media-type': 20,
  'content-encoding': 21,
  'body-too-large': 22,
  'body-missing': 23,
  'json-malformed': 24,
  'json-repeated-key': 25,
  'body-not-an-object': 30,
  'name-missing': 31,
  'name-invalid': 32,
  'id-missing': 33,
  'id-invalid': 34,
  'id-out-of-range': 35,
  'tag-invalid': 36,
  'field-unknown': 37,
  'id-repeated': 40,
  'failure-preferred': 50,
} as const;

/** The name of a reason for which the reference server refuses a request. */
export type ErrorName = keyof typeof errorCodes;

/** Why a request is refused. */
export class Refusal {
  /**
   * @param reason its name in {@link errorCodes}
   * @param message a sentence that names the field and what it got
   */
  constructor(
    readonly reason: ErrorName,
    readonly message: string,
  ) {}
}

/** Whether a step refused, for one certain reason. */
export function isRefused(outcome: unknown, reason: ErrorName): outcome is Refusal {
  return outcome instanceof Refusal && outcome.reason === reason;
}
