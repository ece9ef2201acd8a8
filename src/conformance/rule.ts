import { HOUSE_LEVEL } from '../report/conclusion.js';
import type { Behaviour } from '../report/profile.js';
import { operation } from '../spec/operation.js';
import { pointerTo } from '../validation/json-value.js';
import type { Severity } from '../validation/violation.js';
import {
  type Exchange,
  isAccepted,
  isOverloaded,
  isRejected,
  isUnprocessed,
  type Judgement,
  responseInWords,
} from './exchange.js';
import type { Facts } from './judge/facts.js';
import { type HouseId, isHouseProbe, type Probe } from './probe.js';

/**
 * What the interface says about a rule. `documented`: it says it. `implied`: it follows from what it says.
 * `unspecified`: it says "not shown", so a provider may behave as it likes.
 */
export type Level = 'documented' | 'implied' | 'unspecified';

/** The levels, from the most to the least explicit. */
export const levels: readonly Level[] = ['documented', 'implied', 'unspecified'];

/** Where the interface says it, or says that it is not shown. */
export interface Source {
  /** The heading in the interface document. */
  readonly section: string;
  /** The number of the rule under that heading, if it has one. */
  readonly rule?: number;
  /** JSON pointer into the OpenAPI document. */
  readonly pointer: string;
}

/** Where the interface says it, in words: `Errors, rule 1`. */
export function placeOf({ section, rule }: Source): string {
  return rule === undefined ? section : `${section}, rule ${rule}`;
}

/** The id of a rule: `topic/requirement`. */
export type RuleId = `${string}/${string}`;

/** What every rule has, whoever demands it. */
export interface RuleBase<Id extends RuleId> {
  /** `topic/requirement`. It never changes. */
  readonly id: Id;
  /** The requirement as a sentence. For the level `unspecified`, the question that the profile answers. */
  readonly title: string;
  /** Why it is required. For the level `implied`, why no reading of the interface allows the contrary. */
  readonly why: string;
  /** What is sent for it: the most telling rows first. */
  readonly rows?: readonly { readonly name: string }[];
  /** What it judges besides what is sent for it. Default: nothing. */
  readonly judges?: (probe: Probe) => boolean;
  /** Other probes whose exchanges it looks at. It does not judge them. */
  readonly dependsOn?: readonly string[];
}

/** What a rule may look at besides the exchange that it judges. */
export interface Context {
  readonly probe: Probe;
  /** The exchanges of the same attempt of the probe, with this one, in the order of its requests. */
  readonly sequence: readonly Exchange[];
  readonly facts: Facts;
}

/** How a rule that demands something judges exchanges. */
interface Judging {
  readonly severity: Severity;
  /**
   * What depends on the controls of its probes. `for-a-pass`: if the control is not accepted, a rejection proves
   * nothing. `for-any-verdict`: then a failure proves nothing either.
   */
  readonly control: 'none' | 'for-a-pass' | 'for-any-verdict';
  /** Why the verdict is `blocked` if no exchange had anything to judge. A clause without a full stop. */
  readonly nothingToJudge: string;
  /**
   * Whether it judges requests that got no response: as long as the provider responds to others, or also after the
   * provider stopped. Other rules that the request was sent for are blocked.
   */
  readonly onNoResponse?: 'judge' | 'judge-even-after-stop';
  /** Whether it also judges the exchanges of a probe that was then sent again. Default false. */
  readonly everyAttempt?: boolean;
  /** Whether it judges an exchange by the whole run. One more probe alone then gives it nothing to judge. */
  readonly judgesRun?: true;
  /** Judges one exchange. It is pure and never throws. */
  judge(exchange: Exchange, context: Context): Judgement;
}

/** A rule that the interface demands. */
export interface Demand extends RuleBase<RuleId>, Judging {
  readonly level: 'documented' | 'implied';
  readonly source: Source;
  /** How it is usually broken. A sentence. */
  readonly usualCause: string;
  /** How to fix that. A sentence in the imperative. */
  readonly fix: string;
}

/** A rule that the user of a check demands, ready to judge. See {@link HouseRule}. */
export interface HouseDemand extends RuleBase<HouseId>, Judging {
  readonly level: typeof HOUSE_LEVEL;
  readonly usualCause?: string;
  readonly fix?: string;
}

