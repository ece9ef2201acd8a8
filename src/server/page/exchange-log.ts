import { type ForwardedExchange, memoryOf } from '../../http/exchange.js';
import type { Judgement } from '../../validation/exchange.js';
import { Ring } from '../store.js';

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
type EndedExchange = Omit<KeptExchange, 'number' | 'at'>;

/** New exchanges, and where to go on. */
interface News {
  readonly exchanges: readonly KeptExchange[];
  readonly next: number;
}

/**
 * The last exchanges, in bounded memory. It pushes nothing: a reader asks for what was announced after its place. So a slow
 * reader costs nothing, and misses what is gone.
 */
export class ExchangeLog {
  private readonly kept: Ring<KeptExchange>;
  /** The numbers in the order in which they were announced, in a ring. */
  private readonly announced: number[] = [];
  private announcements = 0;
  private cleared = 0;

  /** @param most how many are kept */
  constructor(readonly most: number) {
    this.kept = new Ring(most);
  }

  /** How many there were in all. */
  get total(): number {
    return this.kept.total;
  }

  /** The number of the first one that is not forgotten. It may have been too large to be kept so long. */
  get first(): number {
    return Math.max(this.cleared, this.total - this.most) + 1;
  }

  /**
   * Keeps an exchange.
   *
   * @param announces whether readers get it now, or when it is judged
   */
  add(ended: EndedExchange, announces = true): number {
    const entry = { ...ended, number: this.total + 1, at: Date.now() };
    const number = this.kept.add(entry, memoryOf(ended.exchange));
    if (announces) this.announce(number);
    return number;
  }

  /** Announces an exchange with its judgement. */
  judged(number: number, judgement: Judgement): void {
    const kept = this.get(number);
    if (kept === undefined) return;
    kept.judgement = judgement;
    this.announce(number);
  }

  get(number: number): KeptExchange | undefined {
    return this.kept.get(number);
  }

  /** Forgets all. The numbers go on. */
  clear(): void {
    this.cleared = this.total;
    this.kept.clear();
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
}
