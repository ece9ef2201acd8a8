import { headerValues } from '../../http/fields.js';
import { isObject } from '../../validation/json-value.js';
import { jsonOf, membersOf } from '../body.js';
import {
  type Exchange,
  isAccepted,
  isValidPlant,
  objectIn,
  type ProbeRequest,
  plantIn,
} from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import type { BrokenRule, Cause } from './cause.js';
import { authorOf } from './frameworks.js';
import { idCauses, keyCauses, stringCauses, typeCauses } from './values.js';

const authenticationCauses: readonly Cause[] = [
  {
    id: 'nothing-is-authenticated',
    fix: 'Require a bearer token on POST /plants, and verify it.',
    cause: 'The provider does not authenticate requests: it accepts a wrong token and no token.',
    explains: ({ rule }, facts) =>
      rule.startsWith('auth/') && facts.accepted('no-authorization') && facts.accepted('wrong-token'),
  },
  {
    id: 'token-is-not-verified',
    fix: 'Verify the token itself, not only that there is one.',
    cause: 'The provider checks that there is a bearer token, but not which one.',
    explains: ({ rule }, facts) =>
      /^auth\/(?:wrong|near-miss|percent-encoded)-token-is-refused$/.test(rule) &&
      facts.accepted('wrong-token'),
  },
];

/** Responses to creations that are not the plant. */
const creationCauses: readonly Cause[] = [
  {
    id: 'response-is-an-example',
    fix: 'Return the plant of the request. A mock that returns examples is not a provider.',
    cause: 'The response is a fixed example: it is the same for every plant.',
    explains: ({ rule }, facts) => /-comes?-back$|stays-absent$/.test(rule) && isResponseFixed(facts),
  },
  {
    id: 'record-is-serialised-whole',
    fix: 'Define a type for the response that has only "name" and "tag".',
    cause: 'The whole stored record is serialised, with fields that a Plant does not have.',
    explains: ({ rule, exchange }) => rule === 'success/plant-fields-only' && isRecord(exchange),
  },
  {
    id: 'absent-tag-is-null',
    fix: 'Leave the member "tag" out if the plant has no tag.',
    cause: 'A missing tag is serialised as null.',
    explains: ({ rule, exchange }) =>
      (rule === 'success/absent-tag-stays-absent' || rule === 'success/body-is-a-plant') &&
      plantIn(exchange)?.tag === null,
  },
];

/** Whether the response has the name of the plant, so that its other fields stand beside it. */
function isRecord(exchange: Exchange): boolean {
  return objectIn(exchange)?.name !== undefined;
}

/** Bodies are compared without copies: a hostile provider may make all of them long. */
function isResponseFixed({ exchanges }: Facts): boolean {
  const created = exchanges.filter(
    (exchange) => isAccepted(exchange) && exchange.request.plant !== undefined,
  );
  const sent = new Set(created.map(({ request }) => request.plant?.name));
  const [first, ...others] = created.map(({ response }) => response?.body ?? new Uint8Array());
  return sent.size > 2 && first !== undefined && others.every((body) => Buffer.compare(first, body) === 0);
}

