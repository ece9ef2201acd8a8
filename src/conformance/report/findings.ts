import { definedOnly } from '../../defined-only.js';
import { headerValues } from '../../http/fields.js';
import { HOUSE_LEVEL } from '../../report/conclusion.js';
import { type Finding, type Impact, impacts, type Recipe } from '../../report/frame.js';
import { capitalised, listed } from '../../report/wording.js';
import { type Exchange, isAccepted, objectIn } from '../exchange.js';
import { type Facts, stopInBrief, untilRestart } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import type { RuleId } from '../rule.js';
import { causeOf } from './causes.js';
import { frameworkOf, recipeFor } from './frameworks.js';

/** Why a rule is broken, as far as that is known. */
interface Explanation {
  /** `framework-error-page`; the id of the rule if no cause of several failures is known. */
  readonly id: string;
  readonly cause: string | undefined;
  readonly fix: string | undefined;
  readonly recipe?: Recipe | undefined;
}

interface FailureGroup {
  readonly finding: Finding;
  readonly failures: readonly Failure[];
}

/**
 * Groups failures by their likely cause: one mistake often breaks several rules. Failures without a known cause are a
 * group of their rule. Errors come before warnings. The group that hurts most comes first, and of two that hurt the same, the one
 * whose rule is the first in the report.
 */
export function groupFailures(judged: readonly JudgedRule[], facts: Facts): readonly FailureGroup[] {
  const groups = new Map<string, { explanation: Explanation; failures: [Failure, ...Failure[]] }>();
  const framework = frameworkOf(facts);
  for (const failure of judged.flatMap(({ failures }) => failures)) {
    const explanation = explained(failure, facts, framework);
    const { id, cause, fix, recipe } = explanation;
    // Rules with one usual cause share it.
    const key = [cause ?? id, fix, recipe?.framework].join('\n');
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { explanation, failures: [failure] });
    else group.failures.push(failure);
  }
  return [...groups.values()]
    .map(({ explanation, failures }) => ({ finding: findingOf(explanation, failures, facts), failures }))
    .sort((a, b) => rankOf(a.finding) - rankOf(b.finding));
}

/** The smaller, the sooner a reader should know it. That the provider stops responding is no guess, and comes first. */
function rankOf({ id, severity, impact }: Finding): number {
  if (id === ('state/provider-keeps-responding' satisfies RuleId)) return -1;
  return (severity === undefined ? 0 : impacts.length) + (impact === undefined ? 0 : impacts.indexOf(impact));
}

/** A group says what its first failure shows, and hurts as much as the worst of them. */
function findingOf(
  { id, cause, fix, recipe }: Explanation,
  failures: readonly [Failure, ...Failure[]],
  facts: Facts,
): Finding {
  const found = failures.map(impactOf);
  return definedOnly({
    id,
    title: factOf(failures[0], facts),
    severity: failures.every(({ rule }) => rule.severity === 'warning') ? ('warning' as const) : undefined,
    impact: impacts.find((one) => found.includes(one)),
    ...{ cause, fix, recipe },
    cases: [...new Set(failures.map(({ rule }) => rule.id))],
  });
}

function explained({ rule, exchange }: Failure, facts: Facts, framework: string | undefined): Explanation {
  const { id, usualCause, fix } = rule;
  if (rule.level === HOUSE_LEVEL) return { id, cause: usualCause, fix };
  const ofRule = { id, cause: namesSeveral(rule.usualCause) ? undefined : usualCause, fix };
  const known = causeOf({ rule: rule.id, exchange, framework }, facts) ?? ofRule;
  return { ...known, recipe: recipeFor(known.id, exchange, framework) };
}

/** Whether a usual cause is one of several. Nobody knows which of them fits, so a finding has none of them. */
function namesSeveral(usualCause: string): boolean {
  return /\bor\b/.test(usualCause);
}

// What breaks a rule, in words: the fact, and who is hurt by it. The rules say what is required, and the causes why a
// provider breaks them.

/** What a rule that is broken means, if it is not that one request is accepted or not. */
type Fact = string | ((failure: Failure, facts: Facts) => string);

const FACTS: Readonly<Partial<Record<RuleId, Fact>>> = {
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
  'state/provider-keeps-responding': ({ exchange }, facts) =>
    facts.stop === undefined
      ? 'The provider stops responding.'
      : `${capitalised(stopInBrief(facts.stop))}: there was none to ${facts.titleOf(exchange)}, nor to anything after it${untilRestart(facts.stop)}.`,
  'state/no-intermittent-failures': (_, { intermittent: { failed, of } }) =>
    `Valid plants fail intermittently (${failed.size} of ${of} requests).`,
  'state/bad-request-spoils-nothing': 'A valid plant fails after an invalid request.',
  'state/refused-plant-is-not-stored': 'A rejected plant is stored: its id can no longer be used.',
  'state/duplicates-are-treated-alike': 'A duplicate id is rejected at one time and accepted at another.',
  'state/equal-ids-side-by-side':
    'A duplicate id is accepted in concurrent requests, and rejected in sequential ones.',
  'state/concurrent-plants-are-accepted': 'A valid plant fails beside concurrent requests.',
  'state/answers-do-not-mix': 'A request gets the response to another request.',
};

/** What happened, as a sentence: "A plain plant without an Authorization header is accepted." */
function factOf(failure: Failure, facts: Facts): string {
  const { rule, exchange } = failure;
  if (rule.level === HOUSE_LEVEL) return `A house rule is broken: ${rule.title}`;
  const fact = FACTS[rule.id];
  if (fact !== undefined) return typeof fact === 'string' ? fact : fact(failure, facts);
  const subject = capitalised(facts.titleOf(exchange));
  const isAlone = facts.attemptOf(exchange).length === 1;
  return endInWords(exchange, isAlone ? subject : `${subject}: one of them`);
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

const MOST_FIELDS = 3;

function furtherFields(exchange: Exchange): string {
  const keys = Object.keys(objectIn(exchange) ?? {}).filter((key) => key !== 'name' && key !== 'tag');
  if (keys.length === 0 || keys.length > MOST_FIELDS || keys.some((key) => !/^\w{1,30}$/.test(key)))
    return 'fields that a Plant does not have';
  const which = keys.length === 1 ? 'which is no field' : 'which are no fields';
  return `${listed(keys.map((key) => `"${key}"`))}, ${which} of a Plant`;
}

/** Who is hurt if a rule is broken. */
function impactOf({ rule: { id, level }, exchange }: Failure): Impact {
  if (level === HOUSE_LEVEL) return 'house';
  if (id.startsWith('auth/')) return 'callers';
  if (id.startsWith('failure/')) return 'errors';
  return id.startsWith('request/') && exchange.expectation === 'rejected' ? 'input' : 'clients';
}
