import type { Exchange } from '../exchange.js';
import type { JudgedRule, Verdict } from '../judging/judge.js';
import type { ExpectedFailure } from '../options.js';
import type { Conclusion } from './report.js';
import { counted } from './report-wording.js';

/** What a check comes to. */
export interface Outcome {
  readonly conclusion: Conclusion;
  readonly summary: string;
  readonly counts: Readonly<Record<Verdict, number>>;
}

/** Weighs the verdicts against what was expected to fail. */
export function concludeFrom(
  judged: readonly JudgedRule[],
  exchanges: readonly Exchange[],
  expected: ReadonlyMap<string, ExpectedFailure>,
  notTestable: string | undefined,
): Outcome {
  const counts: Record<Verdict, number> = {
    ...{ pass: 0, fail: 0, observed: 0, blocked: 0, 'not-applicable': 0, error: 0 },
  };
  for (const { verdict } of judged) counts[verdict]++;
  if (notTestable !== undefined) {
    return {
      conclusion: 'not-testable',
      summary: `The provider could not be tested: ${notTestable}${notTestable.endsWith('?') ? '' : '.'}`,
      counts,
    };
  }
  const failed = judged.filter(({ rule, verdict }) => verdict === 'fail' && !expected.has(rule.id)).length;
  const known = counts.fail - failed;
  const kept = judged.filter(({ rule, verdict }) => verdict === 'pass' && expected.has(rule.id));
  const unjudged = counts.blocked + counts.error;
  const unsent = exchanges.filter(({ role, failure }) => role === 'judged' && isUnsent(failure?.kind)).length;
  const [conclusion, summary] = weigh(
    { failed, known, kept: kept.map(({ rule }) => rule.id), unjudged, unsent },
    counts,
  );
  return { conclusion, summary, counts };
}

interface Weights {
  readonly failed: number;
  readonly known: number;
  readonly kept: readonly string[];
  readonly unjudged: number;
  /** How many requests were not sent, or not waited for. */
  readonly unsent: number;
}

function isUnsent(kind: string | undefined): boolean {
  return kind === 'not-sent' || kind === 'stopped';
}

function weigh(
  { failed, known, kept, unjudged, unsent }: Weights,
  { pass, fail }: Readonly<Record<Verdict, number>>,
): readonly [Conclusion, string] {
  const besides =
    known === 0 ? '' : ` ${counted(known, 'rule')} ${known === 1 ? 'fails' : 'fail'} as expected.`;
  if (failed > 0)
    return [
      'breaks-rules',
      `The provider breaks ${failed} of ${pass + fail} rules that could be judged.${besides}`,
    ];
  if (kept.length > 0)
    return [
      'outdated-list',
      `Rules that are expected to fail are kept: ${kept.join(', ')}. Take them off the list.`,
    ];
  if (unjudged > 0)
    return ['incomplete', `Nothing failed, but ${counted(unjudged, 'rule')} could not be judged.${besides}`];
  if (unsent > 0)
    return [
      'incomplete',
      `Nothing failed, but ${counted(unsent, 'request')} could not be sent or waited for.${besides}`,
    ];
  if (pass + fail === 0) return ['conforms', 'No rule that demands something was judged.'];
  if (known > 0) return ['known-failures', `The provider keeps ${pass} rules;${besides}`];
  return [
    'conforms',
    `The provider keeps ${pass === 1 ? 'the one rule' : `all ${pass} rules`} that ${pass === 1 ? 'applies' : 'apply'} to it.`,
  ];
}
