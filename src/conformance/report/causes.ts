import { isDeepStrictEqual } from 'node:util';
import { headerValues } from '../../http/fields.js';
import type { Recipe } from '../../report/frame.js';
import { readJson } from '../../validation/json.js';
import { isObject, type JsonValue } from '../../validation/json-value.js';
import { contentOf, jsonOf, membersOf } from '../body.js';
import { type Exchange, isAccepted, isValidPlant, plantIn, wrappingIn } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import type { About, Demand } from '../rule.js';
import { ALIKE_AS_DOUBLES, ALIKE_IN_32_BITS } from '../topics/ids.js';
import { MISSING_ID, MISSING_NAME } from '../topics/keys.js';
import { NO_TOKEN, WRONG_TOKEN } from '../topics/tokens.js';
import { ID_IS_OBJECT, ID_IS_TEXT, NAME_IS_OBJECT, TAG_IS_OBJECT } from '../topics/types.js';
import { WITHOUT_TAG } from '../values/plain-plants.js';
import { authorOf, recipes } from './frameworks.js';

/** An exchange, a rule that it breaks, and the framework of the provider, if its responses show it. */
interface BrokenRule {
  readonly rule: Demand;
  readonly exchange: Exchange;
  readonly framework: string | undefined;
}

/** A mistake that rules share: what they have in common is one finding. */
export interface Cause {
  /** It never changes. */
  readonly id: string;
  /** The cause as a sentence, or a function that says it of a failure. */
  readonly cause: string | ((broken: BrokenRule) => string);
  /** A sentence in the imperative. */
  readonly fix: string;
  /** What the rules are about that it may break. Default: anything. */
  readonly about?: readonly About[];
  /** Whether a failure of such a rule shows it. A cause that nothing shows is a guess, and a wrong one costs a reader more than none. */
  shows(broken: BrokenRule, facts: Facts): boolean;
}

/** The known cause of a failure, and its fix: the first one that its exchange shows. */
export function causeOf(broken: BrokenRule, facts: Facts) {
  const known = causes.find((cause) => isAbout(cause, broken.rule) && cause.shows(broken, facts));
  if (known === undefined) return undefined;
  const { id, cause, fix } = known;
  return { id, cause: typeof cause === 'string' ? cause : cause(broken), fix };
}

function isAbout(cause: Cause, { about }: Pick<Demand, 'about'>): boolean {
  return cause.about === undefined || (about !== undefined && cause.about.includes(about));
}

/** The fixes of a rule as code: for each framework that has some, whatever the cause. */
export function recipesOf(rule: Pick<Demand, 'id' | 'about'>): readonly Recipe[] {
  const findings = [
    rule.id,
    ...causes.flatMap((cause) => (cause.about !== undefined && isAbout(cause, rule) ? cause.id : [])),
  ];
  const all = [...recipes().values()].flatMap((byFinding) =>
    findings.flatMap((id) => byFinding.get(id) ?? []),
  );
  return [...new Map(all.map((recipe) => [recipe.framework + recipe.code, recipe])).values()];
}

const UINT32_END = 2n ** 32n;
const DOUBLE_END = 2n ** 53n;

/** Rules about the type of a field. */
const TYPES: readonly About[] = ['type of name', 'type of id', 'type of tag', 'tag of null'];

/** Statuses that a gateway returns if the server behind it fails, or if a limit is reached. */
const GATEWAY_ERRORS: ReadonlySet<number | undefined> = new Set([502, 503, 504]);

