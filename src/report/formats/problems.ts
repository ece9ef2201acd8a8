import { isBroken, isOutdated, isUnjudged } from '../conclusion.js';
import { type Case, casesOf, type Evidence, type Finding, type Report, type Verdict } from '../frame.js';
import { capitalised, counted, folded, listed } from '../wording.js';
import { adviceLines, alsoSent, excuseOf, impactInWords, kindOfCases, verdictInWords } from './wording.js';

/** A finding as a reader sees it: the fact, the cause, the fix, and what shows it. */
export interface Problem {
  readonly finding: Finding;
  /** From 1. Those that count come first. */
  readonly number: number;
  /** Who is hurt by it, and whether it is a warning. */
  readonly impact: string | undefined;
  /** The fix as code. Its lines are missing if an earlier problem has them. */
  readonly recipe: Recipe | undefined;
  /** The cause and the fix. The recipe is apart. */
  readonly advice: readonly { readonly label: string; readonly text: string }[];
  /** The cases that fail, and what a reader calls them: `Rules`. */
  readonly cases: readonly Case[];
  readonly kind: string;
  /** Why failures of it do not count. */
  readonly excuses: readonly string[];
  readonly examples: readonly Evidence[];
  /** What else fails in the same way, each once. */
  readonly others: readonly Evidence[];
}

/** The fix as code, in the words of a report. */
export interface Recipe {
  readonly title: string;
  readonly text: string;
  readonly code: Code;
}

/** Code to paste, line by line. */
export interface Code {
  readonly language: string;
  readonly lines: readonly string[];
}

/** What of a report its reader must look at. */
interface Problems {
  readonly problems: readonly Problem[];
  /** Those with an excuse for each of their cases. */
  readonly excused: readonly Problem[];
  /** Failures without a finding, and expectations that are outdated. */
  readonly others: readonly Case[];
}

/**
 * The failures of one mistake of a provider look alike, so one of them is enough: the simplest. The differences within one message
 * do not.
 */
const EXAMPLES = { ofProvider: 1, ofMessage: 2 } as const;

/** Divides the findings of a report into those that count and those that do not. It may have thousands, so it is read once. */
export function problemsOf(report: Report): Problems {
  const { findings } = report;
  const cases = casesOf(report);
  const byId = new Map(cases.map((one) => [one.id, one]));
  const all = findings.map((finding, at) => {
    const failing = finding.cases.flatMap((id) => byId.get(id) ?? []);
    return { finding, at, failing, counts: failing.some(({ excuse }) => excuse === undefined) };
  });
  const sorted = [...all.filter(({ counts }) => counts), ...all.filter(({ counts }) => !counts)];
  const codes = new Set<string>();
  const problems = sorted.map(({ finding, at, failing }, index): Problem => {
    const { recipe, ...withoutRecipe } = finding;
    const { impact } = finding;
    const evidenceOf = (one: Case): Evidence[] => one.evidence.filter((each) => each.finding === at);
    const [first = [], ...further] = failing.map(evidenceOf);
    const most = impact === undefined ? EXAMPLES.ofMessage : EXAMPLES.ofProvider;
    const examples = first.slice(0, most);
    const isWritten = recipe !== undefined && codes.has(recipe.code);
    if (recipe !== undefined) codes.add(recipe.code);
    return {
      finding,
      number: index + 1,
      impact: impactInWords(finding),
      advice: adviceLines(withoutRecipe),
      recipe: recipe && {
        title: `Recipe for ${recipe.framework}`,
        text: isWritten ? `${recipe.text} The code is above.` : recipe.text,
        code: { language: recipe.language, lines: isWritten ? [] : recipe.code.split('\n') },
      },
      cases: failing,
      kind: `${capitalised(kindOfCases(failing))}${failing.length === 1 ? '' : 's'}`,
      excuses: [...new Set(failing.flatMap((one) => excuseOf(one) ?? []))],
      examples,
      others: otherThan(examples, [...first.slice(most), ...further.flat()]),
    };
  });
  const counting = all.filter(({ counts }) => counts).length;
  const inFindings = new Set(findings.flatMap((finding) => finding.cases));
  return {
    problems: problems.slice(0, counting),
    excused: problems.slice(counting),
    others: cases.filter((one) => isOutdated(one) || (isBroken(one) && !inFindings.has(one.id))),
  };
}

/** A request that is called the same is not another. */
function otherThan(examples: readonly Evidence[], evidence: readonly Evidence[]): Evidence[] {
  const known = new Set(examples.map(alsoSent));
  return evidence.filter((one) => !known.has(alsoSent(one)) && known.add(alsoSent(one)));
}

/** How many problems there are: `3 problems`, `2 problems and 1 warning`. */
export function problemsInWords(problems: readonly Problem[]): string {
  const warnings = problems.filter(({ finding }) => finding.severity === 'warning').length;
  const errors = problems.length - warnings;
  return listed([
    ...(errors > 0 || warnings === 0 ? [counted(errors, 'problem')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ]);
}

/**
 * Why cases have no verdict: each reason once, with its cases.
 *
 * @param most so many cases are named
 */
export function unjudgedReasons(
  report: Report,
  most: number,
): readonly { readonly verdict: Verdict; readonly reason: string; readonly names: string }[] {
  const reasons = new Map<string, [Case, ...Case[]]>();
  for (const one of casesOf(report).filter(isUnjudged)) {
    const { verdict, detail = verdictInWords(verdict) } = one;
    const ofReason = reasons.get(detail);
    if (ofReason === undefined) reasons.set(detail, [one]);
    else ofReason.push(one);
  }
  return Array.from(reasons, ([reason, cases]) => ({
    verdict: cases[0].verdict,
    reason: `${cases.length === 1 ? 'Not judged' : `${cases.length} not judged`}: ${reason}`,
    names: folded(
      cases.map(({ id }) => id),
      most,
    ),
  }));
}
