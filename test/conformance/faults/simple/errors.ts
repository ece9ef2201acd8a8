import { isRejected, type Rejection } from '../../../../src/server/error-codes.js';
import type { IncomingRequest, OutgoingResponse } from '../../../../src/server/exchange.js';
import {
  changesRejection,
  changesTokenRejection,
  errorsFrom,
  rejectsWith,
} from '../../../../src/server/faults/errors.js';
import type { Faults, FaultTools } from '../../../../src/server/faults/fault.js';
import { withMediaType } from '../../../../src/server/faults/responses.js';
import type { Steps } from '../../../../src/server/steps.js';
import { readJson } from '../../../../src/validation/json.js';
import { isObject } from '../../../../src/validation/json-value.js';

/** Responds in another way to a plant that has a name and no id. */
export function quotesName(
  quote: (name: string, response: OutgoingResponse, start: string) => OutgoingResponse,
) {
  return ({ reject }: Steps, { settings }: FaultTools): Partial<Steps> => {
    const errorOf = errorsFrom(settings);
    return {
      reject(rejection, request) {
        const response = reject(rejection, request);
        const name = nameWithoutId(rejection, request);
        if (name === undefined) return response;
        return quote(name, response, `{"error":${errorOf(rejection)},"message":"no id: `);
      },
    };
  };
}

/** The name in a plant that is rejected because it has no id. */
function nameWithoutId(
  rejection: Rejection,
  { body = new Uint8Array() }: IncomingRequest,
): string | undefined {
  if (!isRejected(rejection, 'id-missing')) return undefined;
  const read = readJson(body);
  const name = read.ok && isObject(read.value) ? read.value.name : undefined;
  return typeof name === 'string' ? name : undefined;
}

/** A line break, and what looks like a header field. */
const FIELD = /\r\n([A-Za-z-]+): ([^\r\n]*)/;

/** The response to a rejected request is wrong. */
export const errorFaults = {
  'omits-error': {
    title: 'An Error has no "error".',
    breaks: ['failure/body-is-an-error'],
    replace: rejectsWith((_error, message) => ({ message })),
  },
  'omits-message': {
    title: 'An Error has no "message".',
    breaks: ['failure/body-is-an-error'],
    replace: rejectsWith((error) => ({ error })),
  },
  'answers-error-beyond-int32': {
    title: 'The "error" of an Error is 2^31 or more.',
    breaks: ['failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: error + 2 ** 31, message })),
  },
  'answers-message-list': {
    title: 'The "message" of an Error is an array.',
    breaks: ['failure/message-is-a-string'],
    replace: rejectsWith((error, message) => ({ error, message: [message] })),
  },
  'answers-null-message': {
    title: 'The "message" of an Error is null.',
    breaks: ['failure/message-is-a-string'],
    replace: rejectsWith((error) => ({ error, message: null })),
  },
  'answers-problem-json-401': {
    title: 'A missing or unknown token gets a 401 whose Error is application/problem+json.',
    breaks: ['failure/other-4xx-is-json'],
    replace: changesTokenRejection((response) => ({
      ...withMediaType(response, 'application/problem+json'),
      status: 401,
    })),
  },
  'answers-422-with-details': {
    title: 'An invalid plant gets a 422 with a list "detail" instead of an Error.',
    breaks: ['failure/other-4xx-is-an-error'],
    replace: changesRejection((response, { reason, message }) =>
      /^(?:name|id|tag)-/.test(reason)
        ? { ...response, status: 422, body: JSON.stringify({ detail: [{ msg: message }] }) }
        : response,
    ),
  },
  'quotes-names-unescaped': {
    title: 'The message of a missing id quotes the name without escaping it.',
    breaks: ['failure/body-is-an-error'],
    replace: quotesName((name, response, start) => ({ ...response, body: `${start}${name}"}` })),
  },
  'splits-headers': {
    title: 'The name of a plant without an id is put into a header field, with its line breaks.',
    breaks: ['failure/text-stays-in-the-body'],
    replace: quotesName((name, response) => {
      const [, field, value] = FIELD.exec(name) ?? [];
      return field === undefined || value === undefined
        ? response
        : { ...response, headers: [...response.headers, field, value] };
    }),
  },
} satisfies Faults;
