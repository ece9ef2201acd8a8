import { type DiscoveredLimit, type LimitId, limitTitles } from '../discovery/limit.js';
import type { Profile } from '../profiles/profile.js';
import type { ComparedThing, Names } from './differences.js';

/** Compares the limits of two profiles. Nothing is compared unless both have them. Pure. */
export function compareLimits(first: Profile, second: Profile, names: Names): readonly ComparedThing[] {
  if (first.limits === undefined && second.limits === undefined) return [];
  return (Object.keys(limitTitles) as LimitId[]).flatMap((id): ComparedThing[] => {
    const about = { id: `limit/${id}`, kind: 'limit' as const, title: limitTitles[id] };
    const [a, b] = [first, second].map(({ limits = [] }) => limits.find((limit) => limit.id === id));
    if (a === undefined && b === undefined) return [];
    if (a === undefined || b === undefined) {
      const reason = `${names[a === undefined ? 0 : 1]} was checked without a search for limits`;
      return [{ ...about, outcome: 'not-comparable', reason }];
    }
    const known = { ...about, first: a.sentence, second: b.sentence };
    const lost = [a, b].findIndex(({ outcome }) => outcome === 'unknown');
    if (lost !== -1) {
      const reason = `${names[lost]}: ${[a, b][lost]?.reason ?? 'it could not be found'}`;
      return [{ ...known, outcome: 'not-comparable', reason }];
    }
    const short = [a, b].findIndex((limit, at) => isBeyond([b, a][at], limit));
    if (short !== -1) {
      const reason = `${names[short]} was not tried beyond ${[a, b][short]?.upTo}`;
      return [{ ...known, outcome: 'not-comparable', reason }];
    }
    return [{ ...known, outcome: isAlike(a, b) ? 'alike' : 'different' }];
  });
}

/** Ids that exist may move a limit by this many. */
const NEARBY_IDS = 64n;

function isAlike(a: DiscoveredLimit, b: DiscoveredLimit): boolean {
  if (a.id === 'requests-per-second') return isAlikeInRate(a, b);
  if (a.outcome !== b.outcome) return false;
  if (a.outcome !== 'found') return true;
  if (a.value === b.value) return true;
  return (a.approximate ?? b.approximate) === true && isNear(a.value, b.value);
}

/** Whether a limit was found where the other provider was not asked. */
function isBeyond(found: DiscoveredLimit | undefined, { id, outcome, upTo }: DiscoveredLimit): boolean {
  if (found?.outcome !== 'found' || outcome !== 'not-found' || id === 'requests-per-second') return false;
  const [value, end] = [found.value, upTo].map((text = '') =>
    INTEGER.test(text) ? BigInt(text) : undefined,
  );
  if (value === undefined || end === undefined) return false;
  return /^(?:shortest|smallest)/.test(id) ? value < end : value > end;
}

const INTEGER = /^-?\d{1,20}$/;

function isNear(a = '', b = ''): boolean {
  if (![a, b].every((value) => INTEGER.test(value))) return false;
  const distance = BigInt(a) - BigInt(b);
  return distance <= NEARBY_IDS && -distance <= NEARBY_IDS;
}

/** A rate is measured once, within windows that the provider chooses: it may be twice as high the next time. */
function isAlikeInRate(a: DiscoveredLimit, b: DiscoveredLimit): boolean {
  const [least, most] = [a, b].map(({ value, upTo }) => Number(value ?? upTo)).sort((x, y) => x - y);
  if (a.outcome !== 'found' && b.outcome !== 'found') return true;
  if (a.outcome !== b.outcome) {
    const [found, other] = a.outcome === 'found' ? [a, b] : [b, a];
    return 2 * Number(found.value) >= Number(other.upTo);
  }
  return 2 * (least ?? 0) >= (most ?? 0);
}
