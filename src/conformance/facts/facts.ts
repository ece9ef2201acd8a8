import { type Exchange, isAccepted, isOverloaded, isRejected, isThrottled } from '../exchange.js';
import type { Probe } from '../probe.js';
import { type AnyRule, concerns } from '../rule.js';
import { MixedResponses } from './mixed-responses.js';
import { type Stop, stopOf } from './stop.js';

/** What the exchanges of a run show. The rules read it. */
export class Facts {
  /** The exchanges that count, in the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  /** Every exchange, with those that were superseded and those that confirm failures. */
  readonly all: readonly Exchange[];
  /** The exchanges that count, and the superseded ones. */
  readonly everyAttempt: readonly Exchange[];
  /** The probes that were sent, by name. */
  readonly probes: ReadonlyMap<string, Probe>;
  /** Whether and where the provider stopped responding for good. */
  readonly stop: Stop | undefined;
  /** Whether the provider said of a request that must be accepted that it is overloaded. */
  readonly isOverloaded: boolean;
  /** The responses that belong to other requests. */
  readonly mixed: MixedResponses;
  private readonly byProbe = new Map<string, readonly Exchange[]>();

  /**
   * @param leftOut the probes that cannot be sent to this kind of provider, each with the reason
   * @param cutShort the probes that were throttled, and that there was no time to send again
   */
  constructor(
    probes: readonly Probe[],
    exchanges: readonly Exchange[],
    private readonly leftOut: ReadonlyMap<Probe, string> = new Map(),
    readonly cutShort: ReadonlySet<Probe> = new Set(),
  ) {
    this.probes = new Map(probes.map((probe) => [probe.name, probe]));
    this.all = exchanges;
    this.everyAttempt = exchanges.filter(({ role }) => role !== 'confirmation');
    this.exchanges = exchanges.filter(({ role }) => role === 'judged');
    this.stop = stopOf(exchanges);
    this.mixed = new MixedResponses(exchanges, this.probes);
    this.isOverloaded = exchanges.some((one) => one.expectation === 'created' && isOverloaded(one));
    for (const exchange of this.exchanges.toSorted((a, b) => a.step - b.step))
      this.byProbe.set(exchange.probe, [...this.of(exchange.probe), exchange]);
  }

  /** Whether the provider throttles requests that nothing suspicious came before: wrong tokens are sent last. */
  get limitsItsRate(): boolean {
    return this.everyAttempt.some((exchange) => {
      const phase = this.probes.get(exchange.probe)?.phase;
      return isThrottled(exchange) && phase !== 'wrong-token' && phase !== 'afterwards';
    });
  }

  /** The exchanges of a probe, in the order of its requests. */
  of(probe: string): readonly Exchange[] {
    return this.byProbe.get(probe) ?? [];
  }

  /** The same facts, with the exchanges of one more probe, in the order of its requests. */
  with(sequence: readonly Exchange[]): Facts {
    const [first] = sequence;
    if (first === undefined) return this;
    const facts: Facts = Object.create(this);
    facts.of = (probe) => (probe === first.probe ? sequence : this.of(probe));
    return facts;
  }

  /** Why probes of a rule could not be sent. Default: all that it judges. */
  whyLeftOut(rule: AnyRule, isMeant: (probe: Probe) => boolean = () => true): readonly string[] {
    return [...this.leftOut]
      .filter(([probe]) => concerns(rule, probe) && isMeant(probe))
      .map(([, why]) => why);
  }

  /** Whether the last request of a probe was accepted. */
  accepted(probe: string): boolean {
    const last = this.of(probe).at(-1);
    return last !== undefined && isAccepted(last);
  }

  /** Whether the last request of a probe was rejected because there were too many requests. */
  throttled(probe: string): boolean {
    const last = this.of(probe).at(-1);
    return last !== undefined && isThrottled(last);
  }

  /** Whether a request of a probe, by default the last, was rejected for its content. */
  rejected(probe: string, step = -1): boolean {
    const exchange = this.of(probe).at(step);
    return exchange !== undefined && isRejected(exchange) && !isThrottled(exchange);
  }
}