/** The known causes. The first one that explains a failure is reported, so the most specific ones are first. */
export const causes: readonly Cause[] = [
  {
    id: 'nothing-is-authenticated',
    cause: 'The provider does not authenticate requests: it accepts a wrong token and no token.',
    fix: 'Require a bearer token on POST /plants, and verify it.',
    shows: ({ rule }, facts) =>
      rule.hurts === 'callers' && facts.accepted(NO_TOKEN) && facts.accepted(WRONG_TOKEN),
  },
  {
    id: 'token-is-not-verified',
    cause: 'The provider checks that there is a bearer token, but not which one.',
    fix: 'Verify the token itself, not only that there is one.',
    shows: ({ rule, exchange }, facts) =>
      rule.hurts === 'callers' && hasBearerToken(exchange) && facts.accepted(WRONG_TOKEN),
  },
  // Responses to creations that are not the plant.
  {
    id: 'plant-is-wrapped',
    about: ['plant'],
    cause: 'The response has the plant in it, and is not the plant.',
    fix: 'Return the object with "name" and "tag" itself.',
    // Of a long body, only the fields of a plant are kept.
    shows: ({ exchange }, facts) =>
      plantIn(exchange) === undefined &&
      [exchange, ...facts.of(WITHOUT_TAG.name)].some((one) => wrappingIn(one) !== undefined),
  },
  {
    id: 'response-is-an-example',
    about: ['plant'],
    cause: 'The response is a fixed example: it is the same for every plant.',
    fix: 'Return the plant of the request. A mock that returns examples is not a provider.',
    shows: (_, facts) => isResponseFixed(facts),
  },
  {
    id: 'absent-tag-is-null',
    about: ['plant'],
    cause: 'A missing tag is serialised as null.',
    fix: 'Leave the member "tag" out if the plant has no tag.',
    shows: ({ exchange }) => plantIn(exchange)?.tag === null && exchange.request.plant?.tag === undefined,
  },
  // Ids in too few bits, or in a double.
  {
    id: 'id-in-32-bits',
    cause: 'The id is stored in 32 bits.',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    // A database may also fail on an id that its column cannot hold. An integer without a sign ends at 2^32, one with a sign at 2^31.
    shows({ rule, exchange }, facts) {
      if (rule.about === 'equal ids') return areAlike(exchange, facts, (id) => BigInt.asUintN(32, id));
      // What a rejection looks like has another cause.
      if (rule.hurts === 'errors' || !isValidPlant(exchange) || isAccepted(exchange)) return false;
      if (isAbove(UINT32_END / 2n, exchange) && largestId(facts) < UINT32_END) return true;
      return rule.about === 'size of ids' && facts.rejected(ALIKE_IN_32_BITS, 1);
    },
  },
  {
    id: 'id-through-a-double',
    about: ['size of ids', 'equal ids'],
    cause: 'The id is converted to a double, which is exact only up to 2^53.',
    fix: 'Read ids as 64-bit integers, from the text of the number: BigInt in JavaScript, int64 in Go, long in Java and C#.',
    shows({ rule, exchange }, facts) {
      if (rule.about === 'equal ids') return areAlike(exchange, facts, Number);
      const isTooLarge = isAbove(DOUBLE_END, exchange) && largestId(facts) < DOUBLE_END;
      return (isTooLarge && isValidPlant(exchange)) || facts.rejected(ALIKE_AS_DOUBLES, 1);
    },
  },
  // Exceptions, crashes and redirects where a response was due.
  {
    id: 'gateway-fails-on-a-valid-plant',
    cause:
      'A valid plant gets a 502, 503 or 504: the provider is down or too slow, or a gateway limits the rate.',
    fix: 'Look into the logs of the gateway and of the provider. A gateway that limits the rate responds with 429, not with 503.',
    shows: ({ rule, exchange }) =>
      isOfOneRequest(rule) && isValidPlant(exchange) && GATEWAY_ERRORS.has(exchange.response?.status),
  },
  {
    id: 'exception-on-a-valid-plant',
    cause: 'A valid plant causes an exception that is not caught.',
    fix: 'Look for the exception in the log of the provider, and handle it. A 400 would be wrong too: the plant is valid.',
    shows: ({ rule, exchange }) =>
      isOfOneRequest(rule) && isValidPlant(exchange) && (exchange.response?.status ?? 0) >= 500,
  },
  {
    id: 'no-response-to-a-valid-plant',
    cause: 'The handler, or the whole process, ends without a response to a valid plant.',
    fix: 'Look for the reason in the log of the provider. If it only takes longer, see --timeout.',
    shows: ({ rule, exchange }) =>
      isOfOneRequest(rule) && isValidPlant(exchange) && exchange.failure !== undefined,
  },
  {
    id: 'no-response',
    about: ['rejection'],
    cause:
      'The handler, or the whole process, ends without a response to a request that must be rejected, perhaps after an exception.',
    fix: 'Send a response on every path through the handler, even after an exception. If it only takes longer, see --timeout.',
    shows: ({ exchange }) => exchange.failure !== undefined,
  },
  {
    id: 'login-page',
    about: ['rejection'],
    cause: 'The request is redirected, perhaps to a login page.',
    fix: 'Return a 4xx with an Error for a missing or wrong token. Redirects are for browsers.',
    shows: ({ exchange }) => Math.trunc((exchange.response?.status ?? 0) / 100) === 3,
  },
  // Header fields and bodies of responses that were not written for this interface.
  {
    id: 'content-type-twice',
    about: ['media type'],
    cause: 'Content-Type is set twice, for example by the framework and by the application.',
    fix: 'Set Content-Type once, to application/json.',
    shows: ({ exchange }) => contentTypesIn(exchange).length > 1,
  },
  {
    id: 'error-has-no-json-type',
    about: ['media type'],
    cause: 'The body is a right Error, and only its Content-Type is wrong.',
    fix: 'Send Content-Type: application/json with every Error.',
    shows: ({ rule, exchange }) => rule.hurts === 'errors' && hasRightBody(exchange),
  },
  {
    id: 'error-is-nested',
    about: ['body'],
    cause: 'The fields of the Error are inside another object, "error".',
    fix: 'Put the integer "error" and the string "message" at the top level of the body.',
    shows: ({ exchange }) => isObject(errorIn(exchange)),
  },
  {
    id: 'framework-error-page',
    about: ['body', 'media type'],
    cause: (broken) => errorPage(broken) ?? '',
    fix: 'Register an error handler, also for failures before routing, that returns "error" and "message" as application/json.',
    shows: (broken) => broken.rule.hurts === 'errors' && errorPage(broken) !== undefined,
  },
  {
    id: 'error-is-a-text',
    about: ['body'],
    cause:
      'The "error" of a failure is its text, where the interface has an integer "error" and a string "message".',
    fix: 'Put the text into "message", and an integer, such as the status, into "error".',
    shows: ({ exchange }) => isText(errorIn(exchange)),
  },
  // Bodies that nothing checks, and values of another type than that of their field.
  {
    id: 'nothing-is-checked',
    cause: 'The body is used without a check: fields may be missing, and may be anything.',
    fix: 'Reject a body unless it is an object with a string "name", an integer "id", and a string "tag" or none.',
    shows: ({ rule }, facts) =>
      rule.hurts === 'input' &&
      [MISSING_NAME, MISSING_ID, NAME_IS_OBJECT, ID_IS_OBJECT].every((name) => facts.accepted(name)),
  },
  {
    id: 'missing-fields-are-accepted',
    about: ['object', 'required fields', 'type of name', 'type of id'],
    cause:
      'Nothing checks that "name" and "id" are there: one that is missing, or null, becomes an empty value.',
    fix: 'Reject a plant unless "name" and "id" are there, and are not null.',
    shows: ({ rule: { about }, exchange }, facts) =>
      (about === 'required fields' || hasNull(exchange)) &&
      facts.accepted(MISSING_NAME) &&
      facts.accepted(MISSING_ID),
  },
  {
    id: 'types-are-not-checked',
    about: TYPES,
    cause: 'A value is used whatever its type is.',
    fix: 'Check the type of each field, and reject every other type.',
    shows({ rule: { about }, exchange }, facts) {
      // No id can be made of an object. If a provider accepts one, it converts nothing.
      if (about === 'type of id') return facts.accepted(ID_IS_OBJECT) || comesBack('id', exchange);
      if (about === 'type of name') return comesBack('name', exchange);
      if (about === 'type of tag') return comesBack('tag', exchange);
      // A provider that only takes null for a missing tag may show it, too.
      const object = facts.of(TAG_IS_OBJECT)[0];
      return object !== undefined && comesBack('tag', object);
    },
  },
  {
    id: 'types-are-converted',
    about: TYPES,
    cause: 'Values of another type are converted instead of rejected.',
    fix: "Disable the framework's type conversion, or check the types before the fields are bound.",
    shows({ rule: { about }, exchange }, facts) {
      if (about === 'type of name') return isText(receivedIn(exchange, 'name'));
      if (about !== 'type of id') return isText(receivedIn(exchange, 'tag'));
      // A right response does not show the id. Who makes a number of a string makes one of true, and none of an object.
      const sent = membersOf(readJson(exchange.request.body))?.id;
      const isConvertible = isText(sent) || (typeof sent === 'boolean' && facts.accepted(ID_IS_TEXT));
      return isConvertible && facts.rejected(ID_IS_OBJECT) && !isText(receivedIn(exchange, 'id'));
    },
  },
];

