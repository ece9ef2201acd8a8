import { headerValues } from '../../http/fields.js';
import { isObject } from '../../validation/json-value.js';
import { type Exchange, isAccepted, jsonOf } from '../exchange.js';
import type { ProbeName } from '../families/index.js';
import type { RunRecord } from '../judging/run-record.js';
import type { DemandId } from '../rules/index.js';
import { plantIn } from '../rules/responses.js';
import { frameworkOf } from './frameworks.js';

/** An exchange, and a rule that it breaks. */
export interface BrokenRule {
  readonly rule: DemandId;
  readonly exchange: Exchange;
}

/** A mistake that may break several rules. */
export interface Cause {
  /** It never changes. */
  readonly id: string;
  /** A sentence in the imperative. */
  readonly fix: string;
  /** The cause as a sentence, if it is the likely cause of a failure. */
  explain(broken: BrokenRule, record: RunRecord): string | undefined;
}

/** Probes that send a value of another type. A JSON object is not among them: no framework converts it. */
const otherTypes = /^(?:name|tag|id)-is-(?:number|boolean|array|text|empty-text|fraction)$/;
const nulls = new Set<ProbeName>(['name-is-null', 'tag-is-null', 'id-is-null']);
/** If one of these is accepted, null is converted too. */
const CONVERSIONS: readonly ProbeName[] = ['name-is-number', 'tag-is-number', 'id-is-text'];

/** The known causes. The first one that explains a failure is reported, so the most specific ones are first. */
export const causes: readonly Cause[] = [
  {
    id: 'nothing-is-authenticated',
    fix: 'Require a bearer token on POST /plants, and verify it.',
    explain: ({ rule }, record) =>
      rule.startsWith('auth/') && record.accepted('no-authorization') && record.accepted('wrong-token')
        ? 'The provider does not authenticate requests: it accepts a wrong token and no token.'
        : undefined,
  },
  {
    id: 'token-is-not-verified',
    fix: 'Verify the token itself, not only that there is one.',
    explain: ({ rule }, record) =>
      (rule === 'auth/wrong-token-is-refused' || rule === 'auth/near-miss-token-is-refused') &&
      record.accepted('wrong-token')
        ? 'The provider checks that there is a bearer token, but not which one.'
        : undefined,
  },
  {
    id: 'response-is-an-example',
    fix: 'Return the plant of the request. A mock that returns examples is not a provider.',
    explain: ({ rule }, record) =>
      /-comes?-back$|stays-absent$/.test(rule) && isResponseFixed(record)
        ? 'The response is a fixed example: it is the same for every plant.'
        : undefined,
  },
  {
    id: 'unhandled-exception',
    fix: 'Validate the input before you use it, and return 400 if it is invalid.',
    explain: ({ rule, exchange }) =>
      rule === 'failure/refusal-is-4xx' && (exchange.response?.status ?? 0) >= 500
        ? 'Invalid input causes an exception that is not caught.'
        : undefined,
  },
  {
    id: 'no-response',
    fix: 'Send a response on every path through the handler, even after an exception.',
    explain: ({ rule, exchange: { failure } }) => {
      if (rule !== 'failure/refusal-is-4xx' || failure === undefined) return undefined;
      return failure.kind === 'timeout'
        ? 'Invalid input never gets a response: an exception ends the handler, and the request stays open.'
        : 'Invalid input closes the connection. The process may have crashed.';
    },
  },
  {
    id: 'login-page',
    fix: 'Return a 4xx with an Error for a missing or wrong token. Redirects are for browsers.',
    explain: ({ rule, exchange: { response } }) =>
      rule === 'failure/refusal-is-4xx' && response !== undefined && Math.trunc(response.status / 100) === 3
        ? 'The request is redirected, perhaps to a login page.'
        : undefined,
  },
  {
    id: 'error-is-nested',
    fix: 'Put the integer "error" and the string "message" at the top level of the body.',
    explain: ({ rule, exchange: { response } }) => {
      const read = rule.startsWith('failure/') && response !== undefined ? jsonOf(response) : undefined;
      return read?.ok && isObject(read.value) && isObject(read.value.error)
        ? 'The fields of the Error are inside another object, "error".'
        : undefined;
    },
  },
  {
    id: 'framework-error-page',
    fix: 'Register an error handler, also for failures before routing, that returns "error" and "message" as application/json.',
    explain: ({ rule, exchange }) => (rule.startsWith('failure/') ? errorPage(exchange) : undefined),
  },
  {
    id: 'id-in-32-bits',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    explain: ({ rule, exchange: { probe } }, record) =>
      (rule === 'request/int64-ids-are-accepted' && !record.accepted('id-above-uint32')) ||
      (rule === 'request/ids-are-exact' && probe === 'ids-alike-in-32-bits')
        ? 'The id is stored in 32 bits.'
        : undefined,
  },
  {
    id: 'id-through-a-double',
    fix: 'Read ids as 64-bit integers. In JavaScript, make a BigInt from the text of the number.',
    explain: ({ rule, exchange: { probe } }, record) =>
      (rule === 'request/ids-are-exact' && probe === 'ids-alike-as-doubles') ||
      (rule === 'request/int64-ids-are-accepted' && probe !== 'id-above-uint32') ||
      (rule === 'request/id-is-within-int64' && (record.accepted('id-1e400') || !isExact(record)))
        ? 'The id is converted to a double, which is exact only up to 2^53.'
        : undefined,
  },
  {
    id: 'record-is-serialised-whole',
    fix: 'Define a type for the response that has only "name" and "tag".',
    explain: ({ rule }) =>
      rule === 'success/plant-fields-only'
        ? 'The whole stored record is serialised, with fields that a Plant does not have.'
        : undefined,
  },
  {
    id: 'absent-tag-is-null',
    fix: 'Leave the member "tag" out if the plant has no tag.',
    explain: ({ rule, exchange }) =>
      (rule === 'success/absent-tag-stays-absent' || rule === 'success/body-is-a-plant') &&
      plantIn(exchange)?.tag === null
        ? 'A missing tag is serialised as null.'
        : undefined,
  },
  {
    id: 'types-are-converted',
    fix: "Disable the framework's type conversion, or check the types before the fields are bound.",
    explain: ({ rule, exchange: { probe } }, record) =>
      rule.startsWith('request/') &&
      (otherTypes.test(probe) || (nulls.has(probe) && CONVERSIONS.some((name) => record.accepted(name))))
        ? 'Values of another type are converted instead of rejected.'
        : undefined,
  },
  {
    id: 'null-counts-as-missing',
    fix: 'Reject null. Do not read it as a missing field.',
    explain: ({ rule, exchange }) =>
      rule.startsWith('request/') && nulls.has(exchange.probe)
        ? 'null is read as a missing field.'
        : undefined,
  },
  {
    id: 'wrong-charset',
    fix: 'Store strings in a charset that has every character (in MySQL, utf8mb4), and respond in UTF-8.',
    explain: ({ rule, exchange }, record) => {
      if (rule === 'success/body-is-json') return notUtf8(exchange, record);
      if (rule !== 'success/texts-come-back') return undefined;
      const plant = plantIn(exchange);
      const strings = `${plant?.name} ${typeof plant?.tag === 'string' ? plant.tag : ''}`;
      return /[?\ufffd]|Ã.|Â./u.test(strings)
        ? 'Strings are converted to a charset that does not have all of their characters.'
        : undefined;
    },
  },
];

