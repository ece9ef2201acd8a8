import { headerValues } from '../../http/fields.js';
import { isObject } from '../../validation/json-value.js';
import type { Exchange } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { jsonOf } from '../response-body.js';
import type { Cause } from './cause.js';
import { authorOf } from './frameworks.js';

/** Bodies of failures that are not Errors. */
export const failureBodyCauses: readonly Cause[] = [
  {
    id: 'error-is-nested',
    fix: 'Put the integer "error" and the string "message" at the top level of the body.',
    explain: ({ rule, exchange: { response } }) => {
      const read = isAboutBody(rule) && response !== undefined ? jsonOf(response) : undefined;
      return read?.ok && isObject(read.value) && isObject(read.value.error)
        ? 'The fields of the Error are inside another object, "error".'
        : undefined;
    },
  },
  {
    id: 'framework-error-page',
    fix: 'Register an error handler, also for failures before routing, that returns "error" and "message" as application/json.',
    explain: ({ rule, exchange }, facts) => (isAboutBody(rule) ? errorPage(exchange, facts) : undefined),
  },
];

function isAboutBody(rule: string): boolean {
  return rule.startsWith('failure/') && rule !== 'failure/refusal-is-4xx';
}

/** What a failure is, if its body was not written for this interface. */
function errorPage({ response }: Exchange, facts: Facts): string | undefined {
  if (response === undefined) return undefined;
  const author = authorOf(response, facts);
  if (author !== undefined) return `Failures are the default responses of ${author}, not Errors.`;
  if (response.body.length === 0) return 'Failures have no body.';
  const mediaType =
    headerValues(response.headers, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/problem+json') return 'Failures are problem details (RFC 9457), not Errors.';
  if (/html/.test(mediaType)) return 'Failures are HTML pages, not Errors.';
  return mediaType.startsWith('text/') ? 'Failures are plain text, not Errors.' : undefined;
}
