import type { TokenOption } from '../../http/token.js';
import { reportFrame } from '../../report/build.js';
import type { Case, Conclusion, Evidence, Finding, Report } from '../../report/frame.js';
import { createRedactor } from '../../report/redaction.js';
import { counted } from '../../report/wording.js';
import { operation } from '../../spec/operation.js';
import { curlLines } from '../curl.js';
import type { Exchange } from '../exchange.js';
import { Facts } from '../facts/facts.js';
import { whyNotTestable } from '../facts/testability.js';
import { type BrokenDemand, judgeProbe } from '../judging/judge.js';
import type { CheckOptions, CheckSettings } from '../options.js';
import { prepareCheck } from '../prepare.js';
import { reportedExchange, secretsOfCheck } from '../report/build.js';
import { factOf, impactOf } from '../report/findings.js';
import { probeOf } from '../row.js';
import { rules } from '../rules/index.js';
import { ExploringSession } from '../session/exploring-session.js';
import { Run } from '../session/run.js';
import { Tokens } from '../session/tokens.js';
import type { ExploredFailure } from './exploration.js';

/** How often each failure is sent. One that fails at least once is not fixed. */
const TIMES = 3;

/** The options of a replay: those of a check that say where the provider is. */
export type ReplayOptions = Omit<CheckOptions, 'explore' | 'expectedFailures' | 'prism'> & {
  readonly token: TokenOption;
};

/** The result of a replay. */
export interface ReplayReport extends Report {
  readonly kind: 'replay';
}

/**
 * Sends saved failures again, and says of each whether it is fixed. The controls of a check are sent first.
 *
 * @param failures as `readFailures` returns them
 * @throws ToolkitError `invalid-option`, naming the option
 */
export async function replayFailures(
  options: ReplayOptions,
  failures: readonly ExploredFailure[],
): Promise<ReplayReport> {
  const { rules: all, probes, settings: given, plan, counts } = prepareCheck(options);
  const settings: CheckSettings = { ...given, tokens: await Tokens.from(options.token) };
  const startedAt = new Date();
  const run = new Run(settings, { rules: all, plan, counts });
  const controls = probes.filter(({ phase }) => phase === 'control');
  await run.send(controls);
  const notTestable = whyNotTestable(run.exchanges, settings.url);
  const replay = new Replay(settings, new Facts(controls, run.exchanges));
  const cases: Case[] = [];
  for (const [at, failure] of failures.entries())
    cases.push(notTestable === undefined ? await replay.send(failure, at) : unsent(failure, at));
  const frame = reportFrame({
    kind: 'replay',
    subject: `${operation.method} ${settings.url.href}`,
    startedAt,
    circumstances: { notTestable: notTestable !== undefined },
    groups: [{ title: 'saved failures', cases }],
    findings: replay.findings,
  });
  const requests = replay.exchanges.map(({ request }) => request);
  const redactor = createRedactor(secretsOfCheck(requests, settings.tokens, settings.headers));
  return redactor.data<ReplayReport>({
    ...frame,
    summary: summaryOf(frame.conclusion, cases, notTestable),
    exchanges: replay.exchanges.map((exchange) => reportedExchange(exchange, settings.url, redactor)),
  });
}

class Replay {
  readonly exchanges: Exchange[] = [];
  /** One for each failure that is not fixed. */
  readonly findings: Finding[] = [];
  private readonly session: ExploringSession;

  constructor(
    private readonly settings: CheckSettings,
    private readonly facts: Facts,
  ) {
    this.session = new ExploringSession(settings);
  }

  async send({ rule: id, row }: ExploredFailure, at: number): Promise<Case> {
    const probe = probeOf(row);
    const judges = rules.flatMap((rule) => (rule.level !== 'unspecified' && rule.id === id ? [rule] : []));
    const failed: BrokenDemand[] = [];
    let sequence: readonly Exchange[] = [];
    for (let time = 0; time < TIMES; time++) {
      const attempt = await this.session.sendAlone(probe);
      const [broken] = judgeProbe(judges, probe, attempt, this.facts);
      if (broken === undefined && time > 0) continue;
      sequence = attempt;
      if (broken !== undefined) failed.push(broken);
    }
    const first = this.exchanges.push(...sequence) - sequence.length;
    const [rule] = judges;
    const last = failed.at(-1);
    const identity = { id: idOf(row.title, at), title: `${row.title}: ${rule?.title ?? id}` };
    if (last === undefined || rule === undefined) {
      const silent = sequence.find(({ failure }) => failure !== undefined);
      return silent === undefined
        ? { ...identity, verdict: 'pass', detail: 'FIXED', evidence: [] }
        : { ...identity, verdict: 'blocked', detail: silent.failure?.message ?? '', evidence: [] };
    }
    this.findings.push({
      id: identity.id,
      title: factOf(rule, last.failure, { title: row.title, count: sequence.length }),
      impact: impactOf(rule, last.failure.exchange),
      fix: rule.fix,
      cases: [identity.id],
    });
    const evidence: Evidence = {
      sent: row.title,
      expected: last.failure.expected,
      actual: last.failure.actual,
      finding: this.findings.length - 1,
      exchanges: sequence.map((_, step) => first + step),
      repeated: failed.length === TIMES ? 'steady' : 'intermittent',
      reproduce: curlLines(
        sequence.map(({ request }) => request),
        this.settings,
        probe,
      ),
    };
    const detail = `STILL FAILS (${failed.length} of ${TIMES} times)`;
    return { ...identity, verdict: 'fail', detail, evidence: [evidence] };
  }
}

function unsent({ row }: ExploredFailure, at: number): Case {
  const id = idOf(row.title, at);
  return {
    id,
    title: row.title,
    verdict: 'blocked',
    detail: 'the provider could not be tested',
    evidence: [],
  };
}

function idOf(title: string, at: number): string {
  return `${at + 1}: ${title}`;
}

function summaryOf(conclusion: Conclusion, cases: readonly Case[], notTestable: string | undefined): string {
  if (conclusion === 'not-testable') return `The provider could not be tested: ${notTestable}.`;
  const fixed = cases.filter(({ verdict }) => verdict === 'pass').length;
  const failing = cases.filter(({ verdict }) => verdict === 'fail').length;
  return `Of ${counted(cases.length, 'saved failure')}, ${fixed} FIXED and ${failing} STILL FAILS.`;
}
