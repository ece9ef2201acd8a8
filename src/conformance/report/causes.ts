import { isDeepStrictEqual } from 'node:util';
import { headerValues } from '../../http/fields.js';
import { readJson } from '../../validation/json.js';
import { isObject, type JsonValue } from '../../validation/json-value.js';
import { jsonOf, membersOf } from '../body.js';
import { type Exchange, isAccepted, isValidPlant, plantIn } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import type { RuleId } from '../rule.js';
import { authorOf } from './frameworks.js';

/** An exchange, a rule that it breaks, and the framework of the provider, if its responses show it. */
interface BrokenRule {
  readonly rule: RuleId;
  readonly exchange: Exchange;
  readonly framework: string | undefined;
}

/** A mistake that rules share: what they have in common is one finding. */
export interface Cause {
  /** It never changes. */
  readonly id: string;
  /** The rules that it may break. */
  readonly breaks: RegExp;
  /** The cause as a sentence, or a function that says it of a failure. */
  readonly cause: string | ((broken: BrokenRule) => string);
  /** A sentence in the imperative. */
  readonly fix: string;
  /** Whether a failure shows it. Default: each failure of these rules does. */
  shows?(broken: BrokenRule, facts: Facts): boolean;
}

/** The known cause of a failure, and its fix: the first one that its exchange shows. */
export function causeOf(broken: BrokenRule, facts: Facts) {
  const known = causes.find(
    ({ breaks, shows = () => true }) => breaks.test(broken.rule) && shows(broken, facts),
  );
  if (known === undefined) return undefined;
  const { id, cause, fix } = known;
  return { id, cause: typeof cause === 'string' ? cause : cause(broken), fix };
}

const UINT32_END = 2n ** 32n;
const DOUBLE_END = 2n ** 53n;

/** Rules that a valid plant breaks. Rules about state have causes of their own. */
const VALID = /^(?:success|request)\//;

const FAILURE_BODIES = /^failure\/(?!refusal-is-4xx|rare-input-is-answered)/;

/** Rules about what a rejection is, and not about its body. */
const REFUSAL = /^failure\/(?:refusal-is-4xx|rare-input-is-answered)$/;

/** Rules about the type of a field. */
const TYPES = /^request\/(?:(?:name|id|tag)-is-an?-|null-tag-)/;