/** A rule of the level `unspecified`. It demands nothing: it records what a provider does. */
export interface Observation extends RuleBase<RuleId> {
  readonly level: 'unspecified';
  readonly source: Source;
  /** Says what the exchanges of its probes show. `undefined`: they show nothing. */
  observe(exchanges: readonly Exchange[], facts: Facts): Behaviour | undefined;
}

/** One thing that the interface demands, or leaves open. */
export type Rule = Demand | Observation;

/** A rule that demands something: of the interface, or of the user. */
export type AnyDemand = Demand | HouseDemand;

/** A rule of the interface, or of the user. */
export type AnyRule = Rule | HouseDemand;

/** The first part of a rule's id. Reports group rules by it. */
export function topicOf({ id }: { readonly id: string }): string {
  return id.slice(0, id.indexOf('/'));
}

/** Whether a probe is sent for a rule. */
export function isSentFor({ id }: AnyRule, { rules }: Probe): boolean {
  return rules?.some((rule) => rule === id) === true;
}

/** Whether a rule judges the exchanges of a probe. What the user's own probes show says nothing about the interface. */
export function concerns(rule: AnyRule, probe: Probe): boolean {
  if (isHouseProbe(probe.name) && rule.level !== HOUSE_LEVEL) return false;
  return isSentFor(rule, probe) || rule.judges?.(probe) === true;
}

/** Whether a rule means a probe: it is sent for the rule, or the rule looks at what it shows. */
export function isMeantFor(rule: AnyRule, probe: Probe): boolean {
  return isSentFor(rule, probe) || rule.dependsOn?.includes(probe.name) === true;
}

/**
 * Whether a rule needs a probe. One for which nothing is sent judges what is sent for others: for rules that are at least as
 * explicit, and every valid request, because what the interface says outright holds for each.
 *
 * @param meant every rule that means the probe: see {@link isMeantFor}
 */
export function needs(rule: AnyRule, probe: Probe, meant: readonly AnyRule[]): boolean {
  if (meant.includes(rule)) return true;
  if ((rule.rows ?? []).length > 0 || !concerns(rule, probe)) return false;
  if (rule.level === HOUSE_LEVEL || probe.expectation === 'created') return true;
  const explicit = levels.slice(0, levels.indexOf(rule.level) + 1);
  return meant.length === 0 || meant.some(({ level }) => explicit.some((one) => one === level));
}

/**
 * Requires that an invalid request is not accepted. The form of the rejection (a 4xx, and not a 5xx, a redirect, a
 * reset or no response) is the subject of `failure/refusal-is-4xx`.
 */
export function judgeRejection(exchange: Exchange): Judgement {
  if (exchange.expectation !== 'rejected' || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (isOverloaded(exchange)) return { blocked: whyFailed(exchange) };
  return isAccepted(exchange)
    ? { expected: 'a rejection: a 4xx with an Error', actual: responseInWords(exchange) }
    : undefined;
}

/**
 * Requires that a valid creation is not rejected. Which 2xx it gets is the subject of `success/status-is-200`, and whether
 * the provider fails that of `success/valid-plant-is-processed`.
 */
export function judgeAcceptance(exchange: Exchange): Judgement {
  if (exchange.expectation !== 'created' || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (isAccepted(exchange)) return undefined;
  return isRejected(exchange)
    ? { expected: '200', actual: responseInWords(exchange) }
    : { blocked: whyFailed(exchange) };
}

/** Why an exchange proves nothing: the provider neither accepted nor rejected the request. */
function whyFailed({ response, failure }: Exchange): string {
  return response === undefined
    ? `there was no response: ${failure?.message}`
    : `the response is ${response.status}`;
}

/** A heading of the interface document. */
export const RESOURCES = 'Resources and their fields';

/** Where the operation and its parts are in the OpenAPI document, as JSON pointers. */
export const OPERATION = pointerTo(['paths', operation.path, operation.method.toLowerCase()]);
export const REQUEST_BODY = `${OPERATION}/requestBody`;
export const REQUEST_JSON = `${REQUEST_BODY}/content/application~1json`;
export const RESPONSES = `${OPERATION}/responses`;
export const RESPONSE_200 = `${RESPONSES}/200`;
export const RESPONSE_400 = `${RESPONSES}/400`;

/** Where the schemas are in the OpenAPI document. NEW_PLANT is the part that it adds to PLANT. */
export const PLANT = '/components/schemas/Plant';
export const NEW_PLANT = '/components/schemas/NewPlant/allOf/1';
export const ERROR = '/components/schemas/Error';
export const BEARER = '/components/securitySchemes/bearerAuth';