/** Statuses that a gateway returns if the server behind it fails, or if a limit is reached. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/** Exceptions, crashes and redirects where a response was due. */
const exceptionCauses: readonly Cause[] = [
  {
    id: 'gateway-fails-on-a-valid-plant',
    fix: 'Look into the logs of the gateway and of the provider. A gateway that limits the rate responds with 429, not with 503.',
    cause:
      'A valid plant gets a 502, 503 or 504: the provider is down or too slow, or a gateway limits the rate.',
    explains: (broken) => isOfValidPlant(broken) && GATEWAY_ERRORS.has(broken.exchange.response?.status ?? 0),
  },
  {
    id: 'exception-on-a-valid-plant',
    fix: 'Look for the exception in the log of the provider, and handle it. A 400 would be wrong too: the plant is valid.',
    cause: 'A valid plant causes an exception that is not caught.',
    explains: (broken) => isOfValidPlant(broken) && isServerError(broken.exchange),
  },
  {
    id: 'no-response-to-a-valid-plant',
    fix: 'Look into the log of the provider: why does the handler, or the whole process, end without a response?',
    cause: ({ exchange }) =>
      exchange.failure?.kind === 'timeout'
        ? 'A valid plant gets no response in time.'
        : 'A valid plant closes the connection. The process may have crashed.',
    explains: (broken) => isOfValidPlant(broken) && broken.exchange.failure !== undefined,
  },
  {
    id: 'unhandled-exception',
    fix: 'Validate the input before you use it, and return 400 if it is invalid.',
    cause: 'Invalid input causes an exception that is not caught.',
    explains: ({ rule, exchange }) => isAboutRefusal(rule) && isServerError(exchange),
  },
  {
    id: 'no-response',
    fix: 'Send a response on every path through the handler, even after an exception. If it only takes longer, see --timeout.',
    cause: ({ exchange }) =>
      exchange.failure?.kind === 'timeout'
        ? 'A request that must be rejected gets no response in time. An exception may have ended the handler.'
        : 'A request that must be rejected closes the connection. The process may have crashed.',
    explains: ({ rule, exchange }) => isAboutRefusal(rule) && exchange.failure !== undefined,
  },
  {
    id: 'login-page',
    fix: 'Return a 4xx with an Error for a missing or wrong token. Redirects are for browsers.',
    cause: 'The request is redirected, perhaps to a login page.',
    explains: ({ rule, exchange }, facts) =>
      isAboutRefusal(rule) &&
      Math.trunc((exchange.response?.status ?? 0) / 100) === 3 &&
      isAboutToken(exchange, facts),
  },
];

/** Whether a valid plant failed. Rules about state have causes of their own. */
function isOfValidPlant({ rule, exchange }: BrokenRule): boolean {
  return /^(?:success|request)\//.test(rule) && isValidPlant(exchange);
}

/** Whether a request has other credentials than the first of all, which is right. */
function isAboutToken({ request }: Exchange, facts: Facts): boolean {
  const [plain] = facts.of('plain-plant');
  const credentials = ({ headers }: ProbeRequest): string =>
    headerValues(headers, 'authorization').join('\n');
  return plain !== undefined && credentials(request) !== credentials(plain.request);
}

/** Whether a rule is about what a rejection is, and not about its body. */
function isAboutRefusal(rule: string): boolean {
  return rule === 'failure/refusal-is-4xx' || rule === 'failure/rare-input-is-answered';
}

function isServerError({ response }: Exchange): boolean {
  return (response?.status ?? 0) >= 500;
}

const failureBodyCauses: readonly Cause[] = [
  {
    id: 'error-is-nested',
    fix: 'Put the integer "error" and the string "message" at the top level of the body.',
    cause: 'The fields of the Error are inside another object, "error".',
    explains: ({ rule, exchange: { response } }) =>
      isAboutBody(rule) && isObject(membersOf(response && jsonOf(response))?.error),
  },
  {
    id: 'framework-error-page',
    fix: 'Register an error handler, also for failures before routing, that returns "error" and "message" as application/json.',
    cause: ({ exchange }, facts) => errorPage(exchange, facts) ?? '',
    explains: ({ rule, exchange }, facts) => isAboutBody(rule) && errorPage(exchange, facts) !== undefined,
  },
];

function isAboutBody(rule: string): boolean {
  return rule.startsWith('failure/') && !isAboutRefusal(rule);
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

/** The known causes. The first one that explains a failure is reported, so the most specific ones are first. */
export const causes: readonly Cause[] = [
  ...authenticationCauses,
  ...creationCauses,
  ...keyCauses,
  ...idCauses,
  ...exceptionCauses,
  ...failureBodyCauses,
  ...typeCauses,
  ...stringCauses,
];
