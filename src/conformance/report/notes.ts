import { countVerdicts, isBroken, isOutdated, isUnjudged } from '../../report/conclusion.js';
import type { Case, Finding } from '../../report/frame.js';
import { capitalised, counted, folded, listed } from '../../report/wording.js';
import {
  type Exchange,
  isAccepted,
  isBusy,
  isRejected,
  isThrottled,
  isWithoutConnection,
} from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Exploration } from '../exploring/exploration.js';
import { ABOUT_REQUEST, type Facts, stopInBrief } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import type { PrismOpinion } from '../judge/prism.js';
import type { Omission } from '../omission.js';
import type { CheckSettings } from '../options.js';
import { isAfterWrongTokens } from '../row.js';
import { rules } from '../topics/index.js';

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

/** The summary of a check: its conclusion, and what a reader must not take for a pass. */
export function summaryOf(
  cases: readonly Case[],
  { facts, notTestable, omission, judged }: CheckResult,
): string {
  const chosen = new Set<string>(judged.map(({ rule }) => rule.id));
  const unchosen = rules.filter(({ id }) => !chosen.has(id)).length;
  return sentences(
    notTestable === undefined
      ? verdictsInWords(cases, omission === undefined)
      : `The provider could not be tested: ${notTestable}${notTestable.endsWith('?') ? '' : '.'}`,
    unchosen > 0 && `As asked, the check left out ${counted(unchosen, 'other rule')}.`,
    omission && `${omission.sent} of ${omission.of} requests were sent: ${omission.why}.`,
    omission?.advice !== undefined && `${omission.advice}.`,
    facts.stop?.isRestarted === true && `${capitalised(stopInBrief(facts.stop))}, and was started again.`,
  ).join(' ');
}

function isUnexpected({ verdict, excuse }: Case): boolean {
  return verdict === 'fail' && excuse === undefined;
}

/** @param saysWhy whether nothing else says why rules could not be judged */
function verdictsInWords(cases: readonly Case[], saysWhy: boolean): string {
  const { pass, fail, warn } = countVerdicts(cases);
  const judged = counted(pass + fail + warn, 'judged rule');
  const broken = cases.filter(isUnexpected).length;
  const unjudged = cases.filter(isUnjudged);
  const expected = fail - broken;
  const outdated = cases.filter(isOutdated).map(({ id }) => id);
  return sentences(
    outdated.length > 0 && `Expected failures now pass: ${outdated.join(', ')}. Remove them from the list.`,
    broken > 0 && `The provider breaks ${broken} of ${judged}.`,
    broken === 0 &&
      unjudged.length > 0 &&
      `No rule failed, but ${counted(unjudged.length, 'rule')} could not be judged.`,
    broken === 0 &&
      saysWhy &&
      unjudged[0]?.detail !== undefined &&
      `The first of them is ${unjudged[0].id}: ${unjudged[0].detail}.`,
    broken + unjudged.length === 0 && !saysWhy && 'No rule failed.',
    broken + unjudged.length === 0 && saysWhy && `The provider satisfies ${pass} of ${judged}.`,
    expected > 0 && `Expected failures: ${expected}.`,
    warn > 0 && `Warnings: ${warn}. Only clients that break the interface themselves notice them.`,
  ).join(' ');
}

/** Said of a provider without a port: no command reaches it. */
export const WAS_CALLED =
  'The provider was called as a function. The commands of this report reach it only if it is also served at that URL.';

/** What a reader of the report must know besides the verdicts. */
export function notesOf(result: CheckResult): string[] {
  const { settings, expectations, prism } = result;
  return sentences(
    settings.signal.aborted &&
      'The check was stopped before its end. The report shows what was known by then.',
    ...turnedAwayInWords(result),
    ownLimitInWords(result),
    settings.fetch !== undefined && WAS_CALLED,
    ...expectations.notes,
    typeof prism === 'string' && `Prism has no opinion: ${prism}`,
  );
}

