// Runs before test files that check whole providers, and keeps each of their checks: see records.ts.
import { vi } from 'vitest';
import type { Facts } from '../../../src/conformance/judge/facts.js';
import type { judgeAndConfirm } from '../../../src/conformance/judge/judge.js';
import { keep, outcomeOf, type State, stateOf } from './records.js';

const states = new WeakMap<Facts, State>();

vi.mock('../../../src/conformance/judge/facts.js', async (load) => {
  const original = await load<typeof import('../../../src/conformance/judge/facts.js')>();
  class KeptFacts extends original.Facts {
    constructor(...given: ConstructorParameters<typeof Facts>) {
      super(...given);
      states.set(this, stateOf(...given));
    }
  }
  return { ...original, Facts: KeptFacts };
});

vi.mock('../../../src/conformance/judge/judge.js', async (load) => {
  const original = await load<typeof import('../../../src/conformance/judge/judge.js')>();
  const judgeAndKeep: typeof judgeAndConfirm = async (judge, confirm) => {
    const kept: State[] = [];
    const confirmations: { probes: string[]; exchanges: Awaited<ReturnType<typeof confirm>> }[] = [];
    const result = await original.judgeAndConfirm(
      () => {
        const now = judge();
        kept.push(states.get(now.facts) as State);
        return now;
      },
      async (probes) => {
        const exchanges = await confirm(probes);
        confirmations.push({ probes: probes.map(({ name }) => name), exchanges });
        return exchanges;
      },
    );
    keep({
      rules: result.judged.map(({ rule }) => rule.id),
      states: kept,
      confirmations: confirmations.map(({ exchanges }) => exchanges),
      outcome: outcomeOf(
        result,
        confirmations.map(({ probes }) => probes),
      ),
    });
    return result;
  };
  return { ...original, judgeAndConfirm: judgeAndKeep };
});
