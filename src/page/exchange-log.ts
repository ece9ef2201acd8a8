import type { Judgement } from '../proxy/judge.js';
import { type ForwardedExchange, memoryOf } from '../proxy/message.js';

/** An exchange as it was, tokens included. */
export interface KeptExchange {
  /** 1 for the first one. */
  readonly number: number;
  /** When it ended, in milliseconds since 1970. */
  readonly at: number;
  readonly exchange: ForwardedExchange;
  /** Why it was rejected, and the failure on demand that applied to it. */
  readonly rejection?: string;
  readonly failure?: string;
  /** Left out until it is judged. */
  judgement?: Judgement;
}

/** What is known of an exchange when it ends. */
export type EndedExchange = Omit<KeptExchange, 'number' | 'at'>;

/** New exchanges, and where to go on. */
export interface News {
  readonly exchanges: readonly KeptExchange[];
  readonly next: number;
}

/** With large messages, fewer exchanges are kept. */
const MOST_BYTES = 64 * 2 ** 20;

/**
 * The last exchanges, in bounded memory. It pushes nothing: a reader asks for what was announced after its place. So a slow
 * reader costs nothing, and misses what is gone.
 */
export class ExchangeLog {
  private readonly kept = new Map<number, { readonly entry: KeptExchange; readonly bytes: number }>();
  /** The numbers in the order in which they were announced, in a ring. */
  private readonly announced: number[] = [];
  private announcements = 0;
  private bytes = 0;
  private count = 0;
  private cleared = 0;

  /** @param most how many are kept */
  constructor(readonly most: number) {}

  /** How many there were in all. */
  get total(): number {
    return this.count;
  }

  /** The number of the first one that is not forgotten. It may have been too large to be kept so long. */
  get first(): number {
    return Math.max(this.cleared, this.count - this.most) + 1;
  }

  /**
   * Keeps an exchange.
   *
   * @param announces whether readers get it now, or when it is judged
   */
  add(ended: EndedExchange, announces = true): number {
    const number = ++this.count;
    const entry: KeptExchange = { ...ended, number, at: Date.now() };
    const bytes = memoryOf(ended.exchange);
    this.kept.set(number, { entry, bytes });
    this.bytes += bytes;
    this.drop(this.count - this.most);
    while (this.bytes > MOST_BYTES) this.drop(this.kept.keys().next().value ?? number);
    if (announces) this.announce(number);
    return number;
  }

  /** Announces an exchange with its judgement. */
  judged(number: number, judgement: Judgement): void {
    const kept = this.kept.get(number);
    if (kept === undefined) return;
    kept.entry.judgement = judgement;
    this.announce(number);
  }

  get(number: number): KeptExchange | undefined {
    return this.kept.get(number)?.entry;
  }

  /** Forgets all. The numbers go on. */
  clear(): void {
    this.cleared = this.count;
    this.kept.clear();
    this.bytes = 0;
  }

  /** What was announced after a place, which `next` of the last news names; 0 for all that is kept. */
  since(place: number, most: number): News {
    const first = Math.max(place, this.announcements - this.most);
    const next = Math.min(first + most, this.announcements);
    const exchanges: KeptExchange[] = [];
    for (let at = first; at < next; at++) {
      const entry = this.get(this.announced[at % this.most] as number);
      if (entry !== undefined) exchanges.push(entry);
    }
    return { exchanges, next };
  }

  private announce(number: number): void {
    this.announced[this.announcements++ % this.most] = number;
  }

  /** Removes all up to a number. */
  private drop(last: number): void {
    for (const number of this.kept.keys()) {
      if (number > last) return;
      this.bytes -= this.kept.get(number)?.bytes ?? 0;
      this.kept.delete(number);
    }
  }
}
