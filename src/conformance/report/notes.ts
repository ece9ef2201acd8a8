import { countVerdicts, HOUSE_LEVEL, isOutdated, isUnjudged } from '../../report/conclusion.js';
import type { Case, Conclusion, Section } from '../../report/frame.js';
import { capitalised, counted, folded, listed } from '../../report/wording.js';
import {
  type Exchange,
  isAccepted,
  isRejected,
  isSilence,
  isThrottled,
  type NoResponse,
} from '../exchange.js';
import type { Exploration } from '../exploring/exploration.js';
import { type Facts, stopInBrief } from '../judge/facts.js';
import type { JudgedRule } from '../judge/judge.js';
import type { PrismDisagreement, PrismOpinion } from '../judge/prism.js';
import { answersEverything } from '../judge/testable.js';
import type { Omission } from '../prepare.js';
import { isAfterWrongTokens } from '../probe.js';
import { rules } from '../topics/index.js';
import type { CheckReport } from './check-report.js';
import type { CheckResult } from './check-result.js';

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
  const isMeant = (one: Case, isExpected: boolean): boolean =>
    one.verdict === 'fail' && (one.excuse !== undefined) === isExpected;
  const ids = (some: readonly Case[]): string =>
    `${counted(some.length, 'house rule')}: ${some.map(({ id }) => id).join(', ')}.`;
  const broken = cases.filter((one) => isMeant(one, false));
  const expected = cases.filter((one) => isMeant(one, true));
  const unjudged = cases.filter(isUnjudged);
  return [
    ...(broken.length === 0 ? [] : [`It breaks ${ids(broken)}`]),
    ...(expected.length === 0 ? [] : [`As expected, it breaks ${ids(expected)}`]),
    ...(unjudged.length === 0 ? [] : [`The check could not judge ${ids(unjudged)}`]),
  ];
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
  const expected = cases.filter(({ verdict, excuse }) => verdict === 'fail' && excuse !== undefined).length;
  const asExpected =
    expected === 0 ? '' : ` ${counted(expected, 'rule')} ${expected === 1 ? 'fails' : 'fail'} as expected.`;
  switch (conclusion) {
    case 'not-testable':
      return `The provider could not be tested: ${notTestable}${notTestable?.endsWith('?') ? '' : '.'}`;
    case 'does-not-conform':
      return `The provider breaks ${brokenInWords(fail - expected, pass + fail + warn)}.${asExpected}${warned(warn)}`;
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
  if (judged === 1) return 'the one rule that was judged';
  return `${broken === judged ? `all ${judged}` : `${broken} of the ${judged}`} rules that were judged`;
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
function omissionInFull(omission: Omission): string {
  const isObservation = (rule: string): boolean => rule.startsWith('unspecified/');
  const demands = omission.rules.filter((rule) => !isObservation(rule));
  const observations = omission.rules.length - demands.length;
  const missing = [...demands, ...(observations === 0 ? [] : [counted(observations, 'observation')])];
  const unjudged = missing.length === 0 ? '' : ` Left out with them: ${listed(missing)}.`;
  return `${omissionInBrief(omission)}${unjudged}`;
}

/** Said of a provider without a port: no command reaches it. */
export const WAS_CALLED =
  'The provider was called as a function. The commands after "reproduce" reach it only if it is also served at that URL.';

/** What a reader of the report must know besides the verdicts. */
export function notesOf({
  exchanges,
  facts,
  settings,
  expectations,
  omission,
  prism,
}: CheckResult): string[] {
  const notes = omission === undefined ? [] : [omissionInFull(omission)];
  if (settings.signal.aborted)
    notes.push('The check was stopped before its end. The report shows what was known by then.');
  const after = exchanges.findLast(
    ({ probe, role }) => facts.probes.get(probe)?.phase === 'afterwards' && role === 'judged',
  );
  const isThrottledAsBefore = after !== undefined && isThrottled(after) && facts.limitsItsRate;
  if (after !== undefined && isRejected(after) && !isThrottledAsBefore) {
    notes.push(
      `After requests with wrong tokens, the right token was rejected with ${after.response?.status}: the provider may lock clients out. No result depends on this, but the check did not send what comes next. Lift it for the check.`,
    );
  }
  notes.push(...acceptInFull(settings), ...ownLimitInFull(exchanges, facts));
  if (settings.fetch !== undefined) notes.push(WAS_CALLED);
  notes.push(...expectations.notes);
  if (typeof prism === 'string') notes.push(`Prism has no opinion: ${prism}`);
  return notes;
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
export function remarksOf(
  { exchanges, prism, exploration, omission }: CheckResult,
  cases: readonly Case[],
): string[] {
  return [
    ...sentInBrief(exchanges, cases),
    ...resentInBrief(exchanges),
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
  const failing = cases.find(({ verdict, excuse }) => verdict === 'fail' && excuse === undefined);
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
  if (!cases.every(({ verdict }) => CONFORMS.has(verdict))) return [];
  if (omission !== undefined) return ['Next: let the check send all requests.'];
  const more = exploration === undefined ? ' To try requests at random: --explore.' : '';
  return [`Next: check each change in CI; plant-store init writes a workflow.${more}`];
}

const CONFORMS: ReadonlySet<Case['verdict']> = new Set(['pass', 'warn', 'observed', 'not-applicable']);

function sentInBrief(exchanges: readonly Sent[], cases: readonly Case[]): string[] {
  const { createdIds, uncertainIds } = plantIdsOf(exchanges);
  const sent = exchanges.filter(({ failure }) => failure === undefined || wasSent(failure)).length;
  const more =
    uncertainIds.length === 0
      ? ''
      : ` ${counted(uncertainIds.length, 'more plant')} may have been created: a response is missing, incomplete, or a 5xx.`;
  const commands = cases.flatMap(({ evidence }) => evidence.flatMap(({ reproduce }) => reproduce ?? []));
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

/** So many requests, or rules, are named. */
const MOST_NAMED = 3;

/** Says in one sentence whether Prism agrees with the rules. */
export function remarkOnPrism({ responses, disagreements }: PrismOpinion): string {
  if (disagreements.length > 0)
    return `Prism judges ${disagreements.length} of ${counted(responses, 'response')} differently from the rules. This changes no result.`;
  if (responses === 0) return 'Prism judged no response.';
  return responses === 1
    ? 'Prism agrees with the rules on the one response.'
    : `Prism agrees with the rules on all ${responses} responses.`;
}

/**
 * Where Prism disagrees with the rules. Nothing if it agrees on every response.
 *
 * @param titleOf what was sent in the exchange with this index, as a noun
 */
export function prismSection(opinion: PrismOpinion, titleOf: (exchange: number) => string): Section[] {
  const { disagreements } = opinion;
  const onlyPrism = disagreements.filter(({ rules }) => rules.length === 0);
  const onlyRules = disagreements.filter(({ rules }) => rules.length > 0);
  const thatBreak = ({ length }: readonly PrismDisagreement[]): string =>
    `${length} that ${length === 1 ? 'breaks' : 'break'}`;
  const broken = onlyRules.flatMap((one) => one.rules);
  const titles = onlyPrism.map(({ exchange }) => titleOf(exchange));
  const items = [
    ...(broken.length === 0 ? [] : [`It accepts ${thatBreak(onlyRules)} ${folded(broken, MOST_NAMED)}.`]),
    ...(titles.length === 0
      ? []
      : [`It objects to ${thatBreak(onlyPrism)} none. Sent: ${folded(titles, MOST_NAMED)}.`]),
  ];
  return items.length === 0 ? [] : [{ title: 'Prism', items, isReference: true }];
}

/**
 * Says how many requests got no response and were sent again. A slow provider or one that limits its connections may do
 * that, so no rule fails for it, but a reader should know.
 */
function resentInBrief(exchanges: readonly Exchange[]): string[] {
  const { length } = exchanges.filter((one) => one.role === 'superseded' && isSilence(one));
  if (length === 0) return [];
  return [
    `${length} of ${counted(exchanges.length, 'request')} got no response and ${length === 1 ? 'was' : 'were'} sent again.`,
  ];
}

/** Says what exploring did, and how to repeat it. */
function exploringInBrief(exploration: Exploration | undefined): string[] {
  if (exploration === undefined) return [];
  const { seed, requests, plants, durationMs, failures, intermittent } = exploration;
  const rate = Math.round((requests / Math.max(1, durationMs)) * 1000);
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const once = Object.entries(intermittent).map(([rule, count]) => `${rule} (${count})`);
  return [
    `Exploring sent ${counted(requests, 'request')}, ${rate} a second. It found ${counted(failures.length, 'failure')}.`,
    `Exploring created ${counted(plants, 'plant')}. The report does not list their ids.`,
    `To draw the same requests again: --explore --seed ${seed} --time ${seconds}s`,
    ...(once.length === 0
      ? []
      : [`Some requests failed once, and not when they were sent again: ${once.join(', ')}.`]),
  ];
}

/** An exchange, whatever it was sent for. */
type Sent = Omit<Exchange, 'probe'> & { readonly probe: string };

/** The ids of the plants that a check has created, and of those that it may have created. */
export function plantIdsOf(exchanges: readonly Sent[]): Pick<CheckReport, 'createdIds' | 'uncertainIds'> {
  // What is no provider creates nothing, whatever it answers.
  if (answersEverything(exchanges) !== undefined) return { createdIds: [], uncertainIds: [] };
  const createdIds = new Set(exchanges.filter(isAccepted).flatMap(sentId));
  const uncertain = new Set(exchanges.filter(mayBeCreated).flatMap(sentId));
  return { createdIds: [...createdIds], uncertainIds: [...uncertain].filter((id) => !createdIds.has(id)) };
}

/** Whether a plant may have been created although no response says so. */
function mayBeCreated(sent: Sent): boolean {
  const { expectation, request, response, failure } = sent;
  if (expectation === 'rejected' || request.otherOperation !== undefined || isThrottled(sent)) return false;
  return (response?.status ?? 0) >= 500 || (failure !== undefined && wasSent(failure));
}

function wasSent({ kind }: NoResponse): boolean {
  return !['not-sent', 'not-connected', 'unreachable', 'tls'].includes(kind);
}

/** The id of an accepted request, as its body has it. */
function sentId({ request }: Sent): string[] {
  if (request.plant !== undefined) return [String(request.plant.id)];
  const written = /"id"\s*:\s*"?(-?[\d.eE+]+)/.exec(Buffer.from(request.body).toString())?.[1];
  const id = written ?? request.id;
  return id === undefined ? [] : [String(id)];
}

/** Lists the ids, for reference. */
export function createdSection({
  createdIds: ids,
  uncertainIds: uncertain,
}: Pick<CheckReport, 'createdIds' | 'uncertainIds'>): Section[] {
  const maybe: Section[] =
    uncertain.length === 0
      ? []
      : [
          {
            title: 'Plants that may have been created',
            text: `The response to ${counted(uncertain.length, 'creation')} is missing or a 5xx, so the provider may have these plants. The ids:`,
            items: [uncertain.join(', ')],
            isReference: true,
          },
        ];
  if (ids.length === 0) return maybe;
  const text = `${counted(ids.length, 'plant')} ${ids.length === 1 ? 'was' : 'were'} created and ${ids.length === 1 ? 'is' : 'are'} now in the provider. The ids:`;
  return [{ title: 'Created plants', text, items: [ids.join(', ')], isReference: true }, ...maybe];
}
