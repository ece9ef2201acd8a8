import type { JsonValue } from '../../validation/json-value.js';
import { fieldsOf } from './body.js';
import type { JudgedRequest } from './request.js';
import type { StatusDemand } from './status.js';

/** Something that the interface says, and that a pact may rely on. */
export interface InterfaceAspect {
  /** Stable. */
  readonly id: AspectId;
  /** A sentence. */
  readonly sentence: string;
}

/** What an interaction comes to, for the question which parts of the interface it touches. */
export interface Touch {
  readonly request: JudgedRequest;
  readonly demand: StatusDemand;
  /** `missing` where there is no token at all; `wrong` where the pact says so, or seems to. */
  readonly tokenIs: 'missing' | 'wrong' | 'right';
}

const ASPECTS = {
  'created-with-tag': {
    sentence: 'A plant with a tag is created.',
    isTouched: (touch) => creates(touch) && fieldsOf(touch.request.body?.value).tag !== undefined,
  },
  'created-without-tag': {
    sentence: 'A plant without a tag is created.',
    isTouched: (touch) => creates(touch) && fieldsOf(touch.request.body?.value).tag === undefined,
  },
  'id-beyond-int32': {
    sentence: 'A plant is created with an id beyond 2^31, as an int64 may be.',
    isTouched: (touch) => creates(touch) && isBeyondInt32(idOf(touch)),
  },
  'id-beyond-doubles': {
    sentence: 'A plant is created with an id beyond 2^53, which a double does not hold.',
    isTouched: (touch) => creates(touch) && typeof idOf(touch) === 'bigint',
  },
  'invalid-plant-refused': {
    sentence: 'A plant with a field missing, or of the wrong type, is refused.',
    isTouched: ({ request, demand, tokenIs }) =>
      demand.outcome === 'refused' && request.plant.length > 0 && tokenIs === 'right',
  },
  'missing-token-refused': {
    sentence: 'A request without a token is refused.',
    isTouched: ({ request, demand, tokenIs }) =>
      demand.outcome === 'refused' && request.plant.length === 0 && tokenIs === 'missing',
  },
  'wrong-token-refused': {
    sentence: 'A request with a wrong token is refused.',
    isTouched: ({ request, demand, tokenIs }) =>
      demand.outcome === 'refused' && request.plant.length === 0 && tokenIs === 'wrong',
  },
} as const satisfies Record<string, { sentence: string; isTouched(touch: Touch): boolean }>;

/** The id of an {@link InterfaceAspect}. */
export type AspectId = keyof typeof ASPECTS;

/** What of the interface no interaction of a pact touches. An interaction that contradicts it does not touch it. */
export function untouchedBy(touches: readonly Touch[]): InterfaceAspect[] {
  return (Object.keys(ASPECTS) as AspectId[])
    .filter((id) => !touches.some((touch) => ASPECTS[id].isTouched(touch)))
    .map((id) => ({ id, sentence: ASPECTS[id].sentence }));
}

function creates({ demand, request: { token, plant, open } }: Touch): boolean {
  return demand.outcome === 'created' && token.length + plant.length + open.length === 0;
}

/** As it was read: a bigint where a double does not hold it. */
function idOf({ request: { body } }: Touch): JsonValue | undefined {
  return fieldsOf(body?.value).id;
}

function isBeyondInt32(id: JsonValue | undefined): boolean {
  const isId = typeof id === 'number' || typeof id === 'bigint';
  return isId && BigInt.asIntN(32, BigInt(id)) !== BigInt(id);
}
