import { type Exchange, isAccepted, isUnprocessed } from '../exchange.js';
import type { Probe } from '../probe.js';

/** What a bundle needs from the run. */
export interface Sender {
  send(probe: Probe): Promise<void>;
  exchanges(): readonly Exchange[];
  reassign(exchanges: readonly Exchange[], role: Exchange['role']): void;
  /** Whether nothing more is sent. */
  hasStopped(): boolean;
}

/** Sends the parts of bundles that are not accepted, so that a finding names the value. */
export class Bundles {
  /** What was sent of each of these bundles: its parts, or the whole beside them. */
  private readonly sentFor = new Map<Probe, readonly Probe[]>();
  /** The probes that were sent only because a name or a tag was not accepted. */
  private readonly further: Probe[] = [];

  /** @param ifRejected the probes that are sent only if a name or a tag of a bundle is not accepted */
  constructor(
    private readonly sender: Sender,
    private readonly ifRejected: readonly Probe[],
  ) {}

  /** What was sent of a probe: its parts, or the whole. */
  partsOf(probe: Probe): readonly Probe[] {
    return this.sentFor.get(probe) ?? [probe];
  }

  /** Call it before a probe is sent whole again: its parts say nothing. */
  forget(probe: Probe): void {
    this.sentFor.delete(probe);
  }

  /** The probes that were sent, with the parts of bundles that were not accepted. */
  sent(probes: readonly Probe[]): readonly Probe[] {
    return [...probes.flatMap((probe) => this.partsOf(probe)), ...this.further];
  }

  /** Call it when a probe was sent. The last part is the id: it is sent if no accepted part has it. */
  async after(probe: Probe): Promise<void> {
    const { parts } = probe;
    const exchange = this.judgedOf(probe);
    if (parts === undefined || exchange === undefined || this.sender.hasStopped()) return;
    if (isAccepted(exchange) || isUnprocessed(exchange)) return;
    const sent: Probe[] = [];
    for (const part of parts) {
      // What may be rejected carries the id as well.
      const isIdKnown = sent.some((one) => one.expectation === 'open' && this.isAccepted(one));
      if (part === parts.at(-1) && isIdKnown) break;
      await this.sender.send(part);
      sent.push(part);
    }
    if (this.sender.hasStopped()) {
      // The bundle may be what stopped the provider.
      this.sender.reassign(
        sent.flatMap((part) => this.judgedOf(part) ?? []),
        'split',
      );
      return;
    }
    // If all parts are accepted, only the whole explains its response.
    const isExplained = sent.some((part) => !this.isAccepted(part));
    if (isExplained) this.sender.reassign([exchange], 'split');
    this.sentFor.set(probe, isExplained ? sent : [probe, ...sent]);
  }

  /** The probes to send now because a name or a tag of a bundle was not accepted. They are sent once. */
  takeFurther(): readonly Probe[] {
    const wanted = new Set(
      [...this.sentFor.keys()].flatMap(({ parts: [name, tag] = [] }) => [
        ...(this.isUnwanted(name) ? ['name' as const] : []),
        ...(this.isUnwanted(tag) ? ['tag' as const] : []),
      ]),
    );
    const now = this.ifRejected.filter(
      (probe) => wanted.has(probe.ifRejected ?? 'name') && !this.further.includes(probe),
    );
    this.further.push(...now);
    return now;
  }

  private judgedOf({ name }: Probe): Exchange | undefined {
    return this.sender.exchanges().findLast(({ probe, role }) => probe === name && role === 'judged');
  }

  private isAccepted(part: Probe): boolean {
    const exchange = this.judgedOf(part);
    return exchange !== undefined && isAccepted(exchange);
  }

  private isUnwanted(part: Probe | undefined): boolean {
    const exchange = part && this.judgedOf(part);
    return exchange !== undefined && !isAccepted(exchange) && !isUnprocessed(exchange);
  }
}
