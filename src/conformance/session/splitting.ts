import { type Exchange, isAccepted, isUnprocessed } from '../exchange.js';
import type { Load, Packing } from '../packing.js';
import type { Probe } from '../probe.js';
import { contentOf } from '../response-body.js';
import { probeOf } from '../row.js';
import { objectIn } from '../rules/exchanges.js';
import type { Value } from '../topics/values.js';

/** So many texts are halved until one piece is left that breaks a rule, and so many that are rejected are halved once. */
const MOST_SEARCHES = 6;
const MOST_HALVED = 8;

/** What splitting needs from the run. */
export interface Sender {
  /** Sends a probe, and judges it. */
  send(probe: Probe): Promise<void>;
  /** The exchange of a probe that counts. */
  exchangeOf(probe: string): Exchange | undefined;
  /** The attempts of a probe that it processed, or broke off, before the one that counts. */
  earlierOf(probe: string): readonly Exchange[];
  /** Says what an exchange is from now on. */
  reassign(exchange: Exchange, changes: Partial<Pick<Exchange, 'role' | 'probe' | 'expectation'>>): void;
  /** Whether one more request may be sent. */
  mayAddRequest(): boolean;
  /** Whether nothing more is sent. */
  hasStopped(): boolean;
}

/**
 * Sends the parts of packed requests alone, if their responses are other than those to plain plants: then a finding names the
 * part that breaks a rule, and what a provider may reject spoils nothing else.
 */
export class Splitting {
  /** The parts that were sent instead of each packed probe. */
  private readonly sentFor = new Map<Probe, readonly Probe[]>();
  /** The fields of which a value was rejected. */
  private readonly rejected = new Set<Value['of']>();
  /** The probes that were sent only because something was rejected. */
  private readonly further: Probe[] = [];
  private searches = 0;
  private halved = 0;

  constructor(
    private readonly packing: Packing,
    private readonly sender: Sender,
  ) {}

  /** Whether a probe is packed, so that its rejection says nothing yet. */
  isPacked(probe: Probe): boolean {
    return this.packing.loads.has(probe);
  }

  /** The probes to send now because something was rejected. They are sent once. */
  takeFurther(): readonly Probe[] {
    const { name, tag } = this.packing.ifRejected;
    const wanted = [...(this.rejected.has('name') ? name : []), ...(this.rejected.has('tag') ? tag : [])];
    const now = wanted.filter((probe) => !this.further.includes(probe));
    this.further.push(...now);
    return now;
  }

  /** What was sent of a probe: its parts, or the whole. */
  partsOf(probe: Probe): readonly Probe[] {
    return this.sentFor.get(probe) ?? [probe];
  }

  /** Call it before a probe is sent whole again: its parts say nothing. */
  forget(probe: Probe): void {
    this.sentFor.delete(probe);
  }

  /** The probes that were sent, with the parts of those that were split. */
  sent(probes: readonly Probe[]): readonly Probe[] {
    return [...probes.flatMap((probe) => this.partsOf(probe)), ...this.further];
  }

  /** Call it when a probe was sent. If its response is suspicious, sends its parts. */
  async after(probe: Probe): Promise<void> {
    const load = this.packing.loads.get(probe);
    const exchange = load && this.sender.exchangeOf(probe.name);
    if (load === undefined || exchange === undefined || this.sender.hasStopped()) return;
    const suspicion = this.suspicionOf(probe, exchange);
    if (suspicion === undefined) return;
    // What is sent alone under the same name says nothing about any attempt of the whole.
    for (const attempt of [...this.sender.earlierOf(probe.name), exchange])
      this.sender.reassign(attempt, { role: 'split' });
    const parts = await this.parts(load);
    this.sentFor.set(probe, parts);
    if (this.sender.hasStopped() && suspicion === 'failed') {
      // It may be what stopped the provider.
      for (const part of parts) {
        const later = this.sender.exchangeOf(part.name);
        if (later !== undefined) this.sender.reassign(later, { role: 'split' });
      }
      this.sender.reassign(exchange, { role: 'judged' });
      this.sentFor.set(probe, [probe]);
    } else if (parts.every((part) => this.isUnsuspicious(part))) await this.together(probe, exchange);
  }

