import type { JsonObject, JsonValue } from '../../validation/json-value.js';
import type { ExpectedStatus, JudgedRequest } from './interaction.js';

/** Something that the interface says and that a pact can rely on. */
export interface InterfaceAspect {
  /** Stable. */
  readonly id: AspectId;
  /** A sentence. */
  readonly sentence: string;
}

/** What decides which aspects of the interface an interaction covers. */
export interface Coverage {
  readonly plant: JsonObject;
  readonly request: JudgedRequest;
  readonly expected: ExpectedStatus;
  /** `missing` without an Authorization header; `wrong` if the pact says so or seems to mean it. */
  readonly tokenIs: 'missing' | 'wrong' | 'right';
}

const ASPECTS = {
  'created-with-tag': ['A plant with a tag is created.', created(({ tag }) => tag !== undefined)],
  'created-without-tag': ['A plant without a tag is created.', created(({ tag }) => tag === undefined)],
  'id-beyond-int32': [
    'A plant with an id above 2^31 is created: an id is an int64.',
    created(({ id }) => isBeyondInt32(id)),
  ],
  'id-beyond-doubles': [
    'A plant with an id above 2^53 is created: a double cannot represent it.',
    // It is a bigint if a double cannot represent it.
    created(({ id }) => typeof id === 'bigint'),
  ],
  'invalid-plant-rejected': [
    'A plant with a missing field or a wrong type is rejected.',
    rejected('invalid', 'right'),
  ],
  'missing-token-rejected': ['A request without a token is rejected.', rejected('valid', 'missing')],
  'wrong-token-rejected': ['A request with a wrong token is rejected.', rejected('valid', 'wrong')],
} as const satisfies Record<string, readonly [sentence: string, isCovered: (coverage: Coverage) => boolean]>;

/** The id of an {@link InterfaceAspect}. */
export type AspectId = keyof typeof ASPECTS;

/** The aspects that no interaction of a pact covers. An interaction that contradicts an aspect does not cover it. */
export function notCoveredBy(coverages: readonly Coverage[]): InterfaceAspect[] {
  return (Object.keys(ASPECTS) as AspectId[])
    .filter((id) => !coverages.some(ASPECTS[id][1]))
    .map((id) => ({ id, sentence: ASPECTS[id][0] }));
}

function created(is: (plant: JsonObject) => boolean): (coverage: Coverage) => boolean {
  return ({ expected, plant: sent, request: { token, plant, open } }) =>
    expected.result === 'created' && token.length + plant.length + open.length === 0 && is(sent);
}

function rejected(plantIs: 'valid' | 'invalid', token: Coverage['tokenIs']): (coverage: Coverage) => boolean {
  return ({ request, expected, tokenIs }) =>
    expected.result === 'rejected' &&
    (request.plant.length === 0) === (plantIs === 'valid') &&
    tokenIs === token;
}

function isBeyondInt32(id: JsonValue | undefined): boolean {
  const isId = typeof id === 'number' || typeof id === 'bigint';
  return isId && BigInt.asIntN(32, BigInt(id)) !== BigInt(id);
}
