import { errorCodes, type Refusal } from '../error-codes.js';
import type { Answer } from '../exchange.js';
import type { Steps } from '../steps.js';
import { defineFault } from './fault.js';

/** Changes the finished answer to a refused request. */
function changesRefusal(change: (answer: Answer, refusal: Refusal) => Answer) {
  return ({ refuse }: Steps): Partial<Steps> => ({
    refuse: (refusal, request) => change(refuse(refusal, request), refusal),
  });
}

/** Answers a refusal with other members than those of an Error. */
function refusesWith(members: (error: number, message: string) => unknown) {
  return changesRefusal((answer, { reason, message }) => ({
    ...answer,
    body: JSON.stringify(members(errorCodes[reason], message)),
  }));
}

/** Changes only how a missing or wrong token is refused. */
function changesTokenRefusal(change: (answer: Answer) => Answer) {
  return changesRefusal((answer, { reason }) =>
    /^(authorization|token)-/.test(reason) ? change(answer) : answer,
  );
}

/** Refusals have the wrong form. */
export const errorFaults = [
  defineFault({
    name: 'answers-html-errors',
    title: 'A refusal is an HTML page.',
    breaks: ['failure/media-type-is-json', 'failure/body-is-an-error'],
    replace: changesRefusal(({ status }) => ({
      status,
      headers: ['content-type', 'text/html; charset=utf-8'],
      body: `<!doctype html><title>Error</title><pre>Error ${status}</pre>`,
    })),
  }),
  defineFault({
    name: 'answers-problem-json',
    title: 'An Error comes as application/problem+json.',
    breaks: ['failure/media-type-is-json'],
    replace: changesRefusal((answer) => ({
      ...answer,
      headers: ['content-type', 'application/problem+json'],
    })),
  }),
  defineFault({
    name: 'answers-empty-errors',
    title: 'A refusal has no body.',
    breaks: ['failure/body-is-an-error'],
    replace: changesRefusal((answer) => ({ ...answer, body: '' })),
  }),
  defineFault({
    name: 'omits-error',
    title: 'An Error has no "error".',
    breaks: ['failure/body-is-an-error'],
    replace: refusesWith((_error, message) => ({ message })),
  }),
  defineFault({
    name: 'omits-message',
    title: 'An Error has no "message".',
    breaks: ['failure/body-is-an-error'],
    replace: refusesWith((error) => ({ error })),
  }),
  defineFault({
    name: 'answers-error-as-text',
    title: 'The "error" of an Error is text.',
    breaks: ['failure/error-is-an-int32'],
    replace: refusesWith((error, message) => ({ error: String(error), message })),
  }),
  defineFault({
    name: 'answers-error-beyond-int32',
    title: 'The "error" of an Error is 2^31 or more.',
    breaks: ['failure/error-is-an-int32'],
    replace: refusesWith((error, message) => ({ error: error + 2 ** 31, message })),
  }),
  defineFault({
    name: 'answers-error-with-fraction',
    title: 'The "error" of an Error has a fraction.',
    breaks: ['failure/error-is-an-int32'],
    replace: refusesWith((error, message) => ({ error: error + 0.5, message })),
  }),
  defineFault({
    name: 'answers-message-list',
    title: 'The "message" of an Error is a list.',
    breaks: ['failure/message-is-a-string'],
    replace: refusesWith((error, message) => ({ error, message: [message] })),
  }),
  defineFault({
    name: 'answers-null-message',
    title: 'The "message" of an Error is null.',
    breaks: ['failure/message-is-a-string'],
    replace: refusesWith((error) => ({ error, message: null })),
  }),
  defineFault({
    name: 'nests-error',
    title: 'The Error is a member "error" of the body.',
    breaks: ['failure/body-is-an-error', 'failure/error-is-an-int32'],
    replace: refusesWith((error, message) => ({ error: { error, message } })),
  }),
  defineFault({
    name: 'answers-500',
    title: 'Every refusal is a 500.',
    breaks: ['failure/refusal-is-4xx'],
    replace: changesRefusal((answer) => ({ ...answer, status: 500 })),
  }),
  defineFault({
    name: 'redirects-to-login',
    title: 'A missing or wrong token is answered by a redirect to a login page.',
    breaks: ['failure/refusal-is-4xx'],
    replace: changesTokenRefusal(() => ({ status: 302, headers: ['location', '/login'], body: '' })),
  }),
  defineFault({
    name: 'answers-html-to-wrong-token',
    title: 'Only a missing or wrong token is refused with an HTML page.',
    breaks: ['failure/media-type-is-json', 'failure/body-is-an-error'],
    replace: changesTokenRefusal(({ status }) => ({
      status,
      headers: ['content-type', 'text/html'],
      body: '<h1>Unauthorized</h1>',
    })),
  }),
];
