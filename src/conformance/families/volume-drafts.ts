import type { Piece, ProbeDraft, RequestDraft } from './draft.js';
import type { GeneratedName } from './family.js';
import { duplicate, invalidBodies, plainPlant } from './sequence-drafts.js';

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

/** The rule that each invalid body is sent for. */
const RULES = {
  'wrong-name': 'request/name-is-a-string',
  'missing-name': 'request/name-is-required',
  'id-in-quotes': 'request/id-is-an-integer',
  'id-outside-int64': 'request/id-is-within-int64',
  'wrong-tag': 'request/tag-is-a-string',
  'malformed-json': 'request/body-is-json',
} as const satisfies Record<keyof typeof invalidBodies, string>;

export const invalidKinds = Object.keys(RULES) as (keyof typeof RULES)[];

/** Plain plants and invalid requests at the same time. Each must get its own response. */
export function mixedBurst(
  name: GeneratedName,
  kind: keyof typeof RULES,
  isInvalid: readonly boolean[],
): ProbeDraft {
  const { title, body } = invalidBodies[kind];
  const invalid = (of: number): RequestDraft => ({
    body: body.map((piece: Piece) =>
      typeof piece === 'object' && 'fresh' in piece ? { ...piece, of } : piece,
    ),
    expectation: 'rejected',
  });
  return {
    name,
    title: `${isInvalid.length} requests at the same time, some of them ${title}`,
    ...{ expectation: 'open', phase: 'state', control: 'plain-plant', together: true, alone: true },
    rules: [RULES[kind], 'state/concurrent-plants-are-accepted', 'state/answers-do-not-mix'],
    requests: isInvalid.map((one, of) => (one ? invalid(of) : plainPlant(of))),
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
