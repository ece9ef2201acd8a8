import type { Behaviour } from '../behaviour.js';
import type { Rejection } from '../error-codes.js';
import type { OutgoingResponse } from '../exchange.js';
import { rejecterFrom } from '../rejections.js';
import type { Steps } from '../steps.js';
import type { Faults, FaultTools } from './fault.js';
import { redirectToLogin, withMediaType } from './responses.js';

/** Changes the response to a rejected request. */
export function changesRejection(
  change: (response: OutgoingResponse, rejection: Rejection) => OutgoingResponse,
) {
  return ({ reject }: Steps): Partial<Steps> => ({
    reject: (rejection, request) => change(reject(rejection, request), rejection),
  });
}

/** Responds to a rejected request with another body. */
export function rejectsWith(members: (error: number, message: string) => unknown) {
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

/** Changes only the response to a missing or unknown token. */
export function changesTokenRejection(change: (response: OutgoingResponse) => OutgoingResponse) {
  return changesRejection((response, { reason }) =>
    /^(authorization|token)-/.test(reason) ? change(response) : response,
  );
}

/** The "error" of each rejection, as the options say. */
export function errorsFrom(settings: Behaviour): (rejection: Rejection) => number {
  const respond = rejecterFrom(settings);
  return (rejection) => JSON.parse(String(respond(rejection).body)).error;
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
  'answers-error-as-text': {
    title: 'The "error" of an Error is a string.',
    breaks: ['failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: String(error), message })),
  },
  'nests-error': {
    title: 'The body contains the Error in a member "error".',
    breaks: ['failure/body-is-an-error', 'failure/error-is-an-int32'],
    replace: rejectsWith((error, message) => ({ error: { error, message } })),
  },
  'answers-500': {
    title: 'The status of every error response is 500.',
    // A large body that is valid is also rejected, and so is a duplicate.
    breaks: [
      'failure/refusal-is-4xx',
      'failure/everyday-request-is-answered',
      'failure/rare-input-is-answered',
      'state/equal-ids-side-by-side',
    ],
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
} satisfies Faults;
