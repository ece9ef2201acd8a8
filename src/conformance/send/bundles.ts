import { type Exchange, isAccepted, isRejected, isUnprocessed } from '../exchange.js';
import type { Probe } from '../row.js';

/** How many bundles are sent before the others, together with the probes that are no bundles. They are of all kinds. */
const FIRST = 4;
/** How many refused names or tags show that only plain words are accepted. */
const SIGNS = 3;

/** What the response to a part says of its text. It is not known if the request was not processed. */
type Outcome = 'accepted' | 'rejected' | 'failed' | undefined;

/** Whether each of some texts was accepted. */
type Taken = readonly boolean[];

/**
 * Decides what is sent of bundles: plants with a telling name, a telling tag and an id, so that few requests carry many values. If
 * one is not accepted, its parts are sent: with one of the values each. If the first bundles show that the provider accepts no
 * telling name or no telling tag, the others are sent without it.
 */
export class Bundles {
  /** What was sent of each probe, in order: the whole, and parts of it. */
  private readonly sentOf = new Map<Probe, Probe[]>();

  /**
   * @param exchangeOf finds the exchange of a probe that counts, if it was sent
   * @param room how many requests there may be beside one for each bundle
   */
  constructor(
    private readonly exchangeOf: (probe: Probe) => Exchange | undefined,
    private room: number,
  ) {}

  /** What to send next of some probes: the whole, or a part of a bundle. Ask until there is nothing. */
  next(probes: readonly Probe[]): readonly Probe[] {
    const bundles = probes.filter(({ parts }) => parts !== undefined);
    const every = Math.max(1, Math.floor(bundles.length / FIRST));
    const first = probes.filter((one) => one.parts === undefined || bundles.indexOf(one) % every === 0);
    const [names, tags] = [this.takenOf(0), this.takenOf(1)];
    const nextOf = (probe: Probe): readonly Probe[] => {
      const sent = this.sentOf.get(probe) ?? [];
      const next = this.nextOf(probe, sent, names, tags);
      if (next === undefined || (sent.length > 0 && --this.room < 0)) return [];
      this.sentOf.set(probe, [...sent, next]);
      return [next];
    };
    const ofFirst = first.flatMap(nextOf);
    return ofFirst.length > 0 ? ofFirst : bundles.flatMap(nextOf);
  }

  /** Whether a part of a bundle was refused: then the bundle shows no more. */
  isExplained({ parts = [] }: Probe): boolean {
    return parts.map(this.outcomeOf).some((outcome) => outcome === 'rejected' || outcome === 'failed');
  }

  private nextOf(bundle: Probe, sent: readonly Probe[], names: Taken, tags: Taken): Probe | undefined {
    const [name, tag, id] = bundle.parts ?? [];
    const outcomes = sent.map(this.outcomeOf);
    const isAnyAccepted = outcomes.includes('accepted');
    // A rejection is right, and if one part is accepted, it is about the other one. What fails is sent alone.
    if (outcomes.includes(undefined) || (isAnyAccepted && !outcomes.includes('failed'))) return undefined;
    const noName = isNone(names) && name?.expectation === 'open';
    const noTag = isNone(tags) && tag?.expectation === 'open';
    const single = [!noTag && tag, !noName && name];
    const inOrder = [
      !noName && !noTag && bundle,
      ...(countOf(names) > countOf(tags) ? single.reverse() : single),
      // An accepted part has the id as well.
      !isAnyAccepted && id,
    ];
    return inOrder.filter((one) => one !== false).find((one) => one !== undefined && !sent.includes(one));
  }

  /** Whether each telling name (0) or tag (1) was accepted, if that is known. */
  private takenOf(at: 0 | 1): Taken {
    return [...this.sentOf.keys()].flatMap((bundle) => {
      const { parts = [] } = bundle;
      if (parts[at]?.expectation !== 'open') return [];
      const isTaken = [bundle, parts[at]].map(this.outcomeOf).includes('accepted');
      // What is accepted without it shows that it is refused.
      return isTaken || parts.map(this.outcomeOf).includes('accepted') ? [isTaken] : [];
    });
  }

  private readonly outcomeOf = (probe: Probe): Outcome => {
    const exchange = this.exchangeOf(probe);
    if (exchange === undefined || isUnprocessed(exchange)) return undefined;
    if (isAccepted(exchange)) return 'accepted';
    return isRejected(exchange) ? 'rejected' : 'failed';
  };
}

function countOf(taken: Taken): number {
  return taken.filter(Boolean).length;
}

/** Whether the provider has refused all, and more than a few. */
function isNone(taken: Taken): boolean {
  return taken.length >= SIGNS && countOf(taken) === 0;
}
