import { isDeepStrictEqual } from 'node:util';
import { type Exchange, isAccepted, isRejected, isUnprocessed, isUnsent } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import { judgeProbe } from '../judge/judge.js';
import type { CheckSettings } from '../options.js';
import { familyOf, type Probe, type Row } from '../probe.js';
import { probeOf } from '../row.js';
import { concerns, type Demand } from '../rule.js';
import { Sender } from '../send/sender.js';
import { Clock } from '../send/time.js';
import { plainPlant } from '../topics/plain.js';
import { drawRows } from './draw.js';
import type { Exploration, ExploredFailure } from './exploration.js';
import type { ExploreSettings } from './options.js';

/** How many rows are drawn and sent at once. */
const AT_ONCE = 16;
/** How often a row is sent again if a response proves nothing, and how often if it fails. */
const MOST_RESENDS = 5;
const CONFIRMATIONS = 2;
/** How many failures of one rule are made small. Most further ones have the same cause. */
const MOST_OF_A_RULE = 3;
/** How many failures that do not repeat are kept as evidence. All are counted. */
const MOST_KEPT = 5;
/** Exploring ends if this many requests in a row get no response: the provider has stopped. */
const MOST_SILENT = 50;
/** More than there is time for. */
const MOST_RUNS = 2 ** 31 - 1;
/** What a property throws, and a defect of ours does not. */
const FOUND = new Error('a row fails');
const PROGRESS_EVERY_MS = 100;

/** What exploring needs from the check before it. */
export interface ExploreContext {
  readonly settings: CheckSettings;
  readonly options: ExploreSettings;
  readonly rules: readonly Demand[];
  /** The run of the core probes. It has the controls. */
  readonly facts: Facts;
}

/** A probe and exchanges that the check keeps, because they cannot be sent again. */
interface KeptSequence {
  readonly probe: Probe;
  readonly exchanges: readonly Exchange[];
}

/** What exploring found, and the exchanges that prove what does not repeat. */
export interface Explored {
  readonly exploration: Exploration;
  readonly kept: readonly KeptSequence[];
}

/** Draws rows and sends them, until the time or the number of draws is over. */
export function explore(context: ExploreContext): Promise<Explored> {
  return new Explorer(context).run();
}

/** A row that breaks a rule, and how many requests had been sent when it was found. */
type Failing = ExploredFailure;

class Explorer {
  private readonly sender: Sender;
  private requests = 0;
  private readonly failures: ExploredFailure[] = [];
  private readonly foundOf = new Map<string, number>();
  private readonly intermittent: Record<string, number> = {};
  private readonly kept: KeptSequence[] = [];
  private readonly start = performance.now();
  private drawn = 0;
  private plants = 0;
  private silent = 0;
  private isLockedOut = false;
  private reportedAt = 0;

  constructor(private readonly context: ExploreContext) {
    const { settings } = context;
    const clock = new Clock(Number.POSITIVE_INFINITY, settings.signal);
    this.sender = new Sender(settings, {
      clock,
      keep: ({ index }) => {
        this.requests = Math.max(this.requests, index + 1);
      },
    });
  }

  async run(): Promise<Explored> {
    const { seed } = this.context.options;
    for (let search = 0; !this.isOver(); search++) await this.search(seed + search);
    this.sender.close();
    const { requests, drawn, plants, failures, intermittent, kept } = this;
    const durationMs = Math.round(performance.now() - this.start);
    return {
      exploration: { seed, draws: drawn, requests, plants, durationMs, failures, intermittent },
      kept,
    };
  }

  private isOver(): boolean {
    const { settings, options } = this.context;
    if (this.isLockedOut || this.silent >= MOST_SILENT || settings.signal.aborted) return true;
    return this.drawn >= options.runs || performance.now() - this.start >= options.timeMs;
  }

  /** Draws until something fails, and makes that small. fast-check does both. */
  private async search(seed: number): Promise<void> {
    const fc = await import('fast-check');
    const rows = fc.array(drawRows(fc), { minLength: 1, maxLength: AT_ONCE, size: 'max' });
    let smallest: Failing | undefined;
    const property = fc.asyncProperty(rows, async (some) => {
      const isOver = this.isOver();
      const found = isOver ? undefined : await this.firstFailing(some, smallest);
      smallest = found ?? smallest;
      // Only a failure ends a search. Once there is no time, nothing smaller is looked for.
      if (found !== undefined || (isOver && smallest === undefined)) throw FOUND;
    });
    const { errorInstance } = await fc.check(property, { seed, numRuns: MOST_RUNS });
    if (errorInstance !== FOUND) throw errorInstance;
    if (smallest !== undefined) this.keep(smallest);
  }

