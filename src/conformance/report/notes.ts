import { countVerdicts, HOUSE_LEVEL, isOutdated, isUnjudged } from '../../report/conclusion.js';
import type { Case, Section } from '../../report/frame.js';
import { capitalised, counted, folded, listed } from '../../report/wording.js';
import { type Exchange, isAccepted, isRejected, isThrottled, isWithoutConnection } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Exploration } from '../exploring/exploration.js';
import { type Facts, LOCKED_OUT, NO_TIME, stopInBrief } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import type { PrismOpinion } from '../judge/prism.js';
import { expiryInWords } from '../judge/testable.js';
import type { CheckSettings } from '../options.js';
import { isAfterWrongTokens } from '../probe.js';
import { rules } from '../topics/index.js';
import type { CheckReport } from './check-report.js';

/** Requests that a check has left out. */
export interface Omission {
  /** A clause without a full stop. */
  readonly why: string;
  /** The number of requests that are left out, and the number of requests of the whole check. */
  readonly requests: number;
  readonly of: number;
}

/** What a report is made of. */
export interface CheckResult {
  readonly settings: CheckSettings;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly facts: Facts;
  readonly judged: readonly JudgedRule[];
  /** Why nothing could be judged, if that is so. */
  readonly notTestable: string | undefined;
  readonly exchanges: readonly Exchange[];
  /** Failures whose probe was sent once more, and whether it failed again. */
  readonly again: ReadonlyMap<Failure, boolean>;
  readonly expectations: ActiveExpectations;
  /** What was left out, if anything was. */
  readonly omission: Omission | undefined;
  /** Prism's opinion, or why there is none. Left out if it was not asked. */
  readonly prism: PrismOpinion | string | undefined;
  readonly exploration?: Exploration | undefined;
}

/** The sentences that apply. */
function sentences(...all: readonly (string | false | undefined)[]): string[] {
  return all.filter((one) => typeof one === 'string');
}

/**
 * The summary of a check: its conclusion, and what a reader must not take for a pass.
 *
 * @param unsent how many requests were not sent, or whose responses were not waited for
 */
export function summaryOf(
  cases: readonly Case[],
  { facts, notTestable, omission, judged, exchanges }: CheckResult,
  unsent: number,
): string {
  const ofHouse = notTestable === undefined ? cases.filter(({ level }) => level === HOUSE_LEVEL) : [];
  const [broken, unjudged] = [ofHouse.filter(isUnexpected), ofHouse.filter(isUnjudged)];
  const inWords = (some: readonly Case[]): string =>
    `${counted(some.length, 'house rule')}: ${some.map(({ id }) => id).join(', ')}.`;
  const chosen = new Set<string>(judged.map(({ rule }) => rule.id));
  const unchosen = rules.filter(({ id }) => !chosen.has(id)).length;
  return sentences(
    facts.stop && `${capitalised(stopInBrief(facts.stop))}.`,
    notTestable === undefined
      ? aboutInterface(cases, unsent)
      : `The provider could not be tested: ${notTestable}${notTestable.endsWith('?') ? '' : '.'}`,
    broken.length > 0 && `It breaks ${inWords(broken)}`,
    unjudged.length > 0 && `The check could not judge ${inWords(unjudged)}`,
    unchosen > 0 && `As asked, the check left out ${counted(unchosen, 'other rule')}.`,
    omission && `${omission.of - omission.requests} of ${omission.of} requests were sent: ${omission.why}.`,
    notTestable === undefined && expiryInWords(exchanges),
  ).join(' ');
}

function isUnexpected({ verdict, excuse }: Case): boolean {
  return verdict === 'fail' && excuse === undefined;
}

/** The sentences about the rules of the interface. House rules are apart from them. */
function aboutInterface(all: readonly Case[], unsent: number): string {
  const cases = all.filter(({ level }) => level !== HOUSE_LEVEL);
  const { pass, fail, warn } = countVerdicts(cases);
  const judged = counted(pass + fail + warn, 'judged rule');
  const broken = cases.filter(isUnexpected).length;
  const unjudged = cases.filter(isUnjudged).length;
  const expected = all.filter((one) => one.verdict === 'fail' && !isUnexpected(one)).length;
  const outdated = all.filter(isOutdated).map(({ id }) => id);
  const isSatisfied = broken + unjudged + unsent === 0;
  return sentences(
    outdated.length > 0 && `Expected failures now pass: ${outdated.join(', ')}. Remove them from the list.`,
    broken > 0 && `The provider breaks ${broken} of ${judged}.`,
    broken === 0 && unjudged > 0 && `No rule failed, but ${counted(unjudged, 'rule')} could not be judged.`,
    broken + unjudged === 0 &&
      unsent > 0 &&
      `No rule failed, but ${counted(unsent, 'request')} could not be sent, or got no response in time.`,
    isSatisfied && `The provider satisfies ${pass} of ${judged}.`,
    expected > 0 && `Expected failures: ${expected}.`,
    warn > 0 && `Warnings: ${warn}. Only clients notice them that break the interface themselves.`,
  ).join(' ');
}

