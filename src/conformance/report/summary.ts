import { countVerdicts, HOUSE_LEVEL, isOutdated, isUnjudged } from '../../report/conclusion.js';
import type { Case, Conclusion } from '../../report/frame.js';
import { capitalised, counted, listed } from '../../report/wording.js';
import { stopInBrief } from '../facts/stop.js';
import type { JudgedRule } from '../judging/judge.js';
import type { Omission } from '../prepare.js';
import { rules } from '../rules/index.js';
import type { CheckResult } from './check-result.js';

/**
 * The summary of a check: its conclusion, and what a reader must not take for a pass.
 *
 * @param unsent how many requests were not sent, or whose responses were not waited for
 */
export function summaryOf(
  conclusion: Conclusion,
  cases: readonly Case[],
  { facts, notTestable, omissions }: CheckResult,
  { judged, unsent }: { readonly judged: readonly JudgedRule[]; readonly unsent: number },
): string {
  return [
    ...(facts.stop === undefined ? [] : [`${capitalised(stopInBrief(facts.stop))}.`]),
    conclusionInWords(conclusion, cases, notTestable, unsent),
    ...unchosenInBrief(judged),
    ...unjudgedInBrief(judged),
    ...omissions.map(omissionInBrief),
  ].join(' ');
}

/**
 * The conclusion of a check as a sentence or two.
 *
 * @param notTestable why nothing could be judged, if that is so
 */
function conclusionInWords(
  conclusion: Conclusion,
  cases: readonly Case[],
  notTestable: string | undefined,
  unsent: number,
): string {
  const ofHouse = cases.filter(({ level }) => level === HOUSE_LEVEL);
  const ofInterface = cases.filter(({ level }) => level !== HOUSE_LEVEL);
  const outdated = cases.filter(isOutdated);
  const summary = aboutInterface(conclusion, ofInterface, { notTestable, unsent, outdated });
  return conclusion === 'not-testable' ? summary : [summary, ...aboutHouse(ofHouse)].join(' ');
}

/** Sentences about the rules of the user. */
function aboutHouse(cases: readonly Case[]): string[] {
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

/** The sentence about the rules of the interface. House rules are apart from them. */
function aboutInterface(
  conclusion: Conclusion,
  cases: readonly Case[],
  {
    notTestable,
    unsent,
    outdated,
  }: {
    readonly notTestable: string | undefined;
    readonly unsent: number;
    readonly outdated: readonly Case[];
  },
): string {
  const { pass, fail, blocked, error } = countVerdicts(cases);
  const expected = cases.filter(({ verdict, excuse }) => verdict === 'fail' && excuse !== undefined).length;
  const asExpected =
    expected === 0 ? '' : ` ${counted(expected, 'rule')} ${expected === 1 ? 'fails' : 'fail'} as expected.`;
  switch (conclusion) {
    case 'not-testable':
      return `The provider could not be tested: ${notTestable}${notTestable?.endsWith('?') ? '' : '.'}`;
    case 'does-not-conform':
      return `The provider breaks ${brokenInWords(fail - expected, pass + fail)}.${asExpected}`;
    case 'outdated-expectations':
      return `Expected failures now pass: ${outdated.map(({ id }) => id).join(', ')}. Remove them from the list.`;
    case 'incomplete':
      if (blocked + error > 0)
        return `No rule failed, but ${counted(blocked + error, 'rule')} could not be judged.${asExpected}`;
      // Otherwise only house rules could not be judged.
      return unsent === 0
        ? satisfied(pass)
        : `No rule failed, but ${counted(unsent, 'request')} could not be sent, or got no response in time.${asExpected}`;
    case 'expected-failures':
      return `The provider satisfies ${counted(pass, 'rule')}.${asExpected}`;
    default:
      return satisfied(pass);
  }
}

/** `2 of the 60 rules that were judged` */
function brokenInWords(broken: number, judged: number): string {
  if (judged === 1) return 'the one rule that was judged';
  return `${broken === judged ? `all ${judged}` : `${broken} of the ${judged}`} rules that were judged`;
}

function satisfied(pass: number): string {
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

/** Says what was not judged because of what the provider has stored. */
function unjudgedInBrief(judged: readonly JudgedRule[]): string[] {
  return judged.flatMap(({ rule, isAmbiguous, reason }) =>
    isAmbiguous ? [`${rule.id} could not be judged, because ${reason}.`] : [],
  );
}

/** Says how much was sent and why not all, in a sentence. */
function omissionInBrief({ requests, of, why }: Omission): string {
  return `${of - requests} of ${counted(of, 'request')} ${of - requests === 1 ? 'was' : 'were'} sent: ${why}.`;
}

/** Says how much was left out on purpose, and which rules are therefore not judged. */
export function omissionInFull(omission: Omission): string {
  const isObservation = (rule: string): boolean => rule.startsWith('unspecified/');
  const demands = omission.rules.filter((rule) => !isObservation(rule));
  const observations = omission.rules.length - demands.length;
  const missing = [...demands, ...(observations === 0 ? [] : [counted(observations, 'observation')])];
  const unjudged = missing.length === 0 ? '' : ` Left out with them: ${listed(missing)}.`;
  return `${omissionInBrief(omission)}${unjudged}`;
}
