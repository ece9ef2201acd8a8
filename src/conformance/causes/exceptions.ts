import { headerValues } from '../../http/fields.js';
import type { Exchange, ProbeRequest } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import { isValidPlant } from '../rules/validity.js';
import type { BrokenRule, Cause } from './cause.js';

/** Statuses that a gateway returns if the server behind it fails, or if a limit is reached. */
const GATEWAY_ERRORS: ReadonlySet<number> = new Set([502, 503, 504]);

/** Exceptions, crashes and redirects where a response was due. */
export const exceptionCauses: readonly Cause[] = [
  {
    id: 'gateway-fails-on-a-valid-plant',
    fix: 'Look into the logs of the gateway and of the provider. A gateway that limits the rate responds with 429, not with 503.',
    explain: (broken) =>
      isOfValidPlant(broken) && GATEWAY_ERRORS.has(broken.exchange.response?.status ?? 0)
        ? 'A valid plant gets a 502, 503 or 504: the provider is down or too slow, or a gateway limits the rate.'
        : undefined,
  },
  {
    id: 'exception-on-a-valid-plant',
    fix: 'Look for the exception in the log of the provider, and handle it. A 400 would be wrong too: the plant is valid.',
    explain: (broken) =>
      isOfValidPlant(broken) && isServerError(broken.exchange)
        ? 'A valid plant causes an exception that is not caught.'
        : undefined,
  },
  {
    id: 'no-response-to-a-valid-plant',
    fix: 'Look into the log of the provider: why does the handler, or the whole process, end without a response?',
    explain: (broken) => {
      const { failure } = broken.exchange;
      if (!isOfValidPlant(broken) || failure === undefined) return undefined;
      return failure.kind === 'timeout'
        ? 'A valid plant gets no response in time.'
        : 'A valid plant closes the connection. The process may have crashed.';
    },
  },
  {
    id: 'unhandled-exception',
    fix: 'Validate the input before you use it, and return 400 if it is invalid.',
    explain: ({ rule, exchange }) =>
      rule === 'failure/refusal-is-4xx' && isServerError(exchange)
        ? 'Invalid input causes an exception that is not caught.'
        : undefined,
  },
  {
    id: 'no-response',
    fix: 'Send a response on every path through the handler, even after an exception. If it only takes longer, see --timeout.',
    explain: ({ rule, exchange: { failure } }) => {
      if (rule !== 'failure/refusal-is-4xx' || failure === undefined) return undefined;
      return failure.kind === 'timeout'
        ? 'A request that must be rejected gets no response in time. An exception may have ended the handler.'
        : 'A request that must be rejected closes the connection. The process may have crashed.';
    },
  },
  {
    id: 'login-page',
    fix: 'Return a 4xx with an Error for a missing or wrong token. Redirects are for browsers.',
    explain: ({ rule, exchange }, facts) => {
      if (rule !== 'failure/refusal-is-4xx' || exchange.response === undefined) return undefined;
      if (!isAboutToken(exchange, facts)) return undefined;
      return Math.trunc(exchange.response.status / 100) === 3
        ? 'The request is redirected, perhaps to a login page.'
        : undefined;
    },
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

function isServerError({ response }: Exchange): boolean {
  return (response?.status ?? 0) >= 500;
}