/** Says how many requests were turned away and sent again. */
function turnedAwayInWords({ exchanges }: CheckResult): string[] {
  const turnedAway = exchanges.filter(isThrottled);
  const accepted = exchanges.findIndex(isAccepted);
  const atFirst = turnedAway.filter(({ index }) => index < accepted);
  const later = turnedAway.length - atFirst.length;
  const status = turnedAway[0]?.response?.status;
  return sentences(
    atFirst.length > 0 &&
      `At first, the provider returned ${status} (${counted(atFirst.length, 'request')}), as if it were not ready. --wait waits for it.`,
    later > 0 &&
      `The provider turned ${counted(later, 'request')} away with ${turnedAway.at(-1)?.response?.status}. The check waited, and sent them again.`,
  );
}

/** How many valid plants may be rejected by chance, or for what they contain. */
const FEW_REJECTED = 3;

/** Says that some valid plants were rejected, and others like them accepted, as if there were too many. Only 429 and 503 say so. */
function ownLimitInWords({ exchanges, facts: { probes } }: CheckResult): string | undefined {
  const valid = exchanges.filter(
    ({ expectation, probe }) => expectation === 'created' && !isAfterWrongTokens(probes.get(probe)?.phase),
  );
  const accepted = new Set(valid.filter(isAccepted).map(({ probe }) => probe));
  const rejected = valid.filter(
    (one) =>
      isRejected(one) && !isBusy(one) && !ABOUT_REQUEST.has(one.response?.status) && accepted.has(one.probe),
  );
  const status = rejected[0]?.response?.status;
  if (rejected.length <= FEW_REJECTED || status === undefined) return undefined;
  return `${rejected.length} valid plants were rejected, the first with ${status}, and others like them accepted. If the provider limits its rate with ${status}, lift its limit for the check: only 429 and 503 say that there are too many requests.`;
}

/** Sentences about the run: how much was sent and created, what Prism and exploring say, and where to read more. */
export function remarksOf(
  { exchanges, exploration, settings }: CheckResult,
  createdIds: readonly string[],
  cases: readonly Case[],
  findings: readonly Finding[],
): string[] {
  const sent = exchanges.filter(wasSent).length;
  const atMost = exchanges.some(mayBeCreated) ? 'at most ' : '';
  const problems = cases.filter((one) => isBroken(one) && one.excuse === undefined);
  const unset = variablesIn(problems).filter((name) => settings.environment[name] === undefined);
  const ids = new Set(problems.map(({ id }) => id));
  const first = findings.flatMap((finding) => finding.cases).find((id) => ids.has(id));
  return sentences(
    `The check sent ${counted(sent, 'request')} and created ${atMost}${counted(createdIds.length, 'plant')}; the JSON report lists the ids.`,
    unset.length > 0 && `Before you run a command of this report in bash or zsh, set ${listed(unset)}.`,
    ...(exploration === undefined ? [] : exploringInBrief(exploration)),
    first !== undefined && `About a rule: npx plant-store-contract rules ${first}`,
  );
}

/** The variables in the commands of cases. */
function variablesIn(cases: readonly Case[]): readonly string[] {
  const commands = cases.flatMap(({ evidence }) => evidence.flatMap(({ reproduce = [] }) => reproduce));
  const names = commands.flatMap((command) =>
    Array.from(command.matchAll(/\$(PLANT_STORE_\w+)/g), ([, name = '']) => name),
  );
  return [...new Set(names)];
}

/** How many rules are named. */
const MOST_NAMED = 3;

/** What only a reader wants to know who wants to know everything: how Prism differs from the rules. That is no defect of the provider. */
export function detailsOf({ prism }: CheckResult): string[] {
  return typeof prism === 'object' ? [remarkOnPrism(prism)] : [];
}

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
  return sentences(
    `Exploring sent ${counted(requests, 'request')}, and found ${counted(failures.length, 'failure')}. It created ${counted(plants, 'plant')}, whose ids the report does not list.`,
    `To draw the same requests again: --explore --seed ${seed} --time ${seconds}s`,
    intermittent > 0 && `${counted(intermittent, 'request')} failed, but not when sent again.`,
  );
}

/** The ids of the plants that a check has created, and of those that it may have created. */
export function createdIdsOf({ exchanges, notTestable }: CheckResult): string[] {
  // If nothing can be tested, what is accepted gets a web page: that creates nothing.
  const isCreated = (one: Exchange): boolean => notTestable === undefined && isAccepted(one);
  return [...new Set(exchanges.filter((one) => isCreated(one) || mayBeCreated(one)).flatMap(sentId))];
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
