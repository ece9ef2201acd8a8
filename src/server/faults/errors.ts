import { headerValues } from '../../http/fields.js';
import { readJson } from '../../validation/json.js';
import { isObject } from '../../validation/json-value.js';
import { isRejected, Rejection } from '../error-codes.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Settings } from '../options.js';
import { rejecterFrom } from '../rejections.js';
import type { Steps } from '../steps.js';
import type { Faults, FaultTools } from './names.js';
import { withoutStrings } from './reading.js';
import { redirectToLogin, withMediaType } from './rendering.js';

/** Changes the response to a rejected request. */
function changesRejection(change: (response: OutgoingResponse, rejection: Rejection) => OutgoingResponse) {
  return ({ reject }: Steps): Partial<Steps> => ({
    reject: (rejection, request) => change(reject(rejection, request), rejection),
  });
}

/** Responds to a rejected request with another body. */
function rejectsWith(members: (error: number, message: string) => unknown) {
  return ({ reject }: Steps, { settings }: FaultTools): Partial<Steps> => {
    const errorOf = errorsFrom(settings);
    return {
      reject(rejection, request) {
        const body = JSON.stringify(members(errorOf(rejection), rejection.message));
        return { ...reject(rejection, request), body };
      },
    };
  };
}

/** The "error" of each rejection, as the options say. */
function errorsFrom(settings: Settings): (rejection: Rejection) => number {
  const respond = rejecterFrom(settings);
  return (rejection) => JSON.parse(String(respond(rejection).body)).error;
}

/** Changes only the response to a missing or unknown token. */
function changesTokenRejection(change: (response: OutgoingResponse) => OutgoingResponse) {
  return changesRejection((response, { reason }) =>
    /^(authorization|token)-/.test(reason) ? change(response) : response,
  );
}

