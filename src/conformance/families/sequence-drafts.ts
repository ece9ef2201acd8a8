import { FRESH_ID, FRESH_NAME, type Piece, type ProbeDraft, type RequestDraft } from './draft.js';
import type { GeneratedName } from './family.js';

const AFTER_REJECTION = ['state/bad-request-spoils-nothing', 'state/refused-plant-is-not-stored'] as const;

/** A plain plant with the fresh name and the fresh id of these numbers. */
export function plainPlant(of = 0, ofName = of): RequestDraft {
  const [name, id] = [
    { fresh: 'name', of: ofName },
    { fresh: 'id', of },
  ] as const;
  return { body: ['{"name":"', name, '","id":', id, '}'], plant: { name, id }, expectation: 'created' };
}

/** Another plant with an id that may exist. Its response may be the plant that exists. */
export function duplicate(of: number, ofName: number): RequestDraft {
  const { plant, ...request } = plainPlant(of, ofName);
  return { ...request, expectation: 'open', idMayExist: true };
}

/** A request that is invalid, although it has a fresh name and a fresh id. */
export interface InvalidBody {
  readonly title: string;
  readonly body: readonly Piece[];
}

/** 2^64: an id that is larger by this has the same 64 bits. */
const OVERFLOW = String(2n ** 64n);

export const invalidBodies = {
  'wrong-name': { title: 'a plant whose name is a number', body: ['{"name":7,"id":', FRESH_ID, '}'] },
  'missing-name': { title: 'a plant without a name', body: ['{"id":', FRESH_ID, '}'] },
  'id-in-quotes': {
    title: 'a plant whose id is a string',
    body: ['{"name":"', FRESH_NAME, '","id":"', FRESH_ID, '"}'],
  },
  'id-outside-int64': {
    title: 'a plant whose id is 2^64 too large',
    body: ['{"name":"', FRESH_NAME, '","id":', { fresh: 'id', plus: OVERFLOW }, '}'],
  },
  'wrong-tag': {
    title: 'a plant whose tag is a list',
    body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID, ',"tag":["aloe"]}'],
  },
  'malformed-json': {
    title: 'a plant without the closing brace',
    body: ['{"name":"', FRESH_NAME, '","id":', FRESH_ID],
  },
} as const satisfies Record<string, InvalidBody>;

/**
 * A rejected request, another plant, and a valid plant with the rejected name and id: all three alone. The other plant shows
 * whether the provider works after the rejection, so the last one shows only whether something was stored.
 */
export function afterInvalid(name: GeneratedName, { title, body }: InvalidBody): ProbeDraft {
  return {
    name,
    title: `${title}, then another plant, and a valid plant with its id`,
    ...{ expectation: 'created', phase: 'recovery', control: 'plain-plant' },
    rules: AFTER_REJECTION,
    requests: [{ body, expectation: 'rejected' }, plainPlant(1), plainPlant()],
  };
}

/** Creations of a sequence: a new plant, a duplicate of an earlier one, or an invalid request with the id of one. */
export type Step = { readonly kind: 'new' | 'duplicate' | 'invalid'; readonly of: number };

/** Names that no new plant of a sequence has. */
const OTHER_NAMES = 100;

/** A sequence whose responses are compared with each other: what is a duplicate once is always one. */
export function history(name: GeneratedName, title: string, steps: readonly Step[]): ProbeDraft {
  return {
    ...{ name, title, expectation: 'open', phase: 'state', control: 'plain-plant', alone: true },
    rules: ['state/duplicates-are-treated-alike', ...AFTER_REJECTION],
    requests: steps.map(({ kind, of }, at) => {
      if (kind === 'new') return plainPlant(of);
      // Another name each time: a provider may accept the same plant again.
      if (kind === 'duplicate') return duplicate(of, OTHER_NAMES + at);
      return { body: ['{"name":"Aloe","id":', { fresh: 'id', of }, ',"tag":7}'], expectation: 'rejected' };
    }),
  };
}

/** Sequences of accepted and rejected requests. */
export const sequenceDrafts: readonly ProbeDraft[] = [
  afterInvalid('sequences/after-wrong-name', invalidBodies['wrong-name']),
  afterInvalid('sequences/after-missing-name', invalidBodies['missing-name']),
  afterInvalid('sequences/after-id-in-quotes', invalidBodies['id-in-quotes']),
  afterInvalid('sequences/after-id-outside-int64', invalidBodies['id-outside-int64']),
  afterInvalid('sequences/after-malformed-json', invalidBodies['malformed-json']),
  {
    name: 'sequences/after-no-body',
    title: 'a request without a body, then a plain plant',
    ...{ expectation: 'created', phase: 'recovery', control: 'plain-plant' },
    rules: ['state/bad-request-spoils-nothing'],
    requests: [{ body: '', expectation: 'rejected' }, plainPlant()],
  },
  history('sequences/duplicates', 'two plants, duplicates of both, and an invalid request between them', [
    { kind: 'new', of: 0 },
    { kind: 'new', of: 1 },
    { kind: 'duplicate', of: 0 },
    { kind: 'invalid', of: 1 },
    { kind: 'duplicate', of: 1 },
    { kind: 'duplicate', of: 0 },
  ]),
];