/** Whether the provider keeps two ids above 2^53 apart. */
function isExact(record: RunRecord): boolean {
  return record.of('ids-alike-as-doubles')[1] === undefined || !record.rejected('ids-alike-as-doubles', 1);
}

/** If plain plants come back as JSON and other strings do not, the JSON is right and its bytes are wrong. */
function notUtf8({ request }: Exchange, record: RunRecord): string | undefined {
  const plain = record.of('plain-plant').at(-1);
  const isAscii = Buffer.from(request.body).every((byte) => byte < 0x80);
  if (isAscii || plain === undefined || plantIn(plain) === undefined) return undefined;
  return 'The response is not in UTF-8.';
}

function isResponseFixed({ exchanges }: RunRecord): boolean {
  const created = exchanges.filter(
    (exchange) => isAccepted(exchange) && exchange.request.plant !== undefined,
  );
  const sent = new Set(created.map(({ request }) => request.plant?.name));
  const received = new Set(created.map(({ response }) => Buffer.from(response?.body ?? []).toString()));
  return sent.size > 2 && received.size === 1;
}

/** What a failure is, if its body was not written for this interface. */
function errorPage({ response }: Exchange): string | undefined {
  if (response === undefined) return undefined;
  const mediaType =
    headerValues(response.headers, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  const framework = frameworkOf(response);
  const byDefault = framework === undefined ? '' : ` (the default of ${framework})`;
  if (response.body.length === 0) return `Failures have no body${byDefault}.`;
  if (mediaType === 'application/problem+json')
    return `Failures are problem details (RFC 9457), not Errors${byDefault}.`;
  if (/html/.test(mediaType)) return `Failures are HTML pages, not Errors${byDefault}.`;
  if (mediaType.startsWith('text/')) return `Failures are plain text, not Errors${byDefault}.`;
  const read = jsonOf(response);
  if (framework === undefined || !read.ok || !isObject(read.value)) return undefined;
  return `Failures are the default JSON of ${framework}, not Errors.`;
}
