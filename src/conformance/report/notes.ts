import { countVerdicts, HOUSE_LEVEL, isOutdated, isUnjudged } from '../../report/conclusion.js';
import type { Case, Conclusion, Section } from '../../report/frame.js';
import { capitalised, counted, folded, listed } from '../../report/wording.js';
import { type Exchange, isAccepted, isRejected, isThrottled, type NoResponse } from '../exchange.js';
import type { ActiveExpectations } from '../expected-failures.js';
import type { Exploration } from '../exploring/exploration.js';
import { type Facts, LOCKED_OUT, NO_TIME, stopInBrief } from '../judge/facts.js';
import type { Failure, JudgedRule } from '../judge/judge.js';
import type { PrismOpinion } from '../judge/prism.js';
import type { CheckSettings } from '../options.js';
import type { Omission } from '../prepare.js';
import { isAfterWrongTokens } from '../probe.js';
import { rules } from '../topics/index.js';
import type { CheckReport } from './check-report.js';

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

/**
 * The summary of a check: its conclusion, and what a reader must not take for a pass.
 *
 * @param unsent how many requests were not sent, or whose responses were not waited for
 */
export function summaryOf(
  conclusion: Conclusion,
  cases: readonly Case[],
  { facts, notTestable, omission }: CheckResult,
  { judged, unsent }: { readonly judged: readonly JudgedRule[]; readonly unsent: number },
): string {
  return [
    ...(facts.stop === undefined ? [] : [`${capitalised(stopInBrief(facts.stop))}.`]),
    aboutInterface(conclusion, cases, notTestable, unsent),
    ...(conclusion === 'not-testable' ? [] : aboutHouse(cases)),
    ...unchosenInBrief(judged),
    ...(omission === undefined ? [] : [omissionInBrief(omission)]),
  ].join(' ');
}

function aboutHouse(all: readonly Case[]): string[] {
  const cases = all.filter(({ level }) => level === HOUSE_LEVEL);
  const about = (what: string, some: readonly Case[]): string[] =>
    some.length === 0
      ? []
      : [`${what} ${counted(some.length, 'house rule')}: ${some.map(({ id }) => id).join(', ')}.`];
  return [
    ...about('It breaks', cases.filter(isUnexpected)),
    ...about('The check could not judge', cases.filter(isUnjudged)),
  ];
}

function isUnexpected({ verdict, excuse }: Case): boolean {
  return verdict === 'fail' && excuse === undefined;
}

/**
 * The sentence about the rules of the interface. House rules are apart from them.
 *
 * @param notTestable why nothing could be judged, if that is so
 */
function aboutInterface(
  conclusion: Conclusion,
  all: readonly Case[],
  notTestable: string | undefined,
  unsent: number,
): string {
  const outdated = all.filter(isOutdated).map(({ id }) => id);
  const cases = all.filter(({ level }) => level !== HOUSE_LEVEL);
  const { pass, fail, warn, blocked, error } = countVerdicts(cases);
  const expected = all.filter((one) => one.verdict === 'fail' && !isUnexpected(one)).length;
  const broken = cases.filter(isUnexpected).length;
  const asExpected =
    expected === 0 ? '' : ` ${counted(expected, 'rule')} ${expected === 1 ? 'fails' : 'fail'} as expected.`;
  switch (conclusion) {
    case 'not-testable':
      return `The provider could not be tested: ${notTestable}${notTestable?.endsWith('?') ? '' : '.'}`;
    case 'does-not-conform':
      return `The provider breaks ${brokenInWords(broken, pass + fail + warn)}.${asExpected}${warned(warn)}`;
    case 'outdated-expectations':
      return `Expected failures now pass: ${outdated.join(', ')}. Remove them from the list.`;
    case 'incomplete':
      if (blocked + error > 0)
        return `No rule failed, but ${counted(blocked + error, 'rule')} could not be judged.${asExpected}`;
      // Otherwise only house rules could not be judged.
      return unsent === 0
        ? satisfied(pass, warn)
        : `No rule failed, but ${counted(unsent, 'request')} could not be sent, or got no response in time.${asExpected}`;
    case 'expected-failures':
      return `The provider satisfies ${counted(pass, 'rule')}.${asExpected}${warned(warn)}`;
    default:
      return satisfied(pass, warn);
  }
}

/** `2 of the 60 rules that were judged` */
function brokenInWords(broken: number, judged: number): string {
  return `${judged === 1 ? 'the one rule' : `${broken} of the ${judged} rules`} that ${judged === 1 ? 'was' : 'were'} judged`;
}

/** What rules of the severity `warning` mean that are broken. */
function warned(warnings: number): string {
  if (warnings === 0) return '';
  const what = warnings === 1 ? 'A warning is' : `${warnings} warnings are`;
  return ` ${what} about what only a client notices that breaks the interface itself.`;
}

function satisfied(pass: number, warnings: number): string {
  if (warnings > 0)
    return `The provider satisfies ${pass} of the ${counted(pass + warnings, 'rule')} that apply to it.${warned(warnings)}`;
  if (pass === 0) return 'No documented or implied rule was judged.';
  return pass === 1
    ? 'The provider satisfies the one rule that applies to it.'
    : `The provider satisfies all ${pass} rules that apply to it.`;
}