/** The response to a rejected request is wrong. */
export const errorFaults = {
  'answers-html-errors': {
    title: 'An error response is an HTML page.',
    breaks: ['failure/media-type-is-json', 'failure/body-is-an-error'],
    replace: changesRejection((response) => ({
      ...withMediaType(response, 'text/html; charset=utf-8'),
      body: `<!doctype html><title>Error</title><pre>Error ${response.status}</pre>`,
    })),
  },
  'answers-problem-json': {
    title: 'The media type of an Error is application/problem+json.',
    breaks: ['failure/media-type-is-json'],
    replace: changesRejection((response) => withMediaType(response, 'application/problem+json')),
  },
  'answers-empty-errors': {
    title: 'An error response has no body.',
    breaks: ['failure/body-is-an-error'],
    replace: changesRejection((response) => ({ ...response, body: '' })),
  },
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
  'answers-error-as-text': {
    title: 'The "error" of an Error is a string.',
    breaks: ['failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: String(error), message })),
  },
  'answers-error-beyond-int32': {
    title: 'The "error" of an Error is 2^31 or more.',
    breaks: ['failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: error + 2 ** 31, message })),
  },
  'answers-error-with-fraction': {
    title: 'The "error" of an Error has a fraction.',
    breaks: ['failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: error + 0.5, message })),
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
  'nests-error': {
    title: 'The body contains the Error in a member "error".',
    breaks: ['failure/body-is-an-error', 'failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: { error, message } })),
  },
  'answers-500': {
    title: 'The status of every error response is 500.',
    // A large body that is valid is also rejected.
    breaks: ['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
    replace: changesRejection((response) => ({ ...response, status: 500 })),
  },
  'redirects-to-login': {
    title: 'A missing or unknown token gets a redirect to a login page.',
    breaks: ['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
    replace: changesTokenRejection(redirectToLogin),
  },
  'answers-html-401': {
    title: 'A missing or unknown token gets a 401 with an HTML page.',
    breaks: ['failure/other-4xx-is-json', 'failure/other-4xx-is-an-error'],
    replace: changesTokenRejection((response) => ({
      ...withMediaType(response, 'text/html'),
      status: 401,
      body: '<h1>Unauthorized</h1>',
    })),
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
  'answers-html-to-wrong-token': {
    title: 'Only a missing or unknown token gets an HTML page.',
    breaks: ['failure/media-type-is-json', 'failure/body-is-an-error'],
    replace: changesTokenRejection((response) => ({
      ...withMediaType(response, 'text/html'),
      body: '<h1>Unauthorized</h1>',
    })),
  },
} satisfies Faults;

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

/** Responds in another way to a plant that has a name and no id. */
function quotesName(quote: (name: string, response: OutgoingResponse, start: string) => OutgoingResponse) {
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

/** Rejects a plant without an id with 500 if its name is of a certain kind. */
function failsOnName(isMeant: (name: string) => boolean) {
  return quotesName((name, response) => (isMeant(name) ? { ...response, status: 500 } : response));
}

const LONGEST_NAME = 1024;
const LONGEST_ERROR = 8000;
/** A line break, and what looks like a header field. */
const FIELD = /\r\n([A-Za-z-]+): ([^\r\n]*)/;

/** The response to a rejected request quotes the request, and breaks. */
export const quotingFaults = {
  'quotes-names-unescaped': {
    title: 'The message of a missing id quotes the name without escaping it.',
    breaks: ['failure/body-is-an-error'],
    replace: quotesName((name, response, start) => ({ ...response, body: `${start}${name}"}` })),
  },
  'quotes-tokens-unescaped': {
    title: 'The message of a malformed or unknown token quotes it without escaping it.',
    breaks: ['failure/body-is-an-error'],
    replace: ({ reject }, { settings }) => {
      const errorOf = errorsFrom(settings);
      return {
        reject(rejection, request) {
          const response = reject(rejection, request);
          const [value] = headerValues(request.headers, 'authorization');
          if (value === undefined || !/^(?:authorization|token)-/.test(rejection.reason)) return response;
          return { ...response, body: `{"error":${errorOf(rejection)},"message":"not ${value}"}` };
        },
      };
    },
  },
  'cuts-names-in-characters': {
    title: `The message of a missing id quotes the first ${LONGEST_NAME} bytes of the name, and may end in the middle of a character.`,
    breaks: ['failure/body-is-an-error'],
    replace: quotesName((name, response, start) => {
      // Latin-1 keeps every byte, and an escape is whole.
      const cut = Buffer.from(name.toWellFormed()).subarray(0, LONGEST_NAME).toString('latin1');
      return { ...response, body: Buffer.from(`${start}${JSON.stringify(cut).slice(1, -1)}"}`, 'latin1') };
    }),
  },
  'cuts-long-errors-off': {
    title: `The message of a missing id quotes the name, and an error response of more than ${LONGEST_ERROR} bytes is incomplete.`,
    breaks: ['failure/body-comes-whole'],
    replace: quotesName((name, response, start) => {
      const body = `${start}${JSON.stringify(name).slice(1, -1)}"}`;
      const isLong = Buffer.byteLength(body) > LONGEST_ERROR;
      return { ...response, body, ...(isLong && { delivery: 'truncate' }) };
    }),
  },
  'formats-messages': {
    title: 'A name with a percent sign in a plant without an id leads to 500: it is used as a format.',
    breaks: ['failure/rare-input-is-answered'],
    replace: failsOnName((name) => name.includes('%')),
  },
  'fails-on-half-surrogates': {
    title: 'A name with half a surrogate pair in a plant without an id leads to 500: it is not UTF-8.',
    breaks: ['failure/rare-input-is-answered'],
    replace: failsOnName((name) => !name.isWellFormed()),
  },
  'fails-on-many-digits': {
    title: 'A number of more than 4,300 digits leads to 500.',
    breaks: ['failure/rare-input-is-answered'],
    replace: ({ readBody }) => ({
      readBody: (request) =>
        /\d{4301}/.test(withoutStrings(Buffer.from(request.body ?? []).toString('latin1')))
          ? new Rejection('internal-error', 'the number has too many digits')
          : readBody(request),
    }),
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
  'blocks-lookups-with-html': {
    title: 'A rejected request that looks like an attack on a logger gets a 403 with an HTML page.',
    breaks: ['failure/other-4xx-is-json', 'failure/other-4xx-is-an-error'],
    replace: ({ reject }) => ({
      reject(rejection, request) {
        const response = reject(rejection, request);
        return Buffer.from(request.body ?? []).includes('${jndi:')
          ? { ...withMediaType(response, 'text/html'), status: 403, body: '<h1>Forbidden</h1>' }
          : response;
      },
    }),
  },
} satisfies Faults;
