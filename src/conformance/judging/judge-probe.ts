import type { Exchange } from '../exchange.js';
import type { Probe } from '../probe.js';
import type { Demand } from '../rule.js';
import { type Failure, failedControl, isSpecificTo } from './judge.js';
import type { RunRecord } from './run-record.js';

/** A demand that a probe breaks, and how. */
export interface BrokenDemand {
  readonly rule: Demand;
  readonly failure: Failure;
}

/**
 * Judges one more probe, beside the exchanges of a run. Pure.
 *
 * @param rules the demands that concern the probe
 * @param sequence its exchanges, in the order of its requests
 * @param run the run that has its controls
 */
export function judgeProbe(
  rules: readonly Demand[],
  probe: Probe,
  sequence: readonly Exchange[],
  run: RunRecord,
): BrokenDemand[] {
  const record = run.with(sequence);
  const isControlled = failedControl(probe, run) === undefined;
  return sequence.flatMap((exchange) =>
    rules.flatMap((rule) => {
      const isSilent = exchange.response === undefined && rule.judgesSilence === undefined;
      if (isSilent && isSpecificTo(rule, probe)) return [];
      if (rule.control === 'for-any-verdict' && !isControlled) return [];
      const judgement = rule.judge(exchange, { probe, sequence, record });
      const isBroken = typeof judgement === 'object' && 'expected' in judgement;
      return isBroken ? [{ rule, failure: { exchange, ...judgement } }] : [];
    }),
  );
}