/** Statuses that a gateway returns if the server behind it fails, or if a limit is reached. */
const GATEWAY_ERRORS: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** The known causes. The first one that explains a failure is reported, so the most specific ones are first. */
export const causes: readonly Cause[] = [
  {
    id: 'nothing-is-authenticated',
    breaks: /^auth\//,
    cause: 'The provider does not authenticate requests: it accepts a wrong token and no token.',
    fix: 'Require a bearer token on POST /plants, and verify it.',
    shows: (_, facts) => facts.accepted('no-authorization') && facts.accepted('wrong-token'),
  },
  {
    id: 'token-is-not-verified',
    breaks: /^auth\/(?:wrong|near-miss|percent-encoded)-token-is-refused$/,
    cause: 'The provider checks that there is a bearer token, but not which one.',
    fix: 'Verify the token itself, not only that there is one.',
    shows: (_, facts) => facts.accepted('wrong-token'),
  },
  // Responses to creations that are not the plant.
  {
    id: 'response-is-an-example',
    breaks: /-comes?-back$|stays-absent$/,
    cause: 'The response is a fixed example: it is the same for every plant.',
    fix: 'Return the plant of the request. A mock that returns examples is not a provider.',
    shows: (_, facts) => isResponseFixed(facts),
  },
  {
    id: 'absent-tag-is-null',
    breaks: /^success\/(?:absent-tag-stays-absent|body-is-a-plant)$/,
    cause: 'A missing tag is serialised as null.',
    fix: 'Leave the member "tag" out if the plant has no tag.',
    shows: ({ exchange }) => plantIn(exchange)?.tag === null,
  },
  // Ids in too few bits, or in a double.
  {
    id: 'id-in-32-bits',
    // A database may also fail on an id that its column cannot hold.
    breaks: /^(?:request\/(?:int64-ids-are-accepted|ids-are-exact)|success\/valid-plant-is-processed)$/,
    cause: 'The id is stored in 32 bits.',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    // An integer without a sign ends at 2^32, one with a sign already at 2^31.
    shows({ rule, exchange }, facts) {
      if (rule === 'request/ids-are-exact') return areAlike(exchange, facts, (id) => BigInt.asUintN(32, id));
      if (isAbove(UINT32_END / 2n, exchange) && largestId(facts) < UINT32_END) return true;
      return rule === 'request/int64-ids-are-accepted' && facts.rejected('ids-alike-in-32-bits', 1);
    },
  },
  {
    id: 'id-through-a-double',
    breaks: /^request\/(?:int64-ids-are-accepted|ids-are-exact|id-is-within-int64)$/,
    cause: 'The id is converted to a double, which is exact only up to 2^53.',
    fix: 'Read ids as 64-bit integers, from the text of the number: BigInt in JavaScript, int64 in Go, long in Java and C#.',
    shows({ rule, exchange }, facts) {
      if (rule === 'request/ids-are-exact') return areAlike(exchange, facts, Number);
      const isTooLarge = isAbove(DOUBLE_END, exchange) && largestId(facts) < DOUBLE_END;
      return (
        (isTooLarge && rule !== 'request/id-is-within-int64') || facts.rejected('ids-alike-as-doubles', 1)
      );
    },
  },
  // Exceptions, crashes and redirects where a response was due.
  {
    id: 'gateway-fails-on-a-valid-plant',
    breaks: VALID,
    cause:
      'A valid plant gets a 502, 503 or 504: the provider is down or too slow, or a gateway limits the rate.',
    fix: 'Look into the logs of the gateway and of the provider. A gateway that limits the rate responds with 429, not with 503.',
    shows: ({ exchange }) => isValidPlant(exchange) && GATEWAY_ERRORS.has(exchange.response?.status),
  },
  {
    id: 'exception-on-a-valid-plant',
    breaks: VALID,
    cause: 'A valid plant causes an exception that is not caught.',
    fix: 'Look for the exception in the log of the provider, and handle it. A 400 would be wrong too: the plant is valid.',
    shows: ({ exchange }) => isValidPlant(exchange) && (exchange.response?.status ?? 0) >= 500,
  },
  {
    id: 'no-response-to-a-valid-plant',
    breaks: VALID,
    cause: 'The handler, or the whole process, ends without a response to a valid plant.',
    fix: 'Look for the reason in the log of the provider. If it only takes longer, see --timeout.',
    shows: ({ exchange }) => isValidPlant(exchange) && exchange.failure !== undefined,
  },
  {
    id: 'no-response',
    breaks: REFUSAL,
    cause:
      'The handler, or the whole process, ends without a response to a request that must be rejected, perhaps after an exception.',
    fix: 'Send a response on every path through the handler, even after an exception. If it only takes longer, see --timeout.',
    shows: ({ exchange }) => exchange.failure !== undefined,
  },
  {
    id: 'login-page',
    breaks: REFUSAL,
    cause: 'The request is redirected, perhaps to a login page.',
    fix: 'Return a 4xx with an Error for a missing or wrong token. Redirects are for browsers.',
    shows: ({ exchange }) => Math.trunc((exchange.response?.status ?? 0) / 100) === 3,
  },
  // Bodies of failures that were not written for this interface.
  {
    id: 'error-is-nested',
    breaks: FAILURE_BODIES,
    cause: 'The fields of the Error are inside another object, "error".',
    fix: 'Put the integer "error" and the string "message" at the top level of the body.',
    shows: ({ exchange: { response } }) => isObject(membersOf(response && jsonOf(response))?.error),
  },
  {
    id: 'framework-error-page',
    breaks: FAILURE_BODIES,
    cause: (broken) => errorPage(broken) ?? '',
    fix: 'Register an error handler, also for failures before routing, that returns "error" and "message" as application/json.',
    shows: (broken) => errorPage(broken) !== undefined,
  },
  // Values of another type than that of their field.
  {
    id: 'types-are-not-checked',
    breaks: TYPES,
    cause: 'The types of fields are not checked.',
    fix: 'Check the type of each field, and reject every other type.',
    shows({ rule, exchange }, facts) {
      // No id can be made of an object. If a provider accepts one, it converts nothing.
      if (rule.includes('/id-')) return facts.accepted('id-is-object');
      // A provider that only takes null for a missing tag may show it, too.
      const shown = rule.includes('/null-tag-') ? facts.of('tag-is-object')[0] : exchange;
      return shown !== undefined && comesBack(rule.includes('name') ? 'name' : 'tag', shown);
    },
  },
  {
    id: 'types-are-converted',
    breaks: TYPES,
    cause: 'Values of another type are converted instead of rejected.',
    fix: "Disable the framework's type conversion, or check the types before the fields are bound.",
    // A reader that takes null for a missing field converts nothing.
    shows: ({ rule, exchange }) =>
      !rule.includes('/null-tag-') || typeof receivedIn(exchange, 'tag') === 'string',
  },
];

