import { type Exchange, isUnsent, mayHaveStopped } from '../exchange.js';
import { stopOf } from '../judge/facts.js';
import type { Probe } from '../probe.js';
import { type AnyRule, isSentFor } from '../rule.js';

/** So often, a provider that stops responding is started again to send what is missing, and once more to end with it. */
const MOST_RESTARTS = 8;

/** What restarting needs from the run. */
export interface Restarted {
  readonly rules: readonly AnyRule[];
  /** Every exchange so far, in the order in which they ended. */
  exchanges(): readonly Exchange[];
  hasStopped(): boolean;
  /** Finds out whether the provider still responds, if the last request got no response. */
  look(): Promise<void>;
  /** Starts the provider again, and says whether it answers. */
  startAgain(): Promise<boolean>;
  /** What was sent of a probe: its parts, or the whole. */
  partsOf(probe: Probe): readonly Probe[];
  /** Prepares to send a probe once more, whole: what was sent of it counts no more. */
  forget(probe: Probe): void;
  /** Whether there is a reason not to send a probe. */
  isLeftOut(probe: Probe): boolean;
  leaveOut(probe: Probe, why: string): void;
  reassign(exchanges: readonly Exchange[], role: Exchange['role']): void;
  /** Sends probes phase by phase, side by side. */
  sendPhases(probes: readonly Probe[]): Promise<void>;
  send(probe: Probe): Promise<void>;
}

/**
 * Has a provider started again that stopped responding, and sends what got no response. What may have stopped it is sent alone, to
 * find out. What did is not sent again, and what is sent for the same rules comes last.
 */
export class Restarting {
  /** How many exchanges there were each time that the provider was started again. */
  readonly restarts: number[] = [];
  /** The probes that stop the provider. */
  private readonly fatal = new Set<Probe>();

  constructor(private readonly run: Restarted) {}

  /** Whether a probe stops the provider, so that it is not sent again. */
  isFatal(probe: Probe): boolean {
    return this.fatal.has(probe);
  }

  /** Call it when probes were sent. As long as the provider has stopped, sends those that got no response. */
  async after(probes: readonly Probe[]): Promise<void> {
    const { run, restarts } = this;
    while (run.hasStopped() && restarts.length <= MOST_RESTARTS) {
      const stop = stopOf(run.exchanges(), restarts);
      if (stop === undefined || !(await run.startAgain())) return;
      const since = restarts.at(-1) ?? 0;
      restarts.push(run.exchanges().length);
      const unanswered = [...stop.lost].filter(({ role }) => role === 'judged');
      // A request that got no response may have been sent again, in vain.
      const silent = run
        .exchanges()
        .slice(since)
        .filter((one) => one.role !== 'confirmation' && stop.lost.has(one) && mayHaveStopped(one));
      const suspects = probes.filter((probe) => !this.fatal.has(probe) && this.isIn(silent, probe));
      const [only] = suspects;
      if (only !== undefined && suspects.length === 1) this.stopped(only, silent, unanswered);
      const lost = probes.filter(
        (probe) =>
          !this.fatal.has(probe) &&
          !run.isLeftOut(probe) &&
          (this.isIn(unanswered, probe) || !this.hasCounted(probe)),
      );
      if (restarts.length > MOST_RESTARTS) {
        for (const probe of lost)
          if (!this.hasCounted(probe) && probe.name !== stop.first.probe)
            run.leaveOut(probe, 'the provider had stopped responding too often');
        return;
      }
      for (const probe of lost) run.forget(probe);
      await this.sendAgain(
        lost.filter((probe) => !suspects.includes(probe)),
        lost.filter((probe) => suspects.includes(probe)),
      );
    }
  }

  /** Notes what stopped the provider. That counts, and not that it was sent again in vain. */
  private stopped(probe: Probe, silent: readonly Exchange[], unanswered: readonly Exchange[]): void {
    this.fatal.add(probe);
    const last = silent.findLast(({ role }) => role === 'superseded');
    if (last === undefined) return;
    const inVain = unanswered.filter(
      (one) => isUnsent(one) && one.probe === last.probe && one.step === last.step,
    );
    if (inVain.length === 0) return;
    this.run.reassign(inVain, 'superseded');
    this.run.reassign([last], 'judged');
  }

  /** Sends probes until the provider stops responding. */
  private async sendAgain(lost: readonly Probe[], suspects: readonly Probe[]): Promise<void> {
    const { run, fatal } = this;
    const rules = run.rules.filter((rule) => [...fatal].some((probe) => isSentFor(rule, probe)));
    const isLikeFatal = (probe: Probe): boolean => rules.some((rule) => isSentFor(rule, probe));
    const ordinary = lost.filter((probe) => !isLikeFatal(probe));
    await this.sendOneByOne(suspects);
    if (run.hasStopped()) return;
    await run.sendPhases(ordinary.filter(({ phase }) => phase !== 'heavy'));
    await run.look();
    await this.sendOneByOne(ordinary.filter(({ phase }) => phase === 'heavy'));
    await this.sendOneByOne(lost.filter(isLikeFatal));
  }

  /** Sends probes, and finds out after each whether the provider still responds. */
  private async sendOneByOne(probes: readonly Probe[]): Promise<void> {
    for (const probe of probes) {
      if (this.run.hasStopped()) return;
      await this.run.send(probe);
      await this.run.look();
    }
  }

  /** Whether some exchanges are of a probe. */
  private isIn(some: readonly Exchange[], probe: Probe): boolean {
    const names = new Set(this.run.partsOf(probe).map(({ name }) => name));
    return some.some((one) => names.has(one.probe));
  }

  /** Whether anything counts that was sent of a probe. */
  private hasCounted(probe: Probe): boolean {
    return this.isIn(
      this.run.exchanges().filter(({ role }) => role === 'judged'),
      probe,
    );
  }
}