/** Says that the user chose some of the rules: a reader of the conclusion may not know it. */
function unchosenInBrief(judged: readonly JudgedRule[]): string[] {
  const chosen = new Set<string>(judged.map(({ rule }) => rule.id));
  const unchosen = rules.filter(({ id }) => !chosen.has(id)).length;
  return unchosen === 0
    ? []
    : [`${counted(unchosen, 'other rule')} ${unchosen === 1 ? 'was' : 'were'} left out, as asked.`];
}

function omissionInBrief({ requests, of, why }: Omission): string {
  return `${of - requests} of ${counted(of, 'request')} ${of - requests === 1 ? 'was' : 'were'} sent: ${why}.`;
}

/** Says how much was left out, and which rules are therefore not judged. */
function omissionInFull(omission: Omission, judged: readonly JudgedRule[]): string {
  const unjudged = judged.filter(({ reason }) => reason === NO_TIME || reason === LOCKED_OUT);
  const demands = unjudged.filter(({ rule }) => rule.level !== 'unspecified').map(({ rule }) => rule.id);
  return `${omissionInBrief(omission)}${demands.length === 0 ? '' : ` Left out with them: ${listed(demands)}.`}`;
}

/** Said of a provider without a port: no command reaches it. */
export const WAS_CALLED =
  'The provider was called as a function. The commands after "reproduce" reach it only if it is also served at that URL.';

/** What a reader of the report must know besides the verdicts. */
export function notesOf(result: CheckResult): string[] {
  const { exchanges, facts, settings, expectations, omission, prism, judged } = result;
  const after = facts.exchanges.findLast(({ probe }) => facts.probes.get(probe)?.phase === 'afterwards');
  const isLockedOut =
    after !== undefined && isRejected(after) && !(isThrottled(after) && facts.limitsItsRate);
  return [
    ...(omission === undefined ? [] : [omissionInFull(omission, judged)]),
    ...(settings.signal.aborted
      ? ['The check was stopped before its end. The report shows what was known by then.']
      : []),
    ...(isLockedOut
      ? [
          `After requests with wrong tokens, the right token was rejected with ${after.response?.status}: the provider may lock clients out. No result depends on this, but the check did not send what comes next. Lift it for the check.`,
        ]
      : []),
    ...acceptInFull(settings),
    ...ownLimitInFull(exchanges, facts),
    ...(settings.fetch === undefined ? [] : [WAS_CALLED]),
    ...expectations.notes,
    ...(typeof prism === 'string' ? [`Prism has no opinion: ${prism}`] : []),
  ];
}

/** Says which field the provider demands: many clients do not send it. */
function acceptInFull({ accept }: CheckResult['settings']): string[] {
  if (accept === undefined) return [];
  return [
    `The provider accepts a plain plant only with the header Accept, which the interface does not ask for. Without it, the response was 406: clients that do not send it, such as net/http in Go, cannot create a plant. So the check added "Accept: ${accept}" to every request that has no Accept of its own.`,
  ];
}

/** With these, a provider says that the content or the token is wrong, or that the plant exists. */
const ABOUT_REQUEST: ReadonlySet<number> = new Set([400, 401, 409, 422, 429]);
/** So many valid plants are rejected by chance, or for what they contain. */
const FEW_REJECTED = 3;

/** Says that some valid plants were rejected, and others like them accepted, as if there were too many. Only 429 and 503 say so. */
function ownLimitInFull(exchanges: readonly Exchange[], { probes }: Facts): string[] {
  const valid = exchanges.filter(
    ({ expectation, probe }) => expectation === 'created' && !isAfterWrongTokens(probes.get(probe)?.phase),
  );
  const accepted = new Set(valid.filter(isAccepted).map(({ probe }) => probe));
  const rejected = valid.filter(
    (one) => isRejected(one) && accepted.has(one.probe) && !ABOUT_REQUEST.has(one.response?.status ?? 0),
  );
  const status = rejected[0]?.response?.status;
  if (rejected.length <= FEW_REJECTED || status === undefined) return [];
  return [
    `${rejected.length} valid plants were rejected, the first with ${status}, and others like them accepted. If the provider limits its rate with ${status}, lift its limit for the check: only 429 and 503 say that there are too many requests.`,
  ];
}

/** Sentences about the run: how much was sent and created, what was sent again, and what Prism and exploring say. */
export function remarksOf(result: CheckResult, cases: readonly Case[]): string[] {
  const { prism, exploration, omission } = result;
  return [
    ...sentInBrief(result, cases),
    ...(typeof prism === 'object' ? [remarkOnPrism(prism)] : []),
    ...exploringInBrief(exploration),
    ...nextInBrief(cases, { exploration, omission }),
  ];
}

