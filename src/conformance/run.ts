import { randomBytes, randomInt } from 'node:crypto';
import { type Exchange, isAccepted, isRefused, type ProbeRequest } from './exchange.js';
import type { CheckSettings } from './options.js';
import { PHASES, type Probe, type ProbeMaterial } from './probe.js';
import { type Outcome, send } from './send.js';

/** A check ends within 45 s: no request begins after this, and none may take longer than the rest. */
const BUDGET_MS = 40_000;
const LAST_MS = 44_000;
const IDS_BELOW = 2 ** 31;

/**
 * Sends the probes, phase by phase; those of a phase side by side. Where no control is accepted, the rest would
 * prove nothing and is not sent.
 *
 * @returns every exchange, in the order in which they ended
 */
export async function runProbes(
  probes: readonly Probe[],
  settings: CheckSettings,
): Promise<readonly Exchange[]> {
  const material = freshMaterial(settings.token);
  const sender = new Sender(settings, probes.length);
  for (const phase of PHASES) {
    const now = probes.filter((probe) => probe.phase === phase);
    // Side by side, a provider that mixes its answers up would spoil the controls, on which all else rests.
    await sender.sideBySide(now, phase === 'control' ? 1 : settings.concurrency, (probe) =>
      sender.probe(probe, material),
    );
    if (phase === 'control' && !sender.exchanges.some(isAccepted)) break;
  }
  return sender.exchanges;
}

/** What the probes are made of: fresh and random for every run, so that runs do not meet. */
export function freshMaterial(token: string): ProbeMaterial {
  const used = new Set<number>();
  return {
    token,
    // Letters that a decoder of base64 cannot take for padding, and of a length that tokens have.
    wrongToken: `wrong${randomBytes(15).toString('hex')}`,
    freshId() {
      let id: number;
      do id = randomInt(1, IDS_BELOW);
      while (used.has(id));
      used.add(id);
      return id;
    },
  };
}

class Sender {
  readonly exchanges: Exchange[] = [];
  private readonly start = performance.now();

  constructor(
    private readonly settings: CheckSettings,
    private readonly planned: number,
  ) {}

  /** The requests of a probe, one after the other; a refused control once more, since its id may be taken. */
  async probe(probe: Probe, material: ProbeMaterial): Promise<void> {
    for (const request of probe.requests(material)) {
      const exchange = await this.exchange(probe.name, request);
      if (probe.kind !== 'valid' || !isRefused(exchange)) continue;
      this.exchanges[exchange.index] = { ...exchange, retried: true };
      for (const again of probe.requests(material)) await this.exchange(probe.name, again);
    }
  }

  async exchange(probe: string, request: ProbeRequest): Promise<Exchange> {
    const startMs = performance.now() - this.start;
    const outcome: Outcome =
      startMs < BUDGET_MS
        ? await send(
            { url: this.settings.url, timeoutMs: Math.min(this.settings.timeoutMs, LAST_MS - startMs) },
            request,
          )
        : {
            failure: {
              kind: 'not-sent',
              message: `not sent: the check had taken ${BUDGET_MS / 1000} s already`,
            },
          };
    const exchange: Exchange = {
      index: this.exchanges.length,
      probe,
      request,
      response: 'response' in outcome ? outcome.response : undefined,
      failure: 'failure' in outcome ? outcome.failure : undefined,
      retried: false,
      startMs,
      durationMs: performance.now() - this.start - startMs,
    };
    this.exchanges.push(exchange);
    this.settings.onExchange(exchange, Math.max(this.planned, this.exchanges.length));
    return exchange;
  }

  /** So many at once, begun in order. */
  async sideBySide<T>(
    items: readonly T[],
    concurrency: number,
    work: (item: T) => Promise<unknown>,
  ): Promise<void> {
    const waiting = items[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const item of waiting) await work(item);
    };
    await Promise.all(Array.from({ length: concurrency }, worker));
  }
}
