import { headerValues } from '../../http/fields.js';
import { readJson } from '../../validation/json.js';
import { isObject } from '../../validation/json-value.js';
import { isRejected, Rejection } from '../error-codes.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import { errorsFrom } from './errors.js';
import type { Faults, FaultTools } from './names.js';
import { withoutStrings } from './reading.js';
import { withMediaType } from './rendering.js';

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
    breaks: ['failure/refusal-is-4xx'],
    replace: failsOnName((name) => name.includes('%')),
  },
  'fails-on-half-surrogates': {
    title: 'A name with half a surrogate pair in a plant without an id leads to 500: it is not UTF-8.',
    breaks: ['failure/refusal-is-4xx'],
    replace: failsOnName((name) => !name.isWellFormed()),
  },
  'fails-on-many-digits': {
    title: 'A number of more than 4,300 digits leads to 500.',
    breaks: ['failure/refusal-is-4xx'],
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
