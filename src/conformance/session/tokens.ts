import { setTimeout as sleep } from 'node:timers/promises';
import { headerValues } from '../../http/fields.js';
import { type TokenOption, tokenOf } from '../../http/token.js';
import { invalidOption } from '../../toolkit-error.js';
import { type Exchange, isThrottled, type ProbeRequest } from '../exchange.js';
import { wait } from './pace.js';
import { LONGEST_WAIT_MS, retryAfterMs } from './resend.js';

/** How long a function may take to return another token. */
const RENEWAL_MS = 45_000;
/** So often in a minute it is looked into whether a token has expired: a provider may reject some requests with 401. */
const MOST_LOOKS = 10;
const MINUTE_MS = 60_000;
/** How often a plain plant is sent if there is no response, or one that throttles, and how long between. */
const ATTEMPTS = 3;
const GUESSED_WAIT_MS = 300;

/** Plain plants show whether a token has expired. */
export interface PlainPlants {
  /** Sends one with this token. */
  send(token: string): Promise<Pick<Exchange, 'response'>>;
  /** Waits for work that is not the provider's. */
  awayFor<T>(work: () => Promise<T>): Promise<T>;
  /** If it aborts, no token is renewed any more. */
  readonly signal: AbortSignal;
}

/**
 * The tokens of a run: the one that requests carry now, and those before it. Iterating gives all of them, since each is
 * a secret.
 *
 * A token that was accepted, is rejected with 401 again and again, and is still rejected while a new one is let in has
 * expired. Then requests that carried it are sent again with the new one. Any other 401 stands: a provider that rejects
 * a valid token now and then must not look as if the token had expired.
 */
export class Tokens implements Iterable<string> {
  private readonly given: string[];
  /** The tokens that were let in at least once. */
  private readonly worked = new Set<string>();
  private readonly expired = new Set<string>();
  private readonly looks: number[] = [];
  private looking: Promise<void> | undefined;

  /** @param renew returns another token; without it, no token is renewed */
  constructor(
    first: string,
    private readonly renew?: () => Promise<string>,
  ) {
    this.given = [first];
  }

  /** @throws ToolkitError `invalid-option` if there is no token, or a header cannot carry it */
  static async from(option: TokenOption): Promise<Tokens> {
    const first = await tokenOf(option);
    return new Tokens(first, typeof option === 'function' ? () => tokenOf(option) : undefined);
  }

  /** The token that requests carry from now on. */
  get current(): string {
    return this.given.at(-1) ?? '';
  }

  /** How many tokens have expired. */
  get expirations(): number {
    return this.expired.size;
  }

  /** Whether this token has expired. */
  hasExpired(token: string): boolean {
    return this.expired.has(token);
  }

  [Symbol.iterator](): Iterator<string> {
    return this.given[Symbol.iterator]();
  }

  /** Waits while a token is being renewed. */
  async ready(): Promise<void> {
    // Whoever noticed the 401 reports why no token came.
    await this.looking?.catch(() => {});
  }

  /**
   * Looks into each unexpected 401, and renews the token if it has expired.
   *
   * @returns the exchanges, with a mark on those whose token had expired
   * @throws ToolkitError if the function that returns a token fails
   */
  async marked<T extends Pick<Exchange, 'request' | 'response'>>(
    exchanges: readonly T[],
    plainPlants: PlainPlants,
  ): Promise<readonly T[]> {
    if (this.renew === undefined) return exchanges;
    let isMarked = false;
    const all: T[] = [];
    for (const exchange of exchanges) {
      const has = await this.hadExpired(exchange, plainPlants);
      isMarked ||= has;
      all.push(has ? { ...exchange, tokenExpired: true } : exchange);
    }
    return isMarked ? all : exchanges;
  }

  private async hadExpired(
    { request, response }: Pick<Exchange, 'request' | 'response'>,
    plainPlants: PlainPlants,
  ): Promise<boolean> {
    const token = this.tokenIn(request);
    if (token === undefined || response === undefined) return false;
    if (response.status !== 401) {
      if (response.status < 300) this.worked.add(token);
      return false;
    }
    if (this.looking === undefined && token === this.current)
      this.looking = this.look(token, plainPlants).finally(() => {
        this.looking = undefined;
      });
    // Also if there is a new token already: whether this one has expired is known at the end.
    await this.looking;
    return this.expired.has(token);
  }

  /** The token that a request carries in the usual form. */
  private tokenIn({ headers, otherOperation, isUnusual }: ProbeRequest): string | undefined {
    const [value, ...others] = headerValues(headers, 'authorization');
    if (otherOperation !== undefined || isUnusual === true || others.length > 0) return undefined;
    return this.given.find((token) => value === `Bearer ${token}`);
  }

  private async look(token: string, plainPlants: PlainPlants): Promise<void> {
    if (!this.worked.has(token) || plainPlants.signal.aborted || !this.mayLook()) return;
    if ((await this.isLetIn(token, plainPlants)) === true) return;
    const fresh = await this.another(plainPlants);
    if (fresh === undefined || fresh === token) return;
    this.given.push(fresh);
    if ((await this.isLetIn(fresh, plainPlants)) === false) return;
    this.worked.add(fresh);
    // Only now: the provider may have rejected every token for a while.
    if ((await this.isLetIn(token, plainPlants)) !== true) this.expired.add(token);
  }

  private mayLook(): boolean {
    const now = performance.now();
    while (now - (this.looks[0] ?? now) > MINUTE_MS) this.looks.shift();
    return this.looks.length < MOST_LOOKS && this.looks.push(now) > 0;
  }

  /** @returns `undefined` if the run was stopped meanwhile */
  private async another({ awayFor, signal }: PlainPlants): Promise<string | undefined> {
    const { renew } = this;
    if (renew === undefined) return undefined;
    const isOver = new AbortController();
    const late = sleep(RENEWAL_MS, undefined, { signal: isOver.signal }).then(() => {
      throw invalidOption(`there was no new token within ${RENEWAL_MS / 1_000} s`);
    });
    const stopped = new Promise<undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    try {
      return await awayFor(() => Promise.race([renew(), late, stopped]));
    } catch (cause) {
      if (signal.aborted) return undefined;
      throw cause;
    } finally {
      isOver.abort();
      late.catch(() => {});
    }
  }

  /** Whether a plain plant with a token gets another response than 401; `undefined` if nothing shows it. */
  private async isLetIn(token: string, { send, signal }: PlainPlants): Promise<boolean | undefined> {
    for (let attempt = 1; ; attempt++) {
      const exchange = await send(token);
      const { response } = exchange;
      if (response !== undefined && !isThrottled(exchange)) return response.status !== 401;
      if (attempt === ATTEMPTS || signal.aborted) return undefined;
      const ms = Math.min(retryAfterMs(exchange) ?? GUESSED_WAIT_MS * attempt, LONGEST_WAIT_MS);
      await wait(ms, signal);
    }
  }
}
