import { isDeepStrictEqual } from 'node:util';
import { type Exchange, isAccepted, isRejected, isUnprocessed } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import { type BrokenDemand, judgeProbe } from '../judge/judge.js';
import type { CheckSettings } from '../options.js';
import { creation, familyOf, type Probe } from '../probe.js';
import { type DrawnRow, probeOf } from '../row.js';
import { concerns, type Demand } from '../rule.js';
import { ExploringSession } from '../session/exploring-session.js';
import type { DrawChunk } from './draw-chunk.js';
import { allFamilies, startDrawing } from './draw-thread.js';
import { type Draw, Draws } from './draws.js';
import type { Exploration } from './exploration.js';
import { Findings, type KeptSequence } from './findings.js';
import type { ExploreSettings } from './options.js';
import { RecentPlants } from './recent-plants.js';
import { SeededValues } from './seeded-values.js';

/** How often a draw is sent again if a response proves nothing, and how often if it fails. */
const MOST_RESENDS = 5;
const CONFIRMATIONS = 2;
/** Exploring ends if this many requests in a row get no response: the provider has stopped. */
const MOST_SILENT = 50;
const PROGRESS_EVERY_MS = 100;
/** How often the same seed can be used for one provider, each time with other ids. */
const MOST_EPOCHS = 20;
/** No draws have these numbers, or higher ones. */
const MARKER_DRAW = 2 ** 24;
const OPENING_DRAW = MARKER_DRAW + 1;
const MARKER: Probe = {
  name: 'plain/marker',
  title: 'a plain plant that marks the use of a seed',
  expectation: 'open',
  phase: 'valid',
  requests: (values) => [creation(values)],
};

/** What exploring needs from the check before it. */
export interface ExploreContext {
  readonly settings: CheckSettings;
  readonly options: ExploreSettings;
  readonly rules: readonly Demand[];
  /** The run of the core probes. It has the controls. */
  readonly facts: Facts;
}

/** What exploring found, and the exchanges that prove what cannot be sent again. */
export interface Explored {
  readonly exploration: Exploration;
  readonly kept: readonly KeptSequence[];
}

/** Draws probes from the families and sends them, until the time or the number of draws is over. */
export async function explore(context: ExploreContext): Promise<Explored> {
  const { draw, close } = await startDrawing();
  return new Explorer(context, draw).run().finally(close);
}

class Explorer {
  private readonly session: ExploringSession;
  private readonly draws: Draws;
  private seeded: SeededValues;
  private readonly findings = new Findings();
  private readonly recent = new RecentPlants();
  /** When the first one was drawn. */
  private start = performance.now();
  private readonly rulesOf = new Map<string, readonly Demand[]>();
  private drawn = 0;
  private done = 0;
  private plants = 0;
  private silent = 0;
  private isLockedOut = false;
  private reportedAt = 0;

  constructor(
    private readonly context: ExploreContext,
    draw: DrawChunk,
  ) {
    const { settings, options } = context;
    this.session = new ExploringSession(settings, (exchange) => this.count([exchange]));
    this.draws = new Draws(draw, options.seed);
    this.seeded = new SeededValues(settings.tokens, options.seed, 0);
  }

  async run(): Promise<Explored> {
    const { options } = this.context;
    await this.skipUsedValues();
    const { exchanges, width } = await this.session.open(MARKER, this.seeded.of(OPENING_DRAW));
    this.count(exchanges.filter(({ response }) => response !== undefined));
    this.start = performance.now();
    await Promise.all(Array.from({ length: width }, () => this.work()));
    this.session.close();
    const exploration: Exploration = {
      seed: options.seed,
      draws: this.done,
      requests: this.session.requests,
      plants: this.plants,
      durationMs: Math.round(performance.now() - this.start),
      failures: this.findings.failures,
      intermittent: this.findings.intermittent,
    };
    return { exploration, kept: [...this.recent.pairs, ...this.findings.kept] };
  }

  /**
   * The same seed gives the same ids, and the provider may have them from an earlier check. Then others follow from the
   * seed: a plant that only marks its use shows which ones are left.
   */
  private async skipUsedValues(): Promise<void> {
    const { settings, options } = this.context;
    for (let epoch = 0; epoch < MOST_EPOCHS; epoch++) {
      this.seeded = new SeededValues(settings.tokens, options.seed, epoch);
      const sequence = await this.session.sendAlone(MARKER, this.seeded.of(MARKER_DRAW));
      this.count(sequence);
      if (sequence.some(isAccepted) || this.isOver()) return;
    }
    await this.locksOut();
  }

  /** Whether plain plants are rejected too: a provider may lock out clients that sent wrong tokens. Then exploring ends. */
  private async locksOut(): Promise<boolean> {
    for (let sent = 0; sent < CONFIRMATIONS; sent++)
      if (!(await this.again(MARKER)).every(isRejected)) return this.isLockedOut;
    this.isLockedOut = true;
    return true;
  }

  private async work(): Promise<void> {
    while (!this.isOver()) {
      this.drawn++;
      await this.examine(await this.draws.next());
      this.done++;
      this.report();
    }
  }

  private isOver(): boolean {
    const { settings, options } = this.context;
    const isLate = performance.now() - this.start >= options.timeMs;
    if (this.isLockedOut || this.silent >= MOST_SILENT) return true;
    return isLate || this.drawn >= options.runs || settings.signal.aborted;
  }

