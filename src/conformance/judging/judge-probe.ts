import type { Exchange } from '../exchange.js';
import type { Facts } from '../facts/facts.js';
import type { Probe } from '../probe.js';
import type { Demand } from '../rule.js';
import { type Failure, failedControl, isSpecificTo } from './judge.js';

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
  run: Facts,
): BrokenDemand[] {
  const broken: BrokenDemand[] = [];
  const context = { probe, sequence, facts: run.with(sequence) };
  const isControlled = failedControl(probe, run) === undefined;
  // Exploring judges thousands of exchanges in a second.
  for (const exchange of sequence)
    for (const rule of rules) {
      if (rule.control === 'for-any-verdict' && !isControlled) continue;
      const isSilent = exchange.response === undefined && rule.onNoResponse === undefined;
      if (isSilent && isSpecificTo(rule, probe)) continue;
      const judgement = rule.judge(exchange, context);
      if (typeof judgement === 'object' && 'expected' in judgement)
        broken.push({ rule, failure: { exchange, ...judgement } });
    }
  return broken;
}
