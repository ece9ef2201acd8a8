import { isRejected, type Rejection } from '../error-codes.js';
import type { OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';

/** Changes how the response to malformed JSON is sent. */
function onMalformedJson(delivery: OutgoingResponse['delivery'] & string) {
  return ({ reject }: Steps): Partial<Steps> => ({
    reject: (rejection: Rejection, request) => ({
      ...reject(rejection, request),
      ...(isRejected(rejection, 'json-malformed') && { delivery }),
    }),
  });
}

/** Responses are missing or incomplete. */
export const socketFaults = {
  'hangs-on-malformed-json': {
    title: 'Malformed JSON gets no response.',
    breaks: ['failure/refusal-is-4xx'],
    replace: onMalformedJson('hang'),
  },
  'resets-on-malformed-json': {
    title: 'Malformed JSON gets a connection reset.',
    breaks: ['failure/refusal-is-4xx'],
    replace: onMalformedJson('reset'),
  },
  'truncates-answers': {
    title: 'The response to a creation ends in the middle of its body.',
    breaks: ['success/body-comes-whole'],
    replace: ({ render }) => ({
      render: (plant, request) => ({ ...render(plant, request), delivery: 'truncate' }),
    }),
  },
  'truncates-errors': {
    title: 'The response to a rejected request ends in the middle of its body.',
    breaks: ['failure/body-comes-whole'],
    replace: ({ reject }) => ({
      reject: (rejection, request) => ({ ...reject(rejection, request), delivery: 'truncate' }),
    }),
  },
  'counts-characters': {
    title: 'The Content-Length of a creation counts characters instead of bytes.',
    breaks: ['success/body-comes-whole'],
    replace: ({ render }) => ({
      render: (plant, request) => ({ ...render(plant, request), delivery: 'short-length' }),
    }),
  },
} satisfies Faults;
