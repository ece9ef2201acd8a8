import { type Exchange, isAccepted, jsonOf, valuesOf } from '../exchange.js';
import type { Evidence } from '../judging/evidence.js';
import { ALIKE_AS_DOUBLES, ALIKE_IN_32_BITS } from '../probes/ids.js';
import { PLAIN_PLANT } from '../probes/valid.js';
import { isObject, plantIn } from '../rules/answers.js';
import type { DemandId } from '../rules/index.js';
import { frameworkOf } from './frameworks.js';

/** One exchange that breaks a rule, as a cause looks at it. */
export interface Broken {
  readonly rule: DemandId;
  readonly exchange: Exchange;
}

/** Why several rules may be broken at once. */
export interface Cause {
  /** Stable. */
  readonly id: string;
  /** How to mend it. */
  readonly repair: string;
  /** The cause as a sentence, where it is the likely one of a failure. */
  explain(broken: Broken, evidence: Evidence): string | undefined;
}

const otherTypes = new Set([
  ...[
    'name-is-number',
    'name-is-boolean',
    'name-is-array',
    'tag-is-number',
    'tag-is-boolean',
    'tag-is-array',
  ],
  ...['id-is-text', 'id-is-boolean', 'id-is-fraction', 'id-is-empty-text', 'id-is-array'],
]);
const nulls = new Set(['name-is-null', 'tag-is-null', 'id-is-null']);
/** Where one of these is accepted, null is converted like anything else. */
const CONVERSIONS = ['name-is-number', 'tag-is-number', 'id-is-text'];

/** The causes that are known, the most specific first: the first that explains a failure is named. */
export const causes: readonly Cause[] = [
  {
    id: 'nothing-is-authenticated',
    repair: 'Require a bearer token on POST /plants, and verify it.',
    explain: ({ rule }, evidence) =>
      rule.startsWith('auth/') && evidence.accepted('no-authorization') && evidence.accepted('wrong-token')
        ? 'Nothing is authenticated: requests are accepted with a wrong token and without any.'
        : undefined,
  },
  {
    id: 'token-is-not-verified',
    repair: 'Verify the token itself, not only that there is one.',
    explain: ({ rule }, evidence) =>
      (rule === 'auth/wrong-token-is-refused' || rule === 'auth/near-miss-token-is-refused') &&
      evidence.accepted('wrong-token')
        ? 'Only that there is a bearer token is checked, not which.'
        : undefined,
  },
  {
    id: 'answer-is-an-example',
    repair: 'Answer with the plant of the request: a mock of examples is no provider.',
    explain: ({ rule }, evidence) =>
      /-comes?-back$|stays-absent$/.test(rule) && answersAlwaysTheSame(evidence)
        ? 'The answer is always the same, whatever was sent: a fixed example.'
        : undefined,
  },
  {
    id: 'unhandled-exception',
    repair: 'Validate before the input is used, and answer what is wrong with 400.',
    explain: ({ rule, exchange }) =>
      rule === 'failure/refusal-is-4xx' && (exchange.response?.status ?? 0) >= 500
        ? 'Bad input meets an exception that nobody catches.'
        : undefined,
  },
  {
    id: 'no-answer',
    repair: 'Answer on every way out of the handler, the one of an exception included.',
    explain: ({ rule, exchange: { failure } }) => {
      if (rule !== 'failure/refusal-is-4xx' || failure === undefined) return undefined;
      return failure.kind === 'time-out'
        ? 'Bad input is never answered: an exception ends the handler, and nothing ends the request.'
        : 'Bad input ends the connection, and the process perhaps.';
    },
  },
  {
    id: 'login-page',
    repair: 'Answer a missing or wrong token with a 4xx and an Error; redirects are for browsers.',
    explain: ({ rule, exchange: { response } }) =>
      rule === 'failure/refusal-is-4xx' && response !== undefined && Math.trunc(response.status / 100) === 3
        ? 'The request is redirected, to a login page perhaps.'
        : undefined,
  },
  {
    id: 'error-is-nested',
    repair: 'Put "error", an integer, and "message", a text, at the top of the body.',
    explain: ({ rule, exchange: { response } }) => {
      const read = rule.startsWith('failure/') && response !== undefined ? jsonOf(response) : undefined;
      return read?.ok && isObject(read.value) && isObject(read.value.error)
        ? 'The fields of the Error are members of another object, "error".'
        : undefined;
    },
  },
  {
    id: 'framework-error-page',
    repair:
      'Register an error handler (and one for unknown input, before routing) that answers every failure with application/json, "error" and "message".',
    explain: ({ rule, exchange }) => (rule.startsWith('failure/') ? errorPage(exchange) : undefined),
  },
  {
    id: 'id-in-32-bits',
    repair: 'Use a 64-bit integer from the reader of JSON to the column of the database.',
    explain: ({ rule, exchange: { probe } }, evidence) =>
      (rule === 'request/int64-ids-are-accepted' && !evidence.accepted('id-above-uint32')) ||
      (rule === 'request/ids-are-exact' && probe === ALIKE_IN_32_BITS)
        ? 'The id is kept in 32 bits.'
        : undefined,
  },
  {
    id: 'id-through-a-double',
    repair: 'Read ids as 64-bit integers; in JavaScript as BigInt, from the text of the number.',
    explain: ({ rule, exchange: { probe } }, evidence) =>
      (rule === 'request/ids-are-exact' && probe === ALIKE_AS_DOUBLES) ||
      (rule === 'request/int64-ids-are-accepted' && probe !== 'id-above-uint32') ||
      (rule === 'request/id-is-within-int64' && (evidence.accepted('id-1e400') || !isExact(evidence)))
        ? 'The id goes through a double, which is exact to 2^53 only.'
        : undefined,
  },
  {
    id: 'record-is-serialised-whole',
    repair: 'Answer with a type of its own that has "name" and "tag" only.',
    explain: ({ rule }) =>
      rule === 'success/plant-fields-only'
        ? 'The stored record is serialised as it is, with what does not belong to a Plant.'
        : undefined,
  },
  {
    id: 'absent-tag-is-null',
    repair: 'Leave the member "tag" out where there is none.',
    explain: ({ rule, exchange }) =>
      (rule === 'success/absent-tag-stays-absent' || rule === 'success/body-is-a-plant') &&
      plantIn(exchange)?.tag === null
        ? 'An absent tag is serialised as null.'
        : undefined,
  },
  {
    id: 'types-are-converted',
    repair: "Turn the framework's type conversion off, or check types before the fields are bound.",
    explain: ({ rule, exchange: { probe } }, evidence) =>
      rule.startsWith('request/') &&
      (otherTypes.has(probe) || (nulls.has(probe) && CONVERSIONS.some((name) => evidence.accepted(name))))
        ? 'Values of another type are converted instead of refused.'
        : undefined,
  },
  {
    id: 'null-counts-as-missing',
    repair: 'Tell null from a field that is not there, and refuse it.',
    explain: ({ rule, exchange }) =>
      rule.startsWith('request/') && nulls.has(exchange.probe)
        ? 'null counts as a field that is not there.'
        : undefined,
  },
  {
    id: 'wrong-charset',
    repair: 'Keep texts in a charset that has every character (utf8mb4 in MySQL), and answer in UTF-8.',
    explain: ({ rule, exchange }, evidence) => {
      if (rule === 'success/body-is-json') return notUtf8(exchange, evidence);
      if (rule !== 'success/texts-come-back') return undefined;
      const plant = plantIn(exchange);
      const texts = `${plant?.name} ${typeof plant?.tag === 'string' ? plant.tag : ''}`;
      return /[?\ufffd]|Ã.|Â./u.test(texts)
        ? 'Texts go through a charset that lacks some of their characters.'
        : undefined;
    },
  },
];