  /** Sends a draw. If it fails, sends it again, and then looks for the smallest row that fails. */
  private async examine(draw: Draw): Promise<void> {
    const probe = probeOf(draw.row);
    let sequence = await this.session.sendFast(probe, this.seeded.of(draw.index));
    this.count(sequence);
    for (let sent = 0; sent < MOST_RESENDS && provesNothing(sequence, sent); sent++)
      sequence = await this.again(probe);
    // The response to another request says nothing about this one.
    if (sequence.some((exchange) => this.recent.isMixed(exchange))) return;
    if (draw.parts.length > 0 && sequence.some(isRejected)) {
      // What a provider may reject hides the rest.
      for (const part of draw.parts) await this.judgeOf(draw, part, await this.again(probeOf(part)));
      return;
    }
    const broken = this.judge(probe, sequence);
    const isWanted = ({ rule }: BrokenDemand): boolean =>
      [draw.row, ...draw.parts].some(({ name }) => this.findings.wants(familyOf(name), rule.id));
    if (draw.parts.length > 0 && broken.some(isWanted)) {
      const part = await this.failingPart(draw, broken);
      if (part !== undefined) return this.judgeOf(draw, part.row, part.sequence);
    }
    await this.judgeOf(draw, draw.row, sequence);
  }

  /** The part of a draw that breaks one of its rules alone, and what it was sent. */
  private async failingPart(
    { parts }: Draw,
    broken: readonly BrokenDemand[],
  ): Promise<{ readonly row: DrawnRow; readonly sequence: readonly Exchange[] } | undefined> {
    for (const row of parts) {
      const probe = probeOf(row);
      const sequence = await this.again(probe);
      const alone = this.judge(probe, sequence);
      if (alone.some(({ rule }) => broken.some((other) => other.rule === rule))) return { row, sequence };
    }
    return undefined;
  }

  /** Judges what a row of a draw was sent for. If it fails, sends it again, and keeps the smallest row that fails. */
  private async judgeOf(draw: Draw, row: DrawnRow, sequence: readonly Exchange[]): Promise<void> {
    const [probe, family] = [probeOf(row), familyOf(row.name)];
    const broken = this.judge(probe, sequence).filter(({ rule }) => this.findings.wants(family, rule.id));
    const [first] = broken;
    if (first === undefined || this.isOver()) return;
    if (!sequence.some(isAccepted) && (await this.locksOut())) return;
    const foundAfter = this.session.requests;
    const { steady, again } = await this.confirmed(probe, broken);
    if (steady === undefined) this.findings.addIntermittent(first.rule.id, probe, sequence, again);
    else
      await this.findings.add(family, steady.rule.id, foundAfter, () =>
        this.smallest(draw, row, steady.rule),
      );
  }

  /** The first of some failures that repeats, and the last attempt. */
  private async confirmed(
    probe: Probe,
    broken: readonly BrokenDemand[],
  ): Promise<{ readonly steady: BrokenDemand | undefined; readonly again: readonly Exchange[] }> {
    for (let sent = 1; ; sent++) {
      const again = await this.again(probe);
      const repeated = this.judge(probe, again);
      const steady = broken.find(({ rule }) => repeated.some((other) => other.rule === rule));
      if (steady !== undefined || sent === CONFIRMATIONS) return { steady, again };
    }
  }

  /** Makes a draw small, or only what is like one of its parts. */
  private async smallest(draw: Draw, failing: DrawnRow, rule: Demand): Promise<DrawnRow> {
    const isWhole = failing === draw.row;
    const family = familyOf(failing.name);
    let last = failing;
    return this.draws.shrink(draw, failing, await allFamilies(), async ({ row, parts }) => {
      const alone = parts.length > 0 ? parts : [row];
      for (const one of isWhole ? [row] : alone.filter(({ name }) => familyOf(name) === family)) {
        const probe = probeOf(one);
        const isKnown = isDeepStrictEqual(one, last);
        if (!isKnown && !this.judge(probe, await this.again(probe)).some((broken) => broken.rule === rule))
          continue;
        last = one;
        return one;
      }
      return undefined;
    });
  }

  /** Sends a probe on its own connection, with values that nothing else has. */
  private async again(probe: Probe): Promise<readonly Exchange[]> {
    const sequence = await this.session.sendAlone(probe);
    this.count(sequence);
    return sequence;
  }

  private judge(probe: Probe, sequence: readonly Exchange[]): BrokenDemand[] {
    const key = `${probe.expectation} ${probe.phase} ${probe.rules?.join(' ')}`;
    let rules = this.rulesOf.get(key);
    if (rules === undefined) {
      rules = this.context.rules.filter((rule) => !rule.judgesRun && concerns(rule, probe));
      this.rulesOf.set(key, rules);
    }
    return judgeProbe(rules, probe, sequence, this.context.facts);
  }

  private count(sequence: readonly Exchange[]): void {
    for (const exchange of sequence) {
      this.recent.add(exchange);
      if (isAccepted(exchange)) this.plants++;
      this.silent = exchange.response === undefined ? this.silent + 1 : 0;
    }
  }

  private report(): void {
    const elapsedMs = performance.now() - this.start;
    if (elapsedMs - this.reportedAt < PROGRESS_EVERY_MS) return;
    this.reportedAt = elapsedMs;
    const { requests } = this.session;
    const findings = this.findings.failures.length;
    this.context.options.onProgress({ draws: this.done, requests, findings, elapsedMs });
  }
}

/**
 * Whether the exchanges of a probe prove nothing: the provider did not process a request, it closed an idle connection,
 * or it rejected a creation whose id it may have already.
 */
function provesNothing(sequence: readonly Exchange[], sent: number): boolean {
  return sequence.some(
    (exchange) =>
      isUnprocessed(exchange) ||
      (exchange.failure?.kind === 'reset' && exchange.reusedConnection) ||
      (sent === 0 && exchange.expectation === 'created' && isRejected(exchange)),
  );
}
