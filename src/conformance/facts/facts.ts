import { type Exchange, isAccepted, isOverloaded, isRejected, isThrottled } from '../exchange.js';
import { isAfterWrongTokens, type Probe } from '../probe.js';
import { type IntermittentFailures, intermittentFailures } from './intermittent.js';
import { MixedResponses } from './mixed-responses.js';
import { type Stop, stopOf } from './stop.js';

/** Why a probe was left out that a check had no time for. */
export const NO_TIME = 'there was no time for it';

/**
 * What the exchanges of a run show. The rules and the causes read it. What takes more than a look is found when it is first
 * asked for, and kept.
 */
export class Facts {
  /** The exchanges that count, in the order in which they ended. */
  readonly exchanges: readonly Exchange[];
  /** Every exchange, with those that were superseded and those that confirm failures. */
  readonly all: readonly Exchange[];
  /** The exchanges that count, and the superseded ones. */
  readonly everyAttempt: readonly Exchange[];
  /** The probes that were sent, by name. */
  readonly probes: ReadonlyMap<string, Probe>;
  private readonly byProbe = new Map<string, readonly Exchange[]>();
  private readonly found = new Map<(facts: Facts) => unknown, unknown>();

  /**
   * @param leftOut the probes that cannot be sent to this kind of provider, each with the reason
   * @param cutShort the probes that were throttled, and that there was no time to send again
   * @param restarts how many exchanges there were each time that the provider was started again
   */
  constructor(
    probes: readonly Probe[],
    exchanges: readonly Exchange[],
    readonly leftOut: ReadonlyMap<Probe, string> = new Map(),
    readonly cutShort: ReadonlySet<Probe> = new Set(),
    readonly restarts: readonly number[] = [],
  ) {
    this.probes = new Map(probes.map((probe) => [probe.name, probe]));
    this.all = exchanges;
    this.everyAttempt = exchanges.filter(({ role }) => role === 'judged' || role === 'superseded');
    this.exchanges = exchanges.filter(({ role }) => role === 'judged');
    for (const exchange of this.exchanges.toSorted((a, b) => a.step - b.step))
      this.byProbe.set(exchange.probe, [...this.of(exchange.probe), exchange]);
  }

  /** What a pure function finds in the run. It looks once, however many ask. */
  find<T>(look: (facts: Facts) => T): T {
    if (!this.found.has(look)) this.found.set(look, look(this));
    return this.found.get(look) as T;
  }

  /** Whether and where the provider stopped responding for good. */
  get stop(): Stop | undefined {
    return this.find(findStop);
  }

  /** The responses that belong to other requests. */
  get mixed(): MixedResponses {
    return this.find(findMixed);
  }

  /** The valid requests that failed once, and did not fail when they were sent again. */
  get intermittent(): IntermittentFailures {
    return this.find(intermittentFailures);
  }

  /** Whether the provider said of a request that must be accepted that it is overloaded. */
  get isOverloaded(): boolean {
    return this.find(saysItIsOverloaded);
  }

  /** Whether the provider throttles requests that nothing suspicious came before: wrong tokens are sent last. */
  get limitsItsRate(): boolean {
    return this.find(throttlesEarly);
  }

  /** Whether the provider rejects a name that it has already. The interface does not show whether it may. */
  get requiresUniqueNames(): boolean {
    return this.rejected('repeated-name');
  }

  /** The exchanges of a probe, in the order of its requests. */
  of(probe: string): readonly Exchange[] {
    return this.byProbe.get(probe) ?? [];
  }

  /** The exchanges of the same attempt. Of an attempt that was sent again, only this exchange is known. */
  attemptOf(exchange: Exchange): readonly Exchange[] {
    return exchange.role === 'judged' ? this.of(exchange.probe) : [exchange];
  }

  /** What was sent in an exchange, as a noun. */
  titleOf({ probe }: Exchange): string {
    return this.probes.get(probe)?.title ?? probe;
  }

  /** The facts of the same run, beside the exchanges of one more probe, in the order of its requests. */
  with(sequence: readonly Exchange[]): Facts {
    const [first] = sequence;
    if (first === undefined) return this;
    const facts: Facts = Object.create(this);
    facts.of = (probe) => (probe === first.probe ? sequence : this.of(probe));
    facts.find = (look) => this.find(look);
    return facts;
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

function findStop({ all, restarts }: Facts): Stop | undefined {
  return stopOf(all, restarts);
}

function findMixed({ all, probes }: Facts): MixedResponses {
  return new MixedResponses(all, probes);
}

function saysItIsOverloaded({ all }: Facts): boolean {
  return all.some((one) => one.expectation === 'created' && isOverloaded(one));
}

function throttlesEarly({ everyAttempt, probes }: Facts): boolean {
  return everyAttempt.some((exchange) => {
    return isThrottled(exchange) && !isAfterWrongTokens(probes.get(exchange.probe)?.phase);
  });
}
