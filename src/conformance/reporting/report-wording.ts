import type { Verdict } from '../judging/judge.js';
import { type Source, topicOf } from '../rule.js';
import type { Conclusion, Report, ReportedRule } from './report.js';

/** What a provider does, by the conclusion of its check: "the provider …". */
export const headlines: Readonly<Record<Conclusion, string>> = {
  conforms: 'conforms',
  'known-failures': 'conforms, known failures aside',
  'breaks-rules': 'does not conform',
  'outdated-list': 'is better than the list of known failures',
  'not-testable': 'could not be tested',
  incomplete: 'could not be judged wholly',
};

/** A sign for each verdict, so that none is told by colour alone. */
export const signs: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  observed: '○',
  blocked: '■',
  'not-applicable': '–',
  error: '!',
};

/** Where there is no port, a line for a shell reaches nobody. */
export const WAS_CALLED =
  'The provider was called as a function: lines for a shell reach it only where it is served at that URL as well.';

/** A sentence or a phrase with its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 plant`, `2 plants`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** The verdicts that occur, with how often: `45 pass, 2 fail`. */
export function countsInWords({ counts }: Report): string {
  return Object.entries(counts)
    .flatMap(([verdict, count]) => (count > 0 ? [`${count} ${verdict}`] : []))
    .join(', ');
}

/** The name and version of what was checked; `undefined` where it was not named. */
export function implementationOf({ implementation }: Report): string | undefined {
  if (implementation === undefined) return undefined;
  const { name, version } = implementation;
  return version === undefined ? name : `${name} ${version}`;
}

/** Where the interface says it: `Errors, rule 1`. */
export function placeOf({ section, rule }: Source): string {
  return rule === undefined ? section : `${section}, rule ${rule}`;
}

/** What was expected of a rule beforehand; `undefined` where nothing was. */
export function expectationOf({ verdict, expectedFailure }: ReportedRule): string | undefined {
  if (expectedFailure === undefined) return undefined;
  const { reason, until } = expectedFailure;
  const known = `expected to fail${until === undefined ? '' : ` until ${until}`}: ${reason}`;
  return verdict === 'pass' ? `kept, although it is ${known}` : known;
}

/** The rules by the topic that they belong to, in their order. */
export function rulesByTopic(rules: readonly ReportedRule[]): ReadonlyMap<string, readonly ReportedRule[]> {
  const topics = new Map<string, ReportedRule[]>();
  for (const rule of rules) topics.set(topicOf(rule), [...(topics.get(topicOf(rule)) ?? []), rule]);
  return topics;
}