/** Said of a provider without a port: no command reaches it. */
export const WAS_CALLED =
  'The provider was called as a function. The commands after "reproduce" reach it only if it is also served at that URL.';

/** What a reader of the report must know besides the verdicts. */
export function notesOf(result: CheckResult): string[] {
  const { facts, settings, expectations, omission, prism, judged } = result;
  const after = facts.exchanges.findLast(({ probe }) => facts.probes.get(probe)?.phase === 'afterwards');
  const isLockedOut =
    after !== undefined && isRejected(after) && !(isThrottled(after) && facts.limitsItsRate);
  const unjudged = judged.flatMap(({ rule, reason }) =>
    rule.level !== 'unspecified' && (reason === NO_TIME || reason === LOCKED_OUT) ? [rule.id] : [],
  );
  return sentences(
    omission &&
      unjudged.length > 0 &&
      `Requests were left out, so there is no verdict on ${listed(unjudged)}.`,
    settings.signal.aborted &&
      'The check was stopped before its end. The report shows what was known by then.',
    isLockedOut &&
      `After requests with wrong tokens, the right token was rejected with ${after.response?.status}: the provider may lock clients out. No result depends on this, but the check did not send what comes next. Lift it for the check.`,
    ownLimitInWords(result),
    settings.fetch !== undefined && WAS_CALLED,
    ...expectations.notes,
    typeof prism === 'string' && `Prism has no opinion: ${prism}`,
  );
}

/** With these, a provider says that the content or the token is wrong, or that the plant exists. */
const ABOUT_REQUEST: ReadonlySet<number> = new Set([400, 401, 409, 422, 429]);
/** So many valid plants are rejected by chance, or for what they contain. */
const FEW_REJECTED = 3;

/** Says that some valid plants were rejected, and others like them accepted, as if there were too many. Only 429 and 503 say so. */
function ownLimitInWords({ exchanges, facts: { probes } }: CheckResult): string | undefined {
  const valid = exchanges.filter(
    ({ expectation, probe }) => expectation === 'created' && !isAfterWrongTokens(probes.get(probe)?.phase),
  );
  const accepted = new Set(valid.filter(isAccepted).map(({ probe }) => probe));
  const rejected = valid.filter(
    (one) => isRejected(one) && accepted.has(one.probe) && !ABOUT_REQUEST.has(one.response?.status ?? 0),
  );
  const status = rejected[0]?.response?.status;
  if (rejected.length <= FEW_REJECTED || status === undefined) return undefined;
  return `${rejected.length} valid plants were rejected, the first with ${status}, and others like them accepted. If the provider limits its rate with ${status}, lift its limit for the check: only 429 and 503 say that there are too many requests.`;
}

/** Sentences about the run: how much was sent and created, what Prism and exploring say, and what to do next. */
export function remarksOf(
  { exchanges, prism, exploration, omission }: CheckResult,
  { createdIds, uncertainIds }: PlantIds,
  cases: readonly Case[],
): string[] {
  const sent = exchanges.filter(wasSent).length;
  const commands = cases.flatMap(({ evidence, excuse }) =>
    excuse === undefined ? evidence.flatMap(({ reproduce }) => reproduce ?? []) : [],
  );
  return sentences(
    `The check sent ${counted(sent, 'request')} and created ${counted(createdIds.length, 'plant')}; the JSON report lists the ids.`,
    uncertainIds.length > 0 &&
      `${counted(uncertainIds.length, 'more plant')} may have been created: a response is missing, incomplete, or a 5xx.`,
    commands.length > 0 && beforeCommands(commands),
    typeof prism === 'object' && remarkOnPrism(prism),
    ...(exploration === undefined ? [] : exploringInBrief(exploration)),
    ...(omission === undefined ? nextInBrief(cases) : []),
  );
}

