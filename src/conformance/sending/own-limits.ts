import { type Exchange, isAccepted } from '../exchange.js';
import type { Probe } from '../probe.js';

/**
 * With these, firewalls and gateways reject clients that send too much. They may also be about the request itself, so
 * only other requests tell.
 */
const STATUSES: ReadonlySet<number | undefined> = new Set([403, 420, 430]);
/**
 * So many plain plants are sent at once if a single one is accepted. At a limited rate, some are: a single request that
 * comes a little later may be one of them.
 */
const AT_ONCE = 8;
/** So many times it is found out. */
const MOST_LOOKS = 20;

/** Whether a plant was rejected with a status with which some providers reject whoever sends too much. */
export function mayBeOwnLimit({
  response,
  request,
  expectation,
}: Pick<Exchange, 'response' | 'request' | 'expectation'>): boolean {
  return STATUSES.has(response?.status) && request.plant !== undefined && expectation !== 'rejected';
}

/** Tells apart a limit of the rate that has a status of its own, and a rejection of what a request contains. */
export class OwnLimits {
  /** The statuses with which plain plants were rejected, after others had been accepted. */
  private readonly known = new Set<number>();
  private looking: Promise<boolean> | undefined;
  private looks = 0;
  /** Whether a creation was accepted. Before, the token may be the reason. */
  private hasCreated = false;

  /** @param sendPlainPlant sends a plain plant at once */
  constructor(private readonly sendPlainPlant: () => Promise<Exchange>) {}

  /** Call it after each exchange. */
  saw(exchange: Exchange): void {
    this.hasCreated ||= exchange.expectation === 'created' && isAccepted(exchange);
  }

  /** Call it when a plant was rejected for what may be a limit, and then accepted: what it contains was no reason. */
  recovered({ response }: Pick<Exchange, 'response'>): void {
    if (response !== undefined && STATUSES.has(response.status)) this.known.add(response.status);
  }

  /**
   * Whether a request was rejected as a plain plant is that is sent right after it. Once a limit is known, another
   * rejection with its status says nothing of a request that may be accepted. A plain plant sent after it does not tell,
   * since the next one may be accepted. After wrong tokens, a client may be locked out, which is something else.
   *
   * @param isPlain whether it is itself such a plain plant
   */
  async rejected(
    exchange: Pick<Exchange, 'response' | 'expectation' | 'request'>,
    { phase }: Probe,
    isPlain: boolean,
  ): Promise<boolean> {
    const status = exchange.response?.status;
    if (status === undefined || !STATUSES.has(status) || !this.hasCreated) return false;
    const isKnown = this.known.has(status);
    if (isPlain || (isKnown && mayBeOwnLimit(exchange))) return true;
    if (phase === 'wrong-token' || phase === 'afterwards') return false;
    // Requests that must be rejected often are, with one of these.
    if (exchange.expectation !== 'created' && !isKnown) return false;
    this.looking ??= this.look(status).finally(() => {
      this.looking = undefined;
    });
    return (await this.looking) && this.known.has(status);
  }

  private async plainPlantGets(status: number): Promise<boolean> {
    return (await this.sendPlainPlant()).response?.status === status;
  }

  private async look(status: number): Promise<boolean> {
    if (++this.looks > MOST_LOOKS) return this.known.has(status);
    const isRejected =
      (await this.plainPlantGets(status)) ||
      (await Promise.all(Array.from({ length: AT_ONCE }, () => this.plainPlantGets(status)))).some(Boolean);
    if (isRejected) this.known.add(status);
    return isRejected;
  }
}
