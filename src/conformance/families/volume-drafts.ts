import type { ProbeDraft, RequestDraft } from './draft.js';
import type { GeneratedName } from './family.js';
import { duplicate, plainPlant } from './sequence-drafts.js';

/** Plants with one id at the same time. */
export function raceForId(name: GeneratedName, count: number): ProbeDraft {
  return {
    name,
    title: `${count} plants with one id at the same time`,
    ...{ expectation: 'open', phase: 'state', together: true, alone: true },
    rules: ['state/equal-ids-side-by-side'],
    requests: Array.from(
      { length: count },
      (_, at): RequestDraft => ({ ...duplicate(0, at), transfer: { endsTogether: true } }),
    ),
  };
}

/** Plain plants with different ids at the same time. */
export function burst(name: GeneratedName, count: number): ProbeDraft {
  return {
    name,
    title: `${count} plants with different ids at the same time`,
    ...{ expectation: 'created', phase: 'state', control: 'plain-plant', together: true, alone: true },
    rules: ['state/concurrent-plants-are-accepted', 'state/answers-do-not-mix'],
    requests: Array.from({ length: count }, (_, of) => plainPlant(of)),
  };
}

/** Many requests. */
export const volumeDrafts: readonly ProbeDraft[] = [
  raceForId('volume/race-for-an-id', 5),
  raceForId('volume/second-race-for-an-id', 6),
  burst('volume/four-plants-at-once', 4),
  burst('volume/sixteen-plants-at-once', 16),
  {
    name: 'volume/plant-after-many-requests',
    title: 'a plain plant after many invalid requests and duplicates',
    ...{ expectation: 'created', phase: 'state', control: 'plain-plant', alone: true },
    rules: ['state/bad-request-spoils-nothing'],
    requests: [plainPlant()],
  },
];
