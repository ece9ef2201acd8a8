import { headerValues } from '../../../src/http/fields.js';
import { Rejection } from '../../../src/server/error-codes.js';
import {
  changesTokenRejection,
  errorsFrom,
  quotesName,
  rejectsWith,
} from '../../../src/server/faults/errors.js';
import { withoutStrings } from '../../../src/server/faults/input.js';
import type { Faults } from '../../../src/server/faults/names.js';
import { withMediaType } from '../../../src/server/faults/responses.js';

/** Rejects a plant without an id with 500 if its name is of a certain kind. */
function failsOnName(isMeant: (name: string) => boolean) {
  return quotesName((name, response) => (isMeant(name) ? { ...response, status: 500 } : response));
}

const LONGEST_NAME = 1024;
const LONGEST_ERROR = 8000;

/** The response to a rejected request is wrong, or quotes the request and breaks. */
export const errorFaults = {
  'answers-error-with-fraction': {
    title: 'The "error" of an Error has a fraction.',
    breaks: ['failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: error + 0.5, message })),
  },
  'answers-html-to-wrong-token': {
    title: 'Only a missing or unknown token gets an HTML page.',
    breaks: ['failure/media-type-is-json', 'failure/body-is-an-error'],
    replace: changesTokenRejection((response) => ({
      ...withMediaType(response, 'text/html'),
      body: '<h1>Unauthorized</h1>',
    })),
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
