import { isBroken, isOutdated } from '../conclusion.js';
import { shellLine, visibleInLine } from '../escape.js';
import {
  type Case,
  type Conclusion,
  casesOf,
  type Evidence,
  type Excuse,
  type Finding,
  type Impact,
  type Place,
  type Report,
  type Verdict,
} from '../frame.js';
import { counted, folded } from '../wording.js';

/** Each conclusion in a few words. */
const headlines: Readonly<Record<Conclusion, string>> = {
  conforms: 'conforms',
  'expected-failures': 'conforms, except for expected failures',
  'does-not-conform': 'does not conform',
  'outdated-expectations': 'passes where it was expected to fail',
  'breaks-house-rules': 'breaks house rules',
  'not-testable': 'could not be tested',
  incomplete: 'could not be judged completely',
};

/** The conclusion in a few words: `conforms, with 3 warnings`. */
export function headlineOf(report: Pick<Report, 'conclusion' | 'counts' | 'groups'>): string {
  const warnings = verdictCounts(report).find(({ verdict, isExcused }) => verdict === 'warn' && !isExcused);
  const { count = 0 } = warnings ?? {};
  const headline = headlines[report.conclusion];
  return report.conclusion === 'conforms' && count > 0
    ? `${headline}, with ${counted(count, 'warning')}`
    : headline;
}

/** The verdict whose colour and sign a conclusion has. */
export const moods: Readonly<Record<Conclusion, Verdict>> = {
  conforms: 'pass',
  'expected-failures': 'pass',
  'does-not-conform': 'fail',
  'outdated-expectations': 'fail',
  'breaks-house-rules': 'fail',
  'not-testable': 'blocked',
  incomplete: 'blocked',
};

/** A sign for each verdict, so that no reader depends on colour. */
export const signs: Readonly<Record<Verdict, string>> = {
  pass: '✓',
  fail: '✗',
  warn: '▲',
  observed: '○',
  blocked: '■',
  'not-applicable': '–',
  error: '!',
};

/** `not applicable` */
export function verdictInWords(verdict: Verdict): string {
  return verdict === 'warn' ? 'warning' : verdict.replace('-', ' ');
}

/** How many cases have a verdict. Failures that do not count are apart from those that do. */
export interface VerdictCount {
  readonly verdict: Verdict;
  readonly isExcused: boolean;
  readonly count: number;
  /** `fail`, `warnings`, `not applicable`, `pending failures` */
  readonly words: string;
}

/** How failures are counted that do not count. */
const EXCUSED: Readonly<Record<Excuse['kind'], string>> = {
  expected: 'expected failure',
  pending: 'pending failure',
  'not-counted': 'failure that does not count',
};

/** Every verdict with its number, which may be 0; failures that do not count only if there are any. */
export function verdictCounts(report: Pick<Report, 'counts' | 'groups'>): VerdictCount[] {
  const excused = Object.entries(EXCUSED).flatMap(([kind, words]) => {
    const count = casesOf(report).filter((one) => isBroken(one) && one.excuse?.kind === kind).length;
    const inWords = count === 1 ? words : words.replace(/^(.*?failure)(.*)$/, '$1s$2').replace('does', 'do');
    return count === 0 ? [] : [{ verdict: 'fail' as const, isExcused: true, count, words: inWords }];
  });
  const excusedWith = (verdict: Verdict): number =>
    casesOf(report).filter((one) => one.verdict === verdict && isBroken(one) && one.excuse !== undefined)
      .length;
  return (Object.entries(report.counts) as [Verdict, number][]).flatMap(([verdict, all]) => {
    const count = all - excusedWith(verdict);
    const words = `${verdictInWords(verdict)}${verdict === 'warn' && count !== 1 ? 's' : ''}`;
    const own = { verdict, isExcused: false, count, words };
    return verdict === 'fail' ? [own, ...excused] : [own];
  });
}

/** The verdicts that occur, each with its number: `45 pass, 2 fail, 1 pending failure`. */
export function countsInWords(report: Pick<Report, 'counts' | 'groups'>): string {
  return verdictCounts(report)
    .flatMap(({ count, words }) => (count > 0 ? [`${count} ${words}`] : []))
    .join(', ');
}

/** Why a verdict does not count, or why a pass counts as a failure; `undefined` if neither is so. */
export function excuseOf({ verdict, excuse }: Pick<Case, 'verdict' | 'excuse'>): string | undefined {
  if (excuse === undefined) return undefined;
  const { kind, reason, until } = excuse;
  const last = until === undefined ? '' : ` until ${until}`;
  if (isOutdated({ verdict, excuse }))
    return `expected failure now passes; remove it from the list (it was expected to fail${last}: ${reason})`;
  if (!isBroken({ verdict }) && verdict !== 'blocked') return undefined;
  if (kind === 'expected' && verdict === 'blocked') return `expected${last}: ${reason}`;
  return `${{ expected: 'expected to fail', pending: 'pending', 'not-counted': 'not counted' }[kind]}${last}: ${reason}`;
}

/** `pact.json, line 3, /interactions/0` */
function placeInWords({ file, line, pointer }: Place): string {
  const parts = [file, line === undefined ? undefined : `line ${line}`, pointer === '' ? undefined : pointer];
  return parts.filter((part) => part !== undefined).join(', ');
}

/** The level, the source and the place of a case, as far as it has them. */
export function originOf({ level, source, place }: Case): string[] {
  const parts = [level, source && `interface: ${source}`, place && placeInWords(place)];
  return parts.filter((part) => part !== undefined && part !== '') as string[];
}

