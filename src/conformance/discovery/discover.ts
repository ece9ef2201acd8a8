import type { CheckSettings } from '../options.js';
import { Asker, CannotFind, type LimitExchange } from './asker.js';
import { largestBody } from './body.js';
import { rejectedCharacters } from './characters.js';
import { type DuplicateRejection, duplicateRejection, idLimit } from './ids.js';
import { longest, shortest } from './lengths.js';
import { type DiscoveredLimit, type Finding, type LimitId, limitTitles } from './limit.js';
import { requestsPerSecond } from './rate.js';

/** What was found, and everything that was sent for it. */
export interface Discovery {
  readonly limits: readonly DiscoveredLimit[];
  readonly exchanges: readonly LimitExchange[];
}

/**
 * Looks for the limits that the interface does not show, with few requests. It changes nothing that is judged. What
 * cannot be found has the reason.
 *
 * @param place where the search is in the run: its start in milliseconds, and the index of its first exchange
 * @param onExchange called after each exchange
 */
export async function discoverLimits(
  settings: CheckSettings,
  place: { readonly startMs: number; readonly firstIndex: number },
  onExchange: (exchange: LimitExchange) => void,
): Promise<Discovery> {
  const asker = new Asker(settings, place, onExchange);
  let duplicate: Promise<DuplicateRejection> | undefined;
  const ids = async (side: 'smallest' | 'largest'): Promise<Finding> => {
    duplicate ??= duplicateRejection(asker);
    return idLimit(asker, side, await duplicate);
  };
  // A text cannot be longer than the largest body, and characters need room. So these are looked for first.
  const body = await findingOf('largest-body', () => largestBody(asker));
  const most = body.outcome === 'found' ? Number(body.value) : Number.POSITIVE_INFINITY;
  const name = await findingOf('longest-name', () => longest(asker, 'name', most));
  const tag = await findingOf('longest-tag', () => longest(asker, 'tag', most));
  const searches: Readonly<Record<LimitId, () => Promise<Finding>>> = {
    'shortest-name': () => shortest(asker, 'name'),
    'longest-name': async () => name,
    'characters-of-name': () => rejectedCharacters(asker, 'name', roomOf(name)),
    'shortest-tag': () => shortest(asker, 'tag'),
    'longest-tag': async () => tag,
    'characters-of-tag': () => rejectedCharacters(asker, 'tag', roomOf(tag)),
    'smallest-id': () => ids('smallest'),
    'largest-id': () => ids('largest'),
    'largest-body': async () => body,
    'requests-per-second': () => requestsPerSecond(asker),
  };
  const limits: DiscoveredLimit[] = [];
  for (const [id, search] of Object.entries(searches) as [LimitId, () => Promise<Finding>][])
    limits.push({ id, ...(await findingOf(id, search)) });
  return { limits, exchanges: asker.exchanges };
}

/** How long a string may be at least. Every provider accepts 30 letters as a name, and tags are usually as long. */
function roomOf({ outcome, value }: Finding): number {
  return outcome === 'found' ? Number(value) : Number.POSITIVE_INFINITY;
}

async function findingOf(id: LimitId, search: () => Promise<Finding>): Promise<Finding> {
  try {
    return await search();
  } catch (cause) {
    if (!(cause instanceof CannotFind)) throw cause;
    const { message: reason } = cause;
    return { outcome: 'unknown', sentence: `${limitTitles[id]}: could not be found: ${reason}.`, reason };
  }
}
