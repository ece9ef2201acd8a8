import { isRefused, type Refusal } from '../error-codes.js';
import type { Answer } from '../exchange.js';
import type { Steps } from '../steps.js';
import { defineFault } from './fault.js';

/** Changes how the refusal of malformed JSON goes out. */
function onMalformedJson(delivery: Answer['delivery'] & string) {
  return ({ refuse }: Steps): Partial<Steps> => ({
    refuse: (refusal: Refusal, request) => ({
      ...refuse(refusal, request),
      ...(isRefused(refusal, 'json-malformed') && { delivery }),
    }),
  });
}

/** Answers do not come, or do not come whole. */
export const socketFaults = [
  defineFault({
    name: 'hangs-on-malformed-json',
    title: 'Malformed JSON is never answered.',
    breaks: ['failure/refusal-is-4xx'],
    replace: onMalformedJson('hang'),
  }),
  defineFault({
    name: 'resets-on-malformed-json',
    title: 'Malformed JSON is answered by a reset of the connection.',
    breaks: ['failure/refusal-is-4xx'],
    replace: onMalformedJson('reset'),
  }),
  defineFault({
    name: 'truncates-answers',
    title: 'The answer to a creation ends in the middle of its body.',
    breaks: ['success/body-comes-whole'],
    replace: ({ render }) => ({
      render: (plant, request) => ({ ...render(plant, request), delivery: 'truncated' }),
    }),
  }),
  defineFault({
    name: 'truncates-errors',
    title: 'The answer to a refused request ends in the middle of its body.',
    breaks: ['failure/body-comes-whole'],
    replace: ({ refuse }) => ({
      refuse: (refusal, request) => ({ ...refuse(refusal, request), delivery: 'truncated' }),
    }),
  }),
  defineFault({
    name: 'counts-characters',
    title: 'The Content-Length of a creation counts characters where it has to count bytes.',
    breaks: ['success/body-comes-whole'],
    replace: ({ render }) => ({
      render: (plant, request) => ({ ...render(plant, request), delivery: 'short-length' }),
    }),
  }),
];