/** Bodies are compared without copies: a hostile provider may make all of them long. */
function isResponseFixed({ exchanges }: Facts): boolean {
  const created = exchanges.filter(
    (exchange) => isAccepted(exchange) && exchange.request.plant !== undefined,
  );
  const sent = new Set(created.map(({ request }) => request.plant?.name));
  const [first, ...others] = created.map(({ response }) => response?.body ?? new Uint8Array());
  return sent.size > 2 && first !== undefined && others.every((body) => Buffer.compare(first, body) === 0);
}

function isAbove(bound: bigint, exchange: Exchange): boolean {
  const id = idIn(exchange);
  return id !== undefined && id >= bound;
}

function largestId({ exchanges }: Facts): bigint {
  const ids = exchanges.filter(isAccepted).map((one) => idIn(one) ?? 0n);
  return ids.reduce((largest, id) => (id > largest ? id : largest), 0n);
}

/** Whether the first id of a sequence and this one, which is another, are the same when they are read so. */
function areAlike(exchange: Exchange, facts: Facts, read: (id: bigint) => bigint | number): boolean {
  const [one, other] = [facts.of(exchange.probe)[0], exchange].map((each) => each && idIn(each));
  return one !== undefined && other !== undefined && one !== other && read(one) === read(other);
}

function idIn({ request: { plant, id } }: Exchange): bigint | undefined {
  const sent = plant?.id ?? id;
  return sent === undefined ? undefined : BigInt(sent);
}

/** What a failure is, if its body was not written for this interface. */
function errorPage({ exchange: { response }, framework }: BrokenRule): string | undefined {
  if (response === undefined) return undefined;
  const author = authorOf(response, framework);
  if (author !== undefined) return `Failures are the default responses of ${author}, not Errors.`;
  if (response.body.length === 0) return 'Failures have no body.';
  const mediaType =
    headerValues(response.headers, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/problem+json') return 'Failures are problem details (RFC 9457), not Errors.';
  if (/html/.test(mediaType)) return 'Failures are HTML pages, not Errors.';
  return mediaType.startsWith('text/') ? 'Failures are plain text, not Errors.' : undefined;
}

/** Whether the value of a field comes back as it was sent. */
function comesBack(field: string, exchange: Exchange): boolean {
  const sent = membersOf(readJson(exchange.request.body))?.[field];
  return sent !== undefined && isDeepStrictEqual(receivedIn(exchange, field), sent);
}

function receivedIn({ response }: Exchange, field: string): JsonValue | undefined {
  return membersOf(response && jsonOf(response))?.[field];
}
