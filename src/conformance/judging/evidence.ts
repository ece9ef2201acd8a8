import { type Exchange, isAccepted, isRefused, isThrottled } from '../exchange.js';
import type { Probe } from '../probe.js';
import { concerns, type Rule } from '../rule.js';

/** All that a run has shown, to be asked for one thing or another. */
export class Evidence {
  /** The exchanges that count, in the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  /** The same, and those of probes that were sent again. */
  readonly everyAttempt: readonly Exchange[];
  /** The probes that were sent, by their names. */
  readonly probes: ReadonlyMap<string, Probe>;
  private readonly byProbe = new Map<string, Exchange[]>();

  /** @param leftOut probes that could not be sent to a provider of this kind, with the reasons */
  constructor(
    probes: readonly Probe[],
    exchanges: readonly Exchange[],
    private readonly leftOut: ReadonlyMap<Probe, string> = new Map(),
  ) {
    this.probes = new Map(probes.map((probe) => [probe.name, probe]));
    this.everyAttempt = exchanges.filter(({ role }) => role !== 'confirmation');
    this.exchanges = exchanges.filter(({ role }) => role === 'judged');
    for (const exchange of this.exchanges) {
      const others = this.byProbe.get(exchange.probe);
      if (others === undefined) this.byProbe.set(exchange.probe, [exchange]);
      else others.push(exchange);
    }
    for (const sequence of this.byProbe.values()) sequence.sort((a, b) => a.step - b.step);
  }

  /** The exchanges of a probe, in the order of its requests. */
  of(probe: string): readonly Exchange[] {
    return this.byProbe.get(probe) ?? [];
  }

  /** Why probes that a rule names could not be sent. */
  whyLeftOut(rule: Rule): readonly string[] {
    return [...this.leftOut].filter(([probe]) => concerns(rule, probe)).map(([, why]) => why);
  }

  /** Whether the last request of a probe was accepted. */
  accepted(probe: string): boolean {
    const last = this.of(probe).at(-1);
    return last !== undefined && isAccepted(last);
  }

  /** Whether the last request of a probe was not looked at, since there were too many. */
  throttled(probe: string): boolean {
    const last = this.of(probe).at(-1);
    return last !== undefined && isThrottled(last);
  }

  /** Whether a request of a probe, the last unless said, was refused for what it is. */
  refused(probe: string, step = -1): boolean {
    const exchange = this.of(probe).at(step);
    return exchange !== undefined && isRefused(exchange) && !isThrottled(exchange);
  }
}