/** Says what to do next. If something could not be judged, the summary says why. */
function nextInBrief(
  cases: readonly Case[],
  { exploration, omission }: Pick<CheckResult, 'exploration' | 'omission'>,
): string[] {
  const failing = cases.find(isUnexpected);
  if (failing !== undefined)
    return [
      // Each on a line of its own, so that no command is broken in the middle.
      `Next: fix a problem, then check with --only ${failing.id}`,
      `About a rule: plant-store rules ${failing.id}`,
    ];
  const warning = cases.find(({ verdict, excuse }) => verdict === 'warn' && excuse === undefined);
  if (warning !== undefined)
    return [
      `Next: read the warnings; --strict makes errors of them. About a rule: plant-store rules ${warning.id}`,
    ];
  if (omission !== undefined || !cases.every(({ verdict }) => CONFORMS.has(verdict))) return [];
  const more = exploration === undefined ? ' To try requests at random: --explore.' : '';
  return [`Next: check each change in CI; plant-store init writes a workflow.${more}`];
}

const CONFORMS: ReadonlySet<Case['verdict']> = new Set(['pass', 'warn', 'observed', 'not-applicable']);

function sentInBrief(result: CheckResult, cases: readonly Case[]): string[] {
  const { createdIds, uncertainIds } = plantIdsOf(result);
  const sent = result.exchanges.filter(({ failure }) => failure === undefined || wasSent(failure)).length;
  const more =
    uncertainIds.length === 0
      ? ''
      : ` ${counted(uncertainIds.length, 'more plant')} may have been created: a response is missing, incomplete, or a 5xx.`;
  const shown = cases.filter(({ excuse }) => excuse === undefined);
  const commands = shown.flatMap(({ evidence }) => evidence.flatMap(({ reproduce }) => reproduce ?? []));
  return [
    `The check sent ${counted(sent, 'request')} and created ${createdIds.length === 0 ? 'no plant.' : `${counted(createdIds.length, 'plant')}; the JSON report lists the ids.`}${more}`,
    ...(commands.length === 0 ? [] : [beforeCommands(commands)]),
  ];
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
  if (disagreements.length === 0)
    return `Prism agrees with the rules on ${responses === 1 ? 'the one response' : `all ${responses} responses`}.`;
  const overlooked = disagreements.flatMap(({ rules }) => rules);
  const objections = disagreements.filter(({ rules }) => rules.length === 0).length;
  const differences = [
    ...(overlooked.length === 0 ? [] : [`overlooks what breaks ${folded(overlooked, MOST_NAMED)}`]),
    ...(objections === 0 ? [] : [`objects to ${counted(objections, 'response')} without a broken rule`]),
  ];
  return `Prism, whose opinion changes no result, ${differences.join(', and ')}.`;
}

/** Says what exploring did, and how to repeat it. */
function exploringInBrief(exploration: Exploration | undefined): string[] {
  if (exploration === undefined) return [];
  const { seed, requests, plants, durationMs, failures, intermittent } = exploration;
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const once = Object.entries(intermittent).map(([rule, count]) => `${rule} (${count})`);
  return [
    `Exploring sent ${counted(requests, 'request')}, and found ${counted(failures.length, 'failure')}. It created ${counted(plants, 'plant')}, whose ids the report does not list.`,
    `To draw the same requests again: --explore --seed ${seed} --time ${seconds}s`,
    ...(once.length === 0
      ? []
      : [`Some requests failed once, and not when they were sent again: ${once.join(', ')}.`]),
  ];
}

/** The ids of the plants that a check has created, and of those that it may have created. */
export function plantIdsOf({
  exchanges,
  notTestable,
}: Pick<CheckResult, 'exchanges' | 'notTestable'>): Pick<CheckReport, 'createdIds' | 'uncertainIds'> {
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
  return (response?.status ?? 0) >= 500 || (failure !== undefined && wasSent(failure));
}

function wasSent({ kind }: NoResponse): boolean {
  return !['not-sent', 'not-connected', 'unreachable', 'tls'].includes(kind);
}

/** The id of an accepted request, as its body has it. */
function sentId({ request }: Exchange): string[] {
  if (request.plant !== undefined) return [String(request.plant.id)];
  const written = /"id"\s*:\s*"?(-?[\d.eE+]+)/.exec(Buffer.from(request.body).toString())?.[1];
  const id = written ?? request.id;
  return id === undefined ? [] : [String(id)];
}

/** Lists the ids, for reference. */
export function createdSection({
  createdIds,
  uncertainIds,
}: Pick<CheckReport, 'createdIds' | 'uncertainIds'>): Section[] {
  const sectionOf = (title: string, text: string, ids: readonly string[]): Section[] =>
    ids.length === 0
      ? []
      : [
          {
            title,
            text: `${text.replace('#', counted(ids.length, 'plant'))}. The ids:`,
            items: [ids.join(', ')],
            isReference: true,
          },
        ];
  return [
    ...sectionOf('Created plants', 'The check created #, which the provider now has', createdIds),
    ...sectionOf(
      'Plants that may have been created',
      'The provider may have #: the response is missing, incomplete, or a 5xx',
      uncertainIds,
    ),
  ];
}
