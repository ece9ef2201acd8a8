import type { Exchange } from './exchange.js';
import type { Evidence } from './judging/evidence.js';
import type { Probe } from './probe.js';

/**
 * How much the interface says: `documented`, in words; `implied`, it follows from the words; `unspecified`, it
 * is called "not shown", so that a provider may do as it likes.
 */
export type Level = 'documented' | 'implied' | 'unspecified';

/** The levels, from what is said most plainly to what is not said. */
export const levels: readonly Level[] = ['documented', 'implied', 'unspecified'];

/** Where the interface says it, or says that it does not. */
export interface Source {
  /** The heading in the interface document. */
  readonly section: string;
  /** The number of the rule under that heading, where rules are numbered. */
  readonly rule?: number;
  /** JSON pointer into the OpenAPI document. */
  readonly pointer: string;
}

interface RuleBase<Id extends string> {
  /** `topic/what-is-demanded`, stable. */
  readonly id: Id;
  /** The demand as a sentence; of what is unspecified, the question that the profile answers. */
  readonly title: string;
  readonly source: Source;
  /** Why the interface demands it; of an implied rule, why no reading allows the contrary. */
  readonly why: string;
  /** Which exchanges it judges: those of certain probes, or of all that a function picks. */
  readonly judges: readonly string[] | ((probe: Probe) => boolean);
  /** Probes that it does not judge, and whose answers it looks at. */
  readonly asks?: readonly string[];
}

/** How an exchange breaks a rule. */
export interface Problem {
  readonly expected: string;
  readonly actual: string;
}

/** Why a rule says nothing of a provider, which is free to be as it is: a sentence. */
export interface NotApplicable {
  readonly notApplicable: string;
}

/** What failed, so that an exchange proves nothing: a sentence. */
export interface Blocked {
  readonly blocked: string;
}

/**
 * Why an exchange leaves open whether the rule is kept, whatever others show: the rule does not pass, and as the provider
 * is free to be so, it does not apply. A sentence.
 */
export interface LeftOpen {
  readonly leftOpen: string;
}

/** `undefined` where the exchange keeps the rule, `nothing-to-judge` where it says nothing about it. */
export type Judgement = Problem | undefined | NotApplicable | LeftOpen | Blocked | 'nothing-to-judge';

/** What a rule may look at beside the exchange that it judges. */
export interface Context {
  readonly probe: Probe;
  /** The exchanges of the same attempt of the probe, this one included, in the order of its requests. */
  readonly sequence: readonly Exchange[];
  readonly evidence: Evidence;
}

/** A rule that the interface demands. */
export interface Demand<Id extends string = string> extends RuleBase<Id> {
  readonly level: 'documented' | 'implied';
  /**
   * Whether its verdict rests on the controls of its probes. Where a request is not accepted although it should
   * not be, that proves nothing if the good one is not accepted either: `for-a-pass`. `for-any-verdict`: what
   * comes back instead proves nothing as well.
   */
  readonly control: 'none' | 'for-a-pass' | 'for-any-verdict';
  /** What it means that none of them had anything to judge: the verdict is `blocked` then. */
  readonly nothingToJudge: string;
  /** Whether it judges what a probe met before it was sent again as well. */
  readonly everyAttempt?: boolean;
  /** Judges one exchange: pure, and never throws. */
  judge(exchange: Exchange, context: Context): Judgement;
}

/** What a provider does where the interface is silent. */
export interface Behaviour {
  /** For people: "A repeated id is answered with 409." */
  readonly sentence: string;
  /** The same for programs, which compare profiles: `409`, `accepted`, `no answer`. */
  readonly value: string;
}

/** A rule of the level `unspecified`: it demands nothing and records what a provider does. */
export interface Observation<Id extends string = string> extends RuleBase<Id> {
  readonly level: 'unspecified';
  /** Says what was seen in the exchanges of its probes; `undefined` where nothing was. */
  observe(exchanges: readonly Exchange[], evidence: Evidence): Behaviour | undefined;
}

/** One thing that the interface demands, or leaves open. */
export type Rule = Demand | Observation;

/** Types a rule where it is written, and keeps its id. */
export function defineRule<const Id extends string>(rule: Demand<Id>): Demand<Id> {
  return rule;
}

/** The first part of its id: rules are grouped by it. */
export function topicOf({ id }: Pick<Rule, 'id'>): string {
  return id.slice(0, id.indexOf('/'));
}

/** Whether a rule judges the exchanges of a probe. */
export function concerns({ judges }: Rule, probe: Probe): boolean {
  return typeof judges === 'function' ? judges(probe) : judges.includes(probe.name);
}