/** Says what a reader does before the commands: they show no secret, so they read each from a variable. */
function beforeCommands(commands: readonly string[]): string {
  // In alphabetical order.
  const variables = [...new Set(commands.join('\n').match(/PLANT_STORE_\w+/g))].sort();
  const first = variables.length === 0 ? '' : `, first set ${listed(variables)}`;
  return `Before you run a command after "reproduce" in bash or zsh${first}, and start the provider if it has stopped.`;
}

/** So many rules are named. */
const MOST_NAMED = 3;

/** Says in one sentence how Prism differs from the rules. That is no defect of the provider. */
function remarkOnPrism({ responses, disagreements }: PrismOpinion): string {
  const overlooked = disagreements.flatMap(({ rules }) => rules);
  const objections = disagreements.filter(({ rules }) => rules.length === 0).length;
  const differences = sentences(
    overlooked.length > 0 && `overlooks what breaks ${folded(overlooked, MOST_NAMED)}`,
    objections > 0 && `objects to ${counted(objections, 'response')} without a broken rule`,
  );
  return differences.length === 0
    ? `Prism agrees with the rules on ${counted(responses, 'response')}.`
    : `Prism, whose opinion changes no result, ${differences.join(', and ')}.`;
}

/** Says what exploring did, and how to repeat it. */
function exploringInBrief(exploration: Exploration): string[] {
  const { seed, requests, plants, durationMs, failures, intermittent } = exploration;
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const once = Object.entries(intermittent).map(([rule, count]) => `${rule} (${count})`);
  return sentences(
    `Exploring sent ${counted(requests, 'request')}, and found ${counted(failures.length, 'failure')}. It created ${counted(plants, 'plant')}, whose ids the report does not list.`,
    `To draw the same requests again: --explore --seed ${seed} --time ${seconds}s`,
    once.length > 0 && `Some requests failed once, and not when they were sent again: ${once.join(', ')}.`,
  );
}

/** Says what to do next, each command on a line of its own. If something could not be judged, the summary says why. */
function nextInBrief(cases: readonly Case[]): string[] {
  const failing = cases.find(isUnexpected);
  const warning = cases.find(({ verdict, excuse }) => verdict === 'warn' && excuse === undefined);
  const first = failing ?? warning;
  if (first === undefined)
    return cases.some(isUnjudged)
      ? []
      : ['Next: check each change in CI; plant-store init writes a workflow.'];
  return [
    failing === undefined
      ? 'Next: read the warnings; --strict makes errors of them.'
      : `Next: fix a problem, then check with --only ${failing.id}`,
    `About a rule: plant-store rules ${first.id}`,
  ];
}

type PlantIds = Pick<CheckReport, 'createdIds' | 'uncertainIds'>;

/** The ids of the plants that a check has created, and of those that it may have created. */
export function plantIdsOf({ exchanges, notTestable }: CheckResult): PlantIds {
  // If nothing can be tested, what is accepted gets a web page: that creates nothing.
  const accepted = notTestable === undefined ? exchanges.filter(isAccepted) : [];
  const createdIds = new Set(accepted.flatMap(sentId));
  const uncertain = new Set(exchanges.filter(mayBeCreated).flatMap(sentId));
  return { createdIds: [...createdIds], uncertainIds: [...uncertain].filter((id) => !createdIds.has(id)) };
}

/** Whether a plant may have been created although no response says so. */
function mayBeCreated(sent: Exchange): boolean {
  const { expectation, request, response, failure } = sent;
  if (expectation === 'rejected' || request.otherOperation !== undefined || isThrottled(sent)) return false;
  return (response?.status ?? 0) >= 500 || (failure !== undefined && wasSent(sent));
}

function wasSent(exchange: Exchange): boolean {
  return exchange.failure?.kind !== 'not-sent' && !isWithoutConnection(exchange);
}

/** The id of an accepted request, as its body has it. */
function sentId({ request }: Exchange): string[] {
  if (request.plant !== undefined) return [String(request.plant.id)];
  const written = /"id"\s*:\s*"?(-?[\d.eE+]+)/.exec(Buffer.from(request.body).toString())?.[1];
  const id = written ?? request.id;
  return id === undefined ? [] : [String(id)];
}

/** Lists the ids, for reference. */
export function createdSection({ createdIds, uncertainIds }: PlantIds): Section[] {
  const items = sentences(
    createdIds.length > 0 && `created: ${createdIds.join(', ')}`,
    uncertainIds.length > 0 && `perhaps created: ${uncertainIds.join(', ')}`,
  );
  return items.length === 0 ? [] : [{ title: 'Ids of plants in the provider', items, isReference: true }];
}
