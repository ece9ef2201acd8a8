import { type DiscoveredLimit, type LimitId, limitTitles, type Profile } from '../../report/profile.js';
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
    const isAlike = a.outcome === b.outcome && a.value === b.value;
    return [{ ...known, outcome: isAlike ? 'alike' : 'different' }];
  });
}

/** Whether a limit was found where the other provider was not asked. */
function isBeyond(found: DiscoveredLimit | undefined, { outcome, upTo }: DiscoveredLimit): boolean {
  return found?.outcome === 'found' && outcome === 'not-found' && Number(found.value) > Number(upTo);
}
