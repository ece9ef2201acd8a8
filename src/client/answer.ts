import type { PlantStoreError as ErrorBody, Plant } from '../spec/types.js';
import { readJson } from '../validation/json.js';
import { validateResponse } from '../validation/response.js';
import type { Violation } from '../validation/violation.js';
import { PlantStoreError, UnexpectedAnswerError } from './errors.js';

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/**
 * The plant in an answer: `name` and `tag` only, whatever a newer provider may have added.
 *
 * @param token what may be in no message
 * @throws PlantStoreError where the answer is an Error
 * @throws UnexpectedAnswerError where it is neither
 */
export function plantIn(answer: Answer, token: string | undefined): Plant {
  const { status } = answer;
  if (departures(answer).length > 0)
    // Judged once more without the token: a message that shortens what it quotes could show a part of it.
    throw new UnexpectedAnswerError(status, departures(without(token, answer)));
  const read = readJson(answer.body);
  const value = (read.ok ? read.value : undefined) as unknown;
  if (status === 200) {
    const { name, tag } = value as Plant;
    return tag === undefined ? { name } : { name, tag };
  }
  const { error, message } = value as ErrorBody;
  throw new PlantStoreError(status, error, redacted(message, token));
}

/** What is wrong for a tolerant reader: it ignores further fields, and takes an Error with any status from 400 on. */
function departures(answer: Answer): Violation[] {
  return validateResponse(answer).filter(
    ({ keyword }) => keyword !== 'additionalProperties' && !(keyword === 'status' && answer.status >= 400),
  );
}

function without(token: string | undefined, { status, headers, body }: Answer): Answer {
  // Latin-1 keeps every byte, those of malformed UTF-8 as well.
  const text = redacted(Buffer.from(body).toString('latin1'), token);
  return {
    status,
    headers: headers.map(([name, value]) => [name, redacted(value, token)]),
    body: Buffer.from(text, 'latin1'),
  };
}

function redacted(text: string, token: string | undefined): string {
  return token === undefined ? text : text.replaceAll(token, '[token]');
}