/** Whether the two ids of the pair beyond 2^53 were told apart. */
function isExact(evidence: Evidence): boolean {
  return evidence.of(ALIKE_AS_DOUBLES)[1] === undefined || !evidence.refused(ALIKE_AS_DOUBLES, 1);
}

/** Where plain plants come back as JSON and other texts do not, the JSON is right and its bytes are not. */
function notUtf8({ request }: Exchange, evidence: Evidence): string | undefined {
  const plain = evidence.of(PLAIN_PLANT).at(-1);
  const isPlain = Buffer.from(request.body).every((byte) => byte < 0x80);
  if (isPlain || plain === undefined || plantIn(plain) === undefined) return undefined;
  return 'The answer is encoded in another charset than UTF-8.';
}

function answersAlwaysTheSame({ exchanges }: Evidence): boolean {
  const created = exchanges.filter(
    (exchange) => isAccepted(exchange) && exchange.request.plant !== undefined,
  );
  const sent = new Set(created.map(({ request }) => request.plant?.name));
  const came = new Set(created.map(({ response }) => Buffer.from(response?.body ?? []).toString()));
  return sent.size > 2 && came.size === 1;
}

/** What a failure looks like whose body nobody wrote for this interface. */
function errorPage({ response }: Exchange): string | undefined {
  if (response === undefined) return undefined;
  const mediaType = valuesOf(response, 'content-type')[0]?.split(';')[0]?.trim().toLowerCase() ?? '';
  const framework = frameworkOf(response);
  const by = framework === undefined ? '' : `, as ${framework} does by default`;
  if (response.body.length === 0) return `Failures are answered without a body${by}.`;
  if (mediaType === 'application/problem+json')
    return `Failures are answered with problem details (RFC 9457)${by}.`;
  if (/html/.test(mediaType)) return `Failures are answered with an HTML page${by}: the framework's own.`;
  if (mediaType.startsWith('text/')) return `Failures are answered with a text${by}: the framework's own.`;
  const read = jsonOf(response);
  if (framework === undefined || !read.ok || !isObject(read.value)) return undefined;
  return `Failures are answered with the framework's own JSON${by}.`;
}
