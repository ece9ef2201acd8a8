import type { ReceivedResponse } from '../../http/send.js';
import { createRedactor } from '../../report/redaction.js';
import type { PlantStoreError as ErrorBody, Plant } from '../../spec/types.js';
import { readJson } from '../../validation/json.js';
import { validateResponse } from '../../validation/response.js';
import type { Violation } from '../../validation/violation.js';
import { PlantStoreError, UnexpectedResponseError } from './errors.js';

/**
 * The plant in a response: `name` and `tag` only. A newer provider may send more fields.
 *
 * @param token is redacted in all messages
 * @throws PlantStoreError if the response is an Error
 * @throws UnexpectedResponseError if it is neither a Plant nor an Error
 */
export function plantIn(response: ReceivedResponse, token: string | undefined): Plant {
  const { status } = response;
  const redactor = createRedactor(token === undefined ? [] : [{ value: token, shown: '[token]' }]);
  const violations = violationsIn(response).map((violation) => ({
    ...violation,
    message: redactor.message(violation.message),
    actual: redactor.message(violation.actual),
  }));
  if (violations.length > 0) throw new UnexpectedResponseError(status, violations);
  const read = readJson(response.body);
  const value = (read.ok ? read.value : undefined) as unknown;
  if (status === 200) {
    const { name, tag } = value as Plant;
    return tag === undefined ? { name } : { name, tag };
  }
  const { error, message } = value as ErrorBody;
  throw new PlantStoreError(status, error, redactor.message(message));
}

/** The client is tolerant: it ignores further fields, and accepts an Error with any status of 400 or above. */
function violationsIn(response: ReceivedResponse): Violation[] {
  const status = Math.min(response.status, 400);
  return validateResponse({ ...response, status }).filter(
    ({ keyword }) => keyword !== 'additionalProperties',
  );
}
