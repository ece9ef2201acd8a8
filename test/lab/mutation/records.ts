import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { Facts } from '../../../src/conformance/judge/facts.js';
import { brokenBy, judgeAndConfirm, judgeRules } from '../../../src/conformance/judge/judge.js';
import { prepareCheck } from '../../../src/conformance/prepare.js';
import type { Demand } from '../../../src/conformance/rule.js';

/** What a check knew when it judged. */
export interface State {
  readonly probes: readonly string[];
  readonly exchanges: readonly Exchange[];
  /** The names of the probes that were left out, each with the reason. */
  readonly leftOut: readonly (readonly [probe: string, why: string])[];
  readonly restarts: readonly number[];
}

/** A check as it was judged: at first, and again each time that it had sent what failed once more. */
export interface Recorded {
  /** The ids of its rules. */
  readonly rules: readonly string[];
  readonly states: readonly State[];
  /** What it got when it sent once more what failed, each time. */
  readonly confirmations: readonly (readonly Exchange[])[];
  readonly outcome: Outcome;
}

type Result = Awaited<ReturnType<typeof judgeAndConfirm>>;
type Outcome = ReturnType<typeof outcomeOf>;

/** `npm run mutation` makes it, and removes it. */
const folder = process.env.MUTATION_RECORDS ?? '';

const { rules, probes } = prepareCheck({ baseUrl: 'http://localhost' });
const ruleOf = new Map<string, (typeof rules)[number]>(rules.map((rule) => [rule.id, rule]));
const probeOf = new Map(
  probes.flatMap((probe) => [probe, ...(probe.parts ?? [])]).map((one) => [one.name, one]),
);

export function stateOf(
  ...[probes, exchanges, leftOut = new Map(), restarts = []]: ConstructorParameters<typeof Facts>
): State {
  return {
    probes: probes.map(({ name }) => name),
    exchanges: [...exchanges],
    leftOut: [...leftOut].map(([{ name }, why]) => [name, why]),
    restarts: [...restarts],
  };
}

/**
 * What a check found. The wording of failures may change: they only have to have one.
 *
 * @param confirmed the names of the probes that it sent once more, each time
 */
export function outcomeOf({ facts, judged, again }: Result, confirmed: readonly (readonly string[])[]) {
  const { stop, intermittent, isOverloaded } = facts;
  const failed = new Set(judged.flatMap(({ failures }) => failures.map(({ exchange }) => exchange.probe)));
  const demands = judged
    .map(({ rule }) => rule)
    .filter((rule): rule is Demand => 'source' in rule && rule.level !== 'unspecified');
  return {
    confirmed,
    facts: {
      isOverloaded,
      stop: stop && [stop.after, stop.first.index, stop.lost.size, stop.isRestarted],
    },
    intermittent: [intermittent.failed.size, intermittent.of],
    rules: judged.map(({ rule, failures, ...rest }) => ({
      id: rule.id,
      ...rest,
      failures: failures.map((failure) => {
        const { exchange, expected, actual } = failure;
        return [exchange.index, again.get(failure), expected !== '', actual !== ''];
      }),
    })),
    // As exploring judges a row that it draws.
    drawn: [...facts.probes.values()]
      .filter(({ name }) => failed.has(name))
      .map((probe) => brokenBy(demands, probe, facts.of(probe.name), facts).map(({ id }) => id)),
  };
}

/** Keeps a check. Those with rows of their own are left out: what they draw, and what a user demands. */
export function keep(recorded: Recorded): void {
  const { rules, states } = recorded;
  const isKnown = states.every((state) =>
    [...state.probes, ...state.leftOut.map(([name]) => name)].every((name) => probeOf.has(name)),
  );
  if (!isKnown || !rules.every((id) => ruleOf.has(id))) return;
  const found = JSON.stringify(recorded.outcome).length;
  writeFileSync(join(folder, `${found}-${randomUUID()}`), serialize(recorded));
}

/** The files of the checks that were kept. Those that found most come first: they notice most mutants. */
export function records(): readonly string[] {
  const files = readdirSync(folder).sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10));
  return files.map((file) => join(folder, file));
}

/** Judges a check again, and finds out whether the outcome is the same. */
export async function replay(file: string): Promise<{ readonly now: Outcome; readonly before: Outcome }> {
  const { rules, states, confirmations, outcome }: Recorded = deserialize(readFileSync(file));
  const judged = rules.flatMap((id) => ruleOf.get(id) ?? []);
  const probesOf = (names: readonly string[]) => names.flatMap((name) => probeOf.get(name) ?? []);
  const confirmed: (readonly string[])[] = [];
  let times = 0;
  const judge = () => {
    const { probes, exchanges, leftOut, restarts } = states[times++] ?? (states.at(-1) as State);
    const why = new Map(leftOut.flatMap(([name, why]) => probesOf([name]).map((probe) => [probe, why])));
    const facts = new Facts(probesOf(probes), exchanges, why, restarts);
    return { facts, judged: judgeRules(judged, facts) };
  };
  const result = await judgeAndConfirm(judge, async (probes) => {
    confirmed.push(probes.map(({ name }) => name));
    return confirmations[confirmed.length - 1] ?? [];
  });
  return { now: outcomeOf(result, confirmed), before: outcome };
}
