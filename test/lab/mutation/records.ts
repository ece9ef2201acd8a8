import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { Facts } from '../../../src/conformance/judge/facts.js';
import { type JudgedRule, judgeRules } from '../../../src/conformance/judge/judge.js';
import { prepareCheck } from '../../../src/conformance/prepare.js';
import { topicOf } from '../../../src/conformance/rule.js';
import { Run } from '../../../src/conformance/send/run.js';
import { Tokens } from '../../../src/conformance/send/tokens.js';
import { isBroken } from '../../../src/report/conclusion.js';

/** The exchanges of a check, and what the rules must say of them. */
export interface Recorded {
  readonly name: string;
  /** The ids of the rules that fail. */
  readonly broken: readonly string[];
  /** Whether a rule may also be blocked: a server with a fault may leave nothing to judge. */
  readonly mayBlock: boolean;
  readonly exchanges: readonly Exchange[];
  /** The names of the probes that were left out, because there was no time for them. */
  readonly dropped: readonly string[];
}

/** `npm run mutation` makes it, and removes it. */
const folder = process.env.MUTATION_RECORDS ?? '';

const { rules, probes, plan } = prepareCheck({ baseUrl: 'http://localhost' });

/** Checks a provider, and keeps the exchanges if the rules say of them what they must. */
export async function keep(
  name: string,
  baseUrl: string,
  token: string,
  expected: Pick<Recorded, 'broken' | 'mayBlock'>,
): Promise<readonly string[]> {
  const { settings } = prepareCheck({ baseUrl, timeoutMs: name.startsWith('hangs') ? 3_000 : 20_000 });
  const run = new Run({ ...settings, tokens: new Tokens(token) }, { rules, plan });
  await run.send(probes);
  const dropped = [...run.leftOut.keys()].map((probe) => probe.name);
  const whole = { name, ...expected, exchanges: run.exchanges, dropped };
  // Reading long bodies takes longer than judging them, and few rules need them.
  const short = withoutLongBodies(whole);
  const kept = problemsOf(short).length === 0 ? short : whole;
  const bytes = serialize(kept);
  const problems = problemsOf(deserialize(bytes));
  if (problems.length > 0) return problems;
  const file = join(folder, name.replaceAll(/\W+/g, '-'));
  writeFileSync(file, bytes);
  writeFileSync(`${file}.json`, JSON.stringify(expected.broken));
  return [];
}

const LONG = 20_000;

function withoutLongBodies(whole: Recorded): Recorded {
  const isLong = ({ request }: Exchange) => request.body.length > LONG;
  const names = new Set<string>(whole.exchanges.filter(isLong).map(({ probe }) => probe));
  const exchanges = whole.exchanges.filter(({ probe }) => !names.has(probe));
  return { ...whole, exchanges, dropped: [...whole.dropped, ...names] };
}

/** Reads, one by one, the checks that break a rule of this topic, and those that break none. */
export function* recordsFor(topic: string): Generator<Recorded> {
  const brokenBy = (file: string): readonly string[] => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  const ofTopic = files.filter((file) => brokenBy(file).some((id) => id.startsWith(`${topic}/`)));
  const ofNone = files.filter((file) => brokenBy(file).length === 0);
  for (const file of [...ofTopic, ...ofNone])
    yield deserialize(readFileSync(join(folder, file.slice(0, -'.json'.length))));
}

/** Judges exchanges again. Returns the rules whose verdict is not what it must be, or that do not say why. */
export function problemsOf(
  { broken, mayBlock, exchanges, dropped }: Recorded,
  topic?: string,
): readonly string[] {
  const sent = probes.filter(({ name }) => !dropped.includes(name));
  const meant = rules.filter((rule) => topic === undefined || topicOf(rule) === topic);
  const judged = judgeRules(meant, new Facts(sent, exchanges));
  const isWrong = ({ rule, verdict, failures, reason }: JudgedRule): boolean =>
    reason === '' ||
    failures.some(({ expected, actual }) => !expected || !actual) ||
    isBroken({ verdict }) !== broken.includes(rule.id) ||
    verdict === 'error' ||
    (verdict === 'blocked' && !mayBlock);
  return judged.filter(isWrong).map(({ rule, verdict }) => `${rule.id}: ${verdict}`);
}