/** Whether a rule is about what one request gets, and not about several. Rules about state have causes of their own. */
function isOfOneRequest({ hurts, about }: Demand): boolean {
  return (hurts === 'clients' || hurts === 'input') && about !== 'state';
}

/** Whether a field of a request is null, or the whole body. */
function hasNull({ request }: Exchange): boolean {
  const read = readJson(request.body);
  return read.ok && (read.value === null || Object.values(membersOf(read) ?? {}).includes(null));
}

function isText(value: JsonValue | undefined): boolean {
  return typeof value === 'string';
}

function hasBearerToken({ request }: Exchange): boolean {
  return /^Bearer +\S/i.test(headerValues(request.headers, 'authorization')[0] ?? '');
}

function contentTypesIn({ response }: Exchange): readonly string[] {
  return response === undefined ? [] : headerValues(response.headers, 'content-type');
}

/** Whether nothing is wrong with the body of a response. */
function hasRightBody({ response }: Exchange): boolean {
  return response !== undefined && contentOf(response).violations.every(({ part }) => part !== 'body');
}

function errorIn({ response }: Exchange): JsonValue | undefined {
  return membersOf(response && jsonOf(response))?.error;
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
function errorPage({ exchange, framework }: BrokenRule): string | undefined {
  const { response } = exchange;
  if (response === undefined || hasRightBody(exchange)) return undefined;
  const author = authorOf(response, framework);
  if (author !== undefined) return `Failures are the default responses of ${author}, not Errors.`;
  if (response.body.length === 0) return 'Failures have no body.';
  const mediaType = contentTypesIn(exchange)[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (mediaType === 'application/problem+json') return 'Failures are problem details (RFC 9457), not Errors.';
  if (membersOf(jsonOf(response)) !== undefined) return undefined;
  if (/html/.test(mediaType)) return 'Failures are HTML pages, not Errors.';
  return mediaType.startsWith('text/') ? 'Failures are plain text, not Errors.' : undefined;
}

/** Whether the value of a field comes back as it was sent. */
function comesBack(field: string, exchange: Exchange): boolean {
  const sent = membersOf(readJson(exchange.request.body))?.[field];
  return sent !== undefined && isDeepStrictEqual(receivedIn(exchange, field), sent);
}

/** The value of a field in a response: of the plant itself, or of one that is wrapped in a member. */
function receivedIn({ response }: Exchange, field: string): JsonValue | undefined {
  const members = membersOf(response && jsonOf(response)) ?? {};
  const wrapped = Object.values(members).filter(isObject);
  return [members, ...wrapped].find((one) => Object.hasOwn(one, field))?.[field];
}
