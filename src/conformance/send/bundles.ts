import { type Exchange, isAccepted, isRejected, isUnprocessed } from '../exchange.js';
import type { Probe } from '../probe.js';

/** Finds the exchange of a probe that counts, if it was sent. */
type ExchangeOf = (probe: Probe) => Exchange | undefined;

/** So many bundles are sent before the others. They are of all kinds. */
const FIRST = 4;
/** So many names or tags are refused before it is known that nothing but plain words is accepted. */
const SIGNS = 3;

/**
 * Decides what is sent of bundles: plants with a telling name, a telling tag and an id, so that few requests carry many values. If
 * one is not accepted, its parts are sent: with one of the values each. If the first bundles show that the provider accepts no
 * telling name or no telling tag, the others are sent without it.
 */
export class Bundles {
  /** What was sent of each bundle: the whole or a part instead of it, and further parts. */
  private readonly sentOf = new Map<Probe, Probe[]>();

  /**
   * @param exchangeOf finds the exchange that counts
   * @param room how many requests there may be beside one for each bundle
   */
  constructor(
    private readonly exchangeOf: ExchangeOf,
    private room: number,
  ) {}

  /** The probes that were sent, with the parts of bundles that were not accepted. */
  sent(probes: readonly Probe[]): readonly Probe[] {
    return probes.flatMap((probe) => {
      const all = this.sentOf.get(probe);
      return all?.filter((one) => one !== probe || !this.isExplained(probe)) ?? [probe];
    });
  }

  /** Whether a part of a bundle was refused: then the bundle shows no more. */
  isExplained(bundle: Probe): boolean {
    return (this.sentOf.get(bundle) ?? []).some((part) => part !== bundle && this.isRefused(part));
  }

  /** The bundles to send first, and the others. */
  inTurn(bundles: readonly Probe[]): readonly (readonly Probe[])[] {
    const every = Math.max(1, Math.floor(bundles.length / FIRST));
    const first = bundles.filter((_, at) => at % every === 0);
    return [first, bundles.filter((bundle) => !first.includes(bundle))];
  }

  /** What to send for each of some bundles: the whole, or a part without what is never accepted. */
  carriers(bundles: readonly Probe[]): readonly Probe[] {
    const [noNames, noTags] = [this.acceptsNone(0), this.acceptsNone(1)];
    return bundles.map((bundle) => {
      const [name, tag, id] = bundle.parts ?? [];
      const withoutName = noNames && name?.expectation === 'open';
      const withoutTag = noTags && tag?.expectation === 'open';
      const part = withoutName ? (withoutTag ? id : tag) : withoutTag ? name : undefined;
      const carrier = part ?? bundle;
      this.sentOf.set(bundle, [carrier]);
      return carrier;
    });
  }

  /** The parts to send next of some bundles. Ask until there are none. */
  next(bundles: readonly Probe[]): readonly Probe[] {
    return bundles.flatMap((bundle) => {
      const sent = this.sentOf.get(bundle);
      const part = sent && this.nextPart(bundle, sent);
      if (part === undefined || !this.hasRoom()) return [];
      sent?.push(part);
      return [part];
    });
  }

  /** The next part of a bundle that was not accepted. */
  private nextPart(bundle: Probe, sent: readonly Probe[]): Probe | undefined {
    const exchange = this.exchangeOf(bundle);
    if (exchange === undefined || !this.isRefused(bundle)) return undefined;
    const [name, tag, id] = bundle.parts ?? [];
    const isAnyAccepted = sent.some((one) => this.isAccepted(one));
    // A rejection is right. It hides the other values, and if one part is accepted, the reason is the other one.
    if (isRejected(exchange) && isAnyAccepted) return undefined;
    const inOrder = isRejected(exchange) ? [tag, name] : [name, tag];
    // An accepted part has the id as well.
    return [...inOrder, ...(isAnyAccepted ? [] : [id])].find((part) => part && !sent.includes(part));
  }

  private hasRoom(): boolean {
    return --this.room >= 0;
  }

  /** Whether the provider refuses each telling name (0) or tag (1) so far. */
  private acceptsNone(at: 0 | 1): boolean {
    const seen = [...this.sentOf].flatMap(([bundle, sent]) => {
      const part = bundle.parts?.[at];
      if (part?.expectation !== 'open') return [];
      const isTaken = [bundle, part].some((one) => sent.includes(one) && this.isAccepted(one));
      return [isTaken ? 'accepted' : this.isPartRefused(bundle, at) ? 'refused' : 'unknown'];
    });
    return !seen.includes('accepted') && seen.filter((one) => one === 'refused').length >= SIGNS;
  }

  /** Whether a part is refused: alone, or with another one that is accepted alone. */
  private isPartRefused(bundle: Probe, at: 0 | 1): boolean {
    const [part, other] = [bundle.parts?.[at], bundle.parts?.[1 - at]];
    if (part === undefined || other === undefined) return false;
    return (
      this.isRefused(part) || (this.isRefused(bundle) && this.isAccepted(other) && !this.isAccepted(part))
    );
  }

  private isAccepted(probe: Probe): boolean {
    const exchange = this.exchangeOf(probe);
    return exchange !== undefined && isAccepted(exchange);
  }

  private isRefused(probe: Probe): boolean {
    const exchange = this.exchangeOf(probe);
    return exchange !== undefined && !isAccepted(exchange) && !isUnprocessed(exchange);
  }
}