  /** Sends rows side by side. While something is made small, only the same rule counts. */
  private async firstFailing(
    rows: readonly Row[],
    smallest: Failing | undefined,
  ): Promise<Failing | undefined> {
    const left = this.context.options.runs - this.drawn;
    const some = smallest === undefined ? rows.slice(0, left) : rows;
    if (smallest === undefined) this.drawn += some.length;
    const found = await Promise.all(some.map((row) => this.failing(row, smallest)));
    this.report();
    return found.find((one) => one !== undefined);
  }

  /** Sends a row, and again if it fails: what does not repeat is intermittent. */
  private async failing(row: Row, smallest: Failing | undefined): Promise<Failing | undefined> {
    const probe = probeOf(row);
    let sequence = await this.send(probe);
    for (let sent = 0; sent < MOST_RESENDS && provesNothing(sequence, sent); sent++)
      sequence = await this.send(probe);
    const broken = this.brokenBy(probe, sequence).filter((rule) => this.wants(rule, smallest));
    const [first] = broken;
    if (first === undefined) return undefined;
    const { requests } = this;
    if (smallest !== undefined) return { ...smallest, row };
    if (!sequence.some(isAccepted) && (await this.locksOut())) return undefined;
    for (let sent = 0; sent < CONFIRMATIONS; sent++) {
      const again = await this.send(probe);
      // The provider has stopped responding. The check sends the row again, and finds that out.
      if (again.some(isUnsent)) return { row, rule: first.id, foundAfter: requests };
      const steady = this.brokenBy(probe, again).find((rule) => broken.includes(rule));
      if (steady !== undefined) return { row, rule: steady.id, foundAfter: requests };
      if (sent === CONFIRMATIONS - 1) this.addIntermittent(first, probe, sequence, again);
    }
    return undefined;
  }

  private wants({ id }: Demand, smallest: Failing | undefined): boolean {
    return smallest === undefined ? (this.foundOf.get(id) ?? 0) < MOST_OF_A_RULE : id === smallest.rule;
  }

  private brokenBy(probe: Probe, sequence: readonly Exchange[]): readonly Demand[] {
    const { rules, facts } = this.context;
    const own = rules.filter((rule) => !rule.judgesRun && concerns(rule, probe));
    return judgeProbe(own, probe, sequence, facts).map(({ rule }) => rule);
  }

  /** Whether plain plants are rejected too: a provider may lock out clients that sent wrong tokens. Then exploring ends. */
  private async locksOut(): Promise<boolean> {
    for (let sent = 0; sent < CONFIRMATIONS; sent++)
      if (!(await this.send(plainPlant)).every(isRejected)) return this.isLockedOut;
    this.isLockedOut = true;
    return true;
  }

  /** Sends a probe with values that nothing else has. */
  private async send(probe: Probe): Promise<readonly Exchange[]> {
    const sequence = await this.sender.send(probe);
    for (const exchange of sequence) {
      if (isAccepted(exchange)) this.plants++;
      this.silent = exchange.response === undefined ? this.silent + 1 : 0;
    }
    return sequence;
  }

  private keep({ row, rule, foundAfter }: Failing): void {
    this.foundOf.set(rule, (this.foundOf.get(rule) ?? 0) + 1);
    const isKnown = this.failures.some(
      (one) => one.rule === rule && isDeepStrictEqual(one.row, { ...row, name: one.row.name }),
    );
    if (isKnown) return;
    const name = `${familyOf(row.name)}/explored-${this.failures.length + 1}` as const;
    this.failures.push({ rule, foundAfter, row: { ...row, name } });
  }

  /**
   * Counts a failure that did not repeat.
   *
   * @param failed the exchanges that failed
   * @param again those that did not
   */
  private addIntermittent(
    { id }: Demand,
    probe: Probe,
    failed: readonly Exchange[],
    again: readonly Exchange[],
  ): void {
    this.intermittent[id] = (this.intermittent[id] ?? 0) + 1;
    if (this.kept.length === MOST_KEPT) return;
    const name = `${familyOf(probe.name)}/intermittent-${this.kept.length + 1}` as const;
    const renamed = (role: Exchange['role']) => (one: Exchange) => ({ ...one, probe: name, role });
    this.kept.push({
      probe: { ...probe, name },
      exchanges: [...failed.map(renamed('superseded')), ...again.map(renamed('judged'))],
    });
  }

  private report(): void {
    const elapsedMs = performance.now() - this.start;
    if (elapsedMs - this.reportedAt < PROGRESS_EVERY_MS) return;
    this.reportedAt = elapsedMs;
    const { requests } = this;
    this.context.options.onProgress({
      draws: this.drawn,
      requests,
      findings: this.failures.length,
      elapsedMs,
    });
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
