import { type Exchange, isAccepted, isUnsent } from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import { brokenBy } from '../judge/judge.js';
import type { CheckSettings } from '../options.js';
import { type Probe, probeOf, type Row } from '../row.js';
import type { Demand } from '../rule.js';
import { Sender } from '../send/sender.js';
import { Clock } from '../send/time.js';
import { plainPlants } from '../values/plain-plants.js';
import { drawRows } from './draw.js';
import type { Exploration, ExploredFailure, ExploreSettings } from './exploration.js';

/** How many rows are drawn and sent at once. */
const AT_ONCE = 16;
/** How often a row is sent again if it fails. */
const CONFIRMATIONS = 2;
/** More than there is time for. */
const MOST_RUNS = 2 ** 31 - 1;
/** What a property throws, and a defect of ours does not. */
const FOUND = new Error('a row fails');

/** What exploring needs from the check before it. */
interface ExploreContext {
  readonly settings: CheckSettings;
  readonly options: ExploreSettings;
  readonly rules: readonly Demand[];
  /** The run of the core probes. It has the controls. */
  readonly facts: Facts;
}

/** Draws rows and sends them, until the time or the number of draws is over. */
export class Explorer {
  private readonly sender: Sender;
  private requests = 0;
  /** One of each rule: most further ones have the same cause. */
  private readonly failures: ExploredFailure[] = [];
  private intermittent = 0;
  private readonly start = performance.now();
  private draws = 0;
  private plants = 0;

  constructor(private readonly context: ExploreContext) {
    const { settings } = context;
    const clock = new Clock(Number.POSITIVE_INFINITY, settings.signal);
    this.sender = new Sender(settings, {
      clock,
      keep: ({ index }) => {
        this.requests = Math.max(this.requests, index + 1);
      },
    });
    this.sender.watch.started();
  }

  private get elapsedMs(): number {
    return Math.round(performance.now() - this.start);
  }

  async run(): Promise<Exploration> {
    const { seed } = this.context.options;
    await this.sender.decide(
      (await Promise.all(plainPlants.map((probe) => this.send(probe)))).flat(),
      plainPlants,
    );
    for (let search = 0; !this.isOver(); search++) await this.search(seed + search);
    this.sender.close();
    const { requests, draws, plants, elapsedMs: durationMs, failures, intermittent } = this;
    return { seed, draws, requests, plants, durationMs, failures, intermittent };
  }

  private isOver(): boolean {
    const { settings, options } = this.context;
    if (this.sender.watch.ended !== undefined || settings.signal.aborted) return true;
    return this.draws >= options.runs || this.elapsedMs >= options.timeMs;
  }

  /** Draws until something fails, and makes that small. fast-check does both. */
  private async search(seed: number): Promise<void> {
    const fc = await import('fast-check');
    const rows = fc.array(drawRows(fc), { minLength: 1, maxLength: AT_ONCE, size: 'max' });
    let smallest: ExploredFailure | undefined;
    const property = fc.asyncProperty(rows, async (some) => {
      const isOver = this.isOver();
      const found = isOver ? undefined : await this.firstFailing(some, smallest);
      smallest = found ?? smallest;
      // Only a failure ends a search. Once there is no time, nothing smaller is looked for.
      if (found !== undefined || (isOver && smallest === undefined)) throw FOUND;
    });
    const { errorInstance } = await fc.check(property, { seed, numRuns: MOST_RUNS });
    if (errorInstance !== FOUND) throw errorInstance;
    if (smallest === undefined) return;
    const name = `drawn/${this.failures.length + 1}`;
    this.failures.push({ ...smallest, row: { ...smallest.row, name } });
  }

  /** Sends rows side by side. While something is made small, only the same rule counts. */
  private async firstFailing(
    rows: readonly Row[],
    smallest: ExploredFailure | undefined,
  ): Promise<ExploredFailure | undefined> {
    const left = this.context.options.runs - this.draws;
    const some = smallest === undefined ? rows.slice(0, left) : rows;
    if (smallest === undefined) this.draws += some.length;
    const found = await Promise.all(some.map((row) => this.failing(row, smallest)));
    return found.find((one) => one !== undefined);
  }

  /** Sends a row, and again if it fails: what does not repeat is intermittent, and only counted. */
  private async failing(
    row: Row,
    smallest: ExploredFailure | undefined,
  ): Promise<ExploredFailure | undefined> {
    const probe = probeOf(row);
    const sequence = await this.send(probe);
    const isWanted = ({ id }: Demand): boolean =>
      smallest === undefined ? !this.failures.some(({ rule }) => rule === id) : id === smallest.rule;
    const { rules, facts } = this.context;
    const broken = brokenBy(rules, probe, sequence, facts).filter(isWanted);
    const [first] = broken;
    if (first === undefined) return undefined;
    if (smallest !== undefined) return { ...smallest, row };
    // A provider may lock out clients that sent wrong tokens. Then exploring ends.
    if (!sequence.some(isAccepted)) await this.sender.watch.look();
    if (this.sender.watch.ended === 'rejects') return undefined;
    for (let sent = 0; sent < CONFIRMATIONS; sent++) {
      const again = await this.send(probe);
      // The provider has stopped responding. The check sends the row again, and finds that out.
      if (again.some(isUnsent)) return { row, rule: first.id };
      const steady = brokenBy(rules, probe, again, facts).find((rule) => broken.includes(rule));
      if (steady !== undefined) return { row, rule: steady.id };
    }
    this.intermittent++;
    return undefined;
  }

  private async send(probe: Probe): Promise<readonly Exchange[]> {
    const sequence = await this.sender.send(probe);
    this.plants += sequence.filter(isAccepted).length;
    return sequence;
  }
}