/** The id of a case, with its level or its place: `success/status-is-200 (documented)`. */
export function caseInWords({ id, level, place = {} }: Case): string {
  const where = level ?? placeInWords(place);
  return where === '' ? id : `${id} (${where})`;
}

/** What a reader calls these cases: only rules have a level. */
export function kindOfCases(cases: readonly Pick<Case, 'level'>[]): 'rule' | 'case' {
  return cases.every(({ level }) => level === undefined) ? 'case' : 'rule';
}

/** One line about a failure. */
interface EvidenceLine {
  readonly label: 'sent' | 'where' | 'expected' | 'got' | 'found' | 'reproduce';
  readonly text: string;
  /** Whether it is for a shell: then it must not be changed. */
  readonly isCommand?: true;
}

/** Why no command reproduces a failure. */
const INTERMITTENT = 'intermittent: sending it again may not show the failure';

/** Everything about one way in which a case fails. */
export function evidenceLines(evidence: Evidence): readonly EvidenceLine[] {
  const { sent, where, expected, actual, count = 1, repeated, reproduce } = evidence;
  const lines: EvidenceLine[] = [];
  const add = (label: EvidenceLine['label'], text: string | undefined): void => {
    if (text !== undefined) lines.push({ label, text: visibleInLine(text) });
  };
  add('sent', sent);
  add('where', where);
  add('expected', expected);
  // Evidence of what should not be there at all has no expected value.
  add(expected === undefined ? 'found' : 'got', count > 1 ? `${actual} (${count} times)` : actual);
  if (repeated === 'intermittent') add('reproduce', INTERMITTENT);
  if (reproduce !== undefined)
    lines.push({ label: 'reproduce', text: shellLine(reproduce), isCommand: true });
  return lines;
}

/** The width of a column of labels. */
export const LABEL_WIDTH = 11;

/** One way in which a case fails, as lines of plain text. */
export function evidenceText(evidence: Evidence): string {
  return evidenceLines(evidence)
    .map(({ label, text }) => label.padEnd(LABEL_WIDTH) + text)
    .join('\n');
}

/** What else fails in the same way: `also fails for a; b; 3 more`. Empty if nothing does. */
export function alsoFailsFor(evidence: readonly Evidence[], most: number): string {
  const names = evidence.map(alsoSent);
  return names.length === 0 ? '' : `also fails for ${visibleInLine(folded(names, most))}`;
}

/** What tells evidence from other evidence of one case. */
export function alsoSent({ sent, where, actual }: Evidence): string {
  return sent ?? where ?? actual;
}

/** Who is hurt by a problem, in a word or two. */
const IMPACTS: Readonly<Record<Impact, string | undefined>> = {
  clients: 'breaks clients',
  callers: 'lets callers in',
  input: 'accepts bad input',
  errors: 'wrong error form',
  // The title says it.
  house: undefined,
};

/** Whether a finding is a warning, and who is hurt by it, in a word or two; `undefined` if it says nothing about that. */
export function impactInWords({
  impact,
  severity,
}: Pick<Finding, 'impact' | 'severity'>): string | undefined {
  // A warning is about clients that break the interface themselves.
  const hurt =
    impact === undefined || (severity === 'warning' && impact === 'clients') ? undefined : IMPACTS[impact];
  const said = [severity, hurt].filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join(': ');
}

/** The title of a finding, who is hurt by it, and whether it is a warning: `A wrong token is accepted. (lets callers in)`. */
export function findingTitle(finding: Pick<Finding, 'title' | 'impact' | 'severity'>): string {
  const impact = impactInWords(finding);
  return impact === undefined ? finding.title : `${finding.title} (${impact})`;
}

/** What a finding says about its cause and its fix. The code of a recipe is not among it. */
export function adviceLines({
  cause,
  usualCause,
  fix,
  recipe,
}: Finding): readonly { readonly label: string; readonly text: string }[] {
  return [
    { label: 'Cause', text: cause },
    { label: 'Usual cause', text: usualCause },
    { label: 'Fix', text: fix },
    { label: `Recipe for ${recipe?.framework}`, text: recipe?.text },
  ].flatMap(({ label, text }) => (text === undefined ? [] : [{ label, text }]));
}

/**
 * A case that fails, as lines of plain text: what happened, the cause and the fix, the rule, and how it shows. The code of a
 * recipe is too long for them.
 *
 * @param shown so much of the evidence is written out
 */
export function failureText(failing: Case, { findings }: Report, shown: number): string {
  const { title, level, evidence, fact } = failing;
  const facts = [...new Set(evidence.map(({ finding }) => findings[finding]))].flatMap((finding, at) => {
    // The title of a finding is the fact of its worst case, and this may be another one.
    const own = finding && (at === 0 && fact !== undefined ? { ...finding, title: fact } : finding);
    return [
      ...(own === undefined || own.title === title ? [] : [findingTitle(own)]),
      ...(own === undefined ? [] : adviceLines(own).map(({ label, text }) => `${label}: ${text}`)),
    ];
  });
  const origin = originOf(failing);
  const rule = `${level === undefined ? '' : 'Rule: '}${title}`;
  const also = alsoFailsFor(evidence.slice(shown), NAMED);
  return [
    ...facts,
    origin.length === 0 ? rule : `${rule} (${origin.join('; ')})`,
    ...evidence.slice(0, shown).map(evidenceText),
    ...(also === '' ? [] : [also]),
  ].join('\n');
}

/** Further evidence of a case that is named. */
const NAMED = 5;
