import { headerValues } from '../../http/fields.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import type { Impact } from '../../report/frame.js';
import { capitalised, listed } from '../../report/wording.js';
import { type Exchange, isAccepted } from '../exchange.js';
import type { Failure } from '../judging/judge.js';
import type { AnyDemand } from '../rule.js';
import type { DemandId } from '../rules/index.js';
import { objectIn } from '../rules/responses.js';

// What breaks a rule, in words: the fact, and who is hurt by it. The rules say what is required, and the causes why a
// provider breaks them.

/** What a rule that is broken means, if it is not that one request is accepted or not. */
type Fact = string | ((failure: Failure) => string);

const FACTS: Readonly<Partial<Record<DemandId, Fact>>> = {
  'auth/response-depends-on-token':
    'A request with an unknown token is accepted after the same request with the right one.',
  'auth/connection-is-not-authenticated':
    'A request without a token is accepted on a connection that carried the right token before.',
  'success/status-is-200': ({ exchange }) => `Creating a plant ${endOf(exchange)} instead of 200.`,
  'success/body-comes-whole': 'The body of a 200 is not as long as its Content-Length or its chunks say.',
  'success/media-type-is-json': wrongMediaType,
  'success/body-is-json': ({ exchange }) =>
    exchange.response?.received === 0 ? 'A 200 has no body.' : 'The body of a 200 is not JSON.',
  'success/body-is-a-plant': ({ actual }) =>
    `The response is not a Plant: ${actual.replace(/^2\d\d: /, '')}.`,
  'success/plant-fields-only': ({ exchange }) => `The response has ${furtherFields(exchange)}.`,
  'success/name-comes-back': 'The name in the response is not the one in the request.',
  'success/tag-comes-back': 'The tag in the response is not the one in the request.',
  'success/texts-come-back': 'A name or a tag is changed before it comes back.',
  'success/absent-tag-stays-absent': 'A plant without a tag comes back with a tag.',
  'request/ids-are-exact': 'Two different ids count as the same id.',
  'request/keys-are-exact': 'A key that only resembles the name of a field is read as this field.',
  'request/unknown-members-change-nothing': 'An unknown field changes the plant.',
  'request/shorter-bodies-are-accepted': 'A body is rejected, although a longer one is accepted.',
  'failure/body-comes-whole': 'The body of a failure is not as long as its Content-Length or its chunks say.',
  'failure/media-type-is-json': wrongMediaType,
  'failure/other-4xx-is-json': wrongMediaType,
  'failure/body-is-an-error': notAnError,
  'failure/other-4xx-is-an-error': notAnError,
  'failure/error-is-an-int32': 'The "error" of a 400 is not an int32.',
  'failure/message-is-a-string': 'The "message" of a 400 is not a string.',
  'failure/text-stays-in-the-body': 'Text of a request becomes a header field of its response.',
  'state/provider-keeps-responding': 'The provider stops responding.',
  'state/no-intermittent-failures': 'Valid plants fail now and then.',
  'state/bad-request-spoils-nothing': 'A valid plant fails after an invalid request.',
  'state/refused-plant-is-not-stored': 'A rejected plant is stored: its id can no longer be used.',
  'state/duplicates-are-treated-alike': 'A duplicate id is rejected at one time and accepted at another.',
  'state/equal-ids-side-by-side':
    'A duplicate id is accepted in concurrent requests, and rejected in sequential ones.',
  'state/concurrent-plants-are-accepted': 'A valid plant fails beside concurrent requests.',
  'state/answers-do-not-mix': 'A request gets the response to another request.',
};

/**
 * What happened, as a sentence: "A plain plant without an Authorization header is accepted."
 *
 * @param sent what was sent, as a noun, and how many requests that is
 */
export function factOf(
  { id, level, title }: AnyDemand,
  failure: Failure,
  sent: { readonly title: string; readonly count: number },
): string {
  if (level === HOUSE_LEVEL) return `A house rule is broken: ${title}`;
  const fact = FACTS[id as DemandId];
  if (typeof fact === 'string') return fact;
  if (fact !== undefined) return fact(failure);
  const subject = capitalised(sent.title);
  return endInWords(failure.exchange, sent.count === 1 ? subject : `${subject}: one of them`);
}

function endInWords(exchange: Exchange, sent: string): string {
  if (exchange.expectation !== 'rejected') return `${sent} ${endOf(exchange)} instead of 200.`;
  return isAccepted(exchange) ? `${sent} is accepted.` : `${sent} ${endOf(exchange)} instead of a 4xx.`;
}

function endOf({ response, failure }: Exchange): string {
  if (response !== undefined) return `returns ${response.status}`;
  return failure?.kind === 'timeout' ? 'gets no response in time' : 'gets no response';
}

function wrongMediaType({ exchange: { response } }: Failure): string {
  const [type] = response === undefined ? [] : headerValues(response.headers, 'content-type');
  const status = response?.status === 200 ? 'a 200' : `a ${response?.status}`;
  return type === undefined
    ? `The body of ${status} has no media type.`
    : `The media type of ${status} is ${type} instead of application/json.`;
}

function notAnError({ exchange: { response } }: Failure): string {
  return `The body of a ${response?.status} is not an Error.`;
}

/** So many fields are named. */
const MOST_FIELDS = 3;

function furtherFields(exchange: Exchange): string {
  const keys = Object.keys(objectIn(exchange) ?? {}).filter((key) => key !== 'name' && key !== 'tag');
  if (keys.length === 0 || keys.length > MOST_FIELDS || keys.some((key) => !/^\w{1,30}$/.test(key)))
    return 'fields that a Plant does not have';
  const which = keys.length === 1 ? 'which is no field' : 'which are no fields';
  return `${listed(keys.map((key) => `"${key}"`))}, ${which} of a Plant`;
}

/** Rules that only unusual requests break. Clients do not send these by themselves. */
const UNUSUAL: ReadonlySet<string> = new Set<DemandId>([
  'request/spelling-of-json-is-ignored',
  'request/media-type-case-is-ignored',
  'request/near-json-is-refused',
  'request/nothing-follows-the-json',
  'request/keys-are-exact',
  'request/unknown-members-change-nothing',
  'request/transfer-makes-no-difference',
  'request/shorter-bodies-are-accepted',
  'failure/text-stays-in-the-body',
  'state/duplicates-are-treated-alike',
  'state/equal-ids-side-by-side',
]);

/** Who is hurt if a rule is broken. */
export function impactOf({ id, level }: AnyDemand, { expectation }: Exchange): Impact {
  if (level === HOUSE_LEVEL) return 'house';
  if (UNUSUAL.has(id)) return 'unusual';
  if (id.startsWith('auth/')) return 'callers';
  if (id.startsWith('failure/')) return 'errors';
  return id.startsWith('request/') && expectation === 'rejected' ? 'input' : 'clients';
}