  /** Nothing that was sent alone explains the response: only all of it does, or nothing. */
  private async together(probe: Probe, exchange: Exchange): Promise<void> {
    if (!this.sender.mayAddRequest()) return;
    const parts = this.sentFor.get(probe) ?? [];
    const again: Probe = { ...probe, name: `${probe.name}-packed`, expectation: 'open' };
    await this.sender.send(again);
    const sent = this.sender.exchangeOf(again.name);
    if (sent === undefined || this.suspicionOf(again, sent) !== undefined) {
      this.sentFor.set(probe, [...parts, again]);
      return;
    }
    // It fails intermittently: the same succeeds now. So that is the attempt that counts, and the carrier alone is not needed.
    const alone = this.sender.exchangeOf(probe.name);
    if (alone !== undefined) this.sender.reassign(alone, { role: 'split' });
    // All of it is accepted, alone and together, so it had to be accepted before.
    this.sender.reassign(exchange, { role: 'superseded', expectation: 'created' });
    this.sender.reassign(sent, { probe: probe.name, expectation: probe.expectation });
    this.sentFor.set(probe, [probe, ...parts.filter(({ name }) => name !== probe.name)]);
  }

  private async parts({ carrier, fields, values }: Load): Promise<readonly Probe[]> {
    const sent: Probe[] = [];
    // Every check sends these in some way, so they do not depend on how many requests may still be added.
    const send = async (part: Probe | undefined): Promise<void> => {
      if (part === undefined) return;
      this.sender.mayAddRequest();
      await this.sender.send(part);
      sent.push(part);
    };
    await Promise.all([send(carrier), send(fields)]);
    await Promise.all(values.map(async (value) => sent.push(...(await this.value(value)))));
    return sent;
  }

  /** Sends a value alone, and then halves of it. */
  private async value(value: Value): Promise<readonly Probe[]> {
    if (!this.sender.mayAddRequest()) return [];
    const probe = probeOf(value.alone);
    await this.sender.send(probe);
    const exchange = this.sender.exchangeOf(probe.name);
    const suspicion = exchange && this.suspicionOf(probe, exchange);
    if (suspicion === undefined) return [probe];
    if (suspicion !== 'changed') this.rejected.add(value.of);
    if (suspicion === 'rejected') {
      return [probe, ...(this.halved++ < MOST_HALVED ? await this.halves(value, 1) : [])];
    }
    return [probe, ...(this.searches++ < MOST_SEARCHES ? await this.halves(value) : [])];
  }

  /** Halves a text: once, or until one piece is left whose response is suspicious. */
  private async halves(value: Value, depth = Number.POSITIVE_INFINITY): Promise<readonly Probe[]> {
    const sent: Probe[] = [];
    for (const half of value.halves?.() ?? []) {
      if (!this.sender.mayAddRequest()) break;
      const probe = probeOf(half.alone);
      await this.sender.send(probe);
      sent.push(probe);
      if (depth === 1 || this.isUnsuspicious(probe)) continue;
      sent.push(...(await this.halves(half, depth - 1)));
      break;
    }
    return sent;
  }

  private isUnsuspicious(probe: Probe): boolean {
    const exchange = this.sender.exchangeOf(probe.name);
    return exchange !== undefined && this.suspicionOf(probe, exchange) === undefined;
  }

  private suspicionOf({ control = 'plain-plant' }: Probe, exchange: Exchange): Suspicion | undefined {
    const plain = this.sender.exchangeOf(control);
    const withTag = this.sender.exchangeOf('plain-plant-with-tag');
    const hasTag = exchange.request.plant?.tag !== undefined;
    return suspicionOf(exchange, plain, hasTag ? withTag : plain);
  }
}

/** How a response to a packed request is other than those to plain plants. */
type Suspicion = 'rejected' | 'failed' | 'changed';

/**
 * Whether a response is other than that to a plain plant, so that something in the request may break a rule, or be rejected.
 *
 * @param control its control
 * @param plain a plain plant with a tag, if it has one, or without
 */
function suspicionOf(
  exchange: Exchange,
  control: Exchange | undefined,
  plain = control,
): Suspicion | undefined {
  if (isUnprocessed(exchange) || control === undefined || !isAccepted(control)) return undefined;
  const { response } = exchange;
  if (response !== undefined && response.status >= 400 && response.status < 500) return 'rejected';
  if (response === undefined || !isAccepted(exchange)) return 'failed';
  const isSame = response.status === plain?.response?.status && defectsOf(exchange) === defectsOf(plain);
  return isSame ? undefined : 'changed';
}

/** What is wrong with a response, in a form in which those of two plants can be compared. */
function defectsOf(exchange: Exchange): string {
  const { response, request } = exchange;
  if (response === undefined) return '';
  const violations = contentOf(response).violations.map(
    ({ part, keyword, pointer }) => `${part} ${keyword} ${pointer}`,
  );
  const members = objectIn(exchange);
  const changed = (['name', 'tag'] as const).filter((field) => members?.[field] !== request.plant?.[field]);
  return [...violations, ...changed].sort().join('\n');
}
