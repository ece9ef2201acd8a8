import { readFile } from 'node:fs/promises';
import { auditPact } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { ANY_REJECTION, type InteractionPatch, pactOf } from './one-interaction.js';

describe('what a pact does not cover', () => {
  const notCovered = (...patches: readonly InteractionPatch[]): string[] =>
    auditPact(pactOf(...patches)).pacts.flatMap((pact) => pact.notCovered.map(({ id }) => id));
  const version = '4.0';
  const NO_TOKEN = { headers: { Authorization: undefined } };
  const INVALID = { body: { name: 'Aloe' } };

  test.for<readonly [covered: string, patch: InteractionPatch]>([
    ['created-with-tag', { request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } } }],
    ['created-without-tag', {}],
    ['id-beyond-int32', { request: { body: { name: 'Aloe', id: 2 ** 31 } } }],
    ['id-beyond-int32', { request: { body: { name: 'Aloe', id: -(2 ** 31) - 1 } } }],
    ['id-beyond-doubles', { request: { body: { name: 'Aloe', id: -9007199254740993n } } }],
    ['invalid-plant-rejected', { version, request: INVALID, response: ANY_REJECTION }],
    ['missing-token-rejected', { version, request: NO_TOKEN, response: ANY_REJECTION }],
    [
      'wrong-token-rejected',
      { version, request: { headers: { Authorization: 'Bearer wrong' } }, response: ANY_REJECTION },
    ],
    [
      'wrong-token-rejected',
      { version, states: [{ name: 'the token is not valid' }], response: ANY_REJECTION },
    ],
  ])('not %s if an interaction covers it', ([covered, patch]) => {
    expect(notCovered(patch)).not.toContain(covered);
  });

  test('ids that int32 and doubles can represent do not count', () => {
    const ids = [2 ** 31 - 1, -(2 ** 31)];
    for (const id of ids)
      expect(notCovered({ request: { body: { name: 'Aloe', id } } })).toContain('id-beyond-int32');
    const id = Number.MAX_SAFE_INTEGER;
    expect(notCovered({ request: { body: { name: 'Aloe', id } } })).toContain('id-beyond-doubles');
  });

  test.for<readonly [title: string, patch: InteractionPatch]>([
    ['a creation that is invalid', { request: INVALID }],
    ['a creation without a token', { request: NO_TOKEN }],
    [
      'a rejection for two reasons',
      { version, request: { ...INVALID, ...NO_TOKEN }, response: ANY_REJECTION },
    ],
    ['a rejection of a valid creation', { version, response: ANY_REJECTION }],
    ['a state that may be anything', { version, states: [{ name: 'x' }], response: ANY_REJECTION }],
    ['another operation', { request: { method: 'PUT' } }],
  ])('%s covers nothing', ([, patch]) => {
    expect(notCovered(patch)).toHaveLength(7);
  });

  test('is nothing if the pact covers everything', () => {
    const { pacts, conclusion } = auditPact(
      pactOf(
        { version, request: { body: { name: 'Aloe', id: 9223372036854775807n } } },
        {
          version,
          request: { body: { name: 'Aloe', id: 7, tag: 'x' } },
          response: { body: { name: 'Aloe', tag: 'x' } },
        },
        { version, request: INVALID, response: ANY_REJECTION },
        { version, request: NO_TOKEN, response: ANY_REJECTION },
        { version, request: { headers: { Authorization: 'Bearer no' } }, response: ANY_REJECTION },
      ),
    );
    expect(pacts[0]?.notCovered).toEqual([]);
    expect(conclusion).toBe('conforms');
  });
});

test('the pact of the reference client conforms, and covers everything except large ids', async () => {
  const file = new URL('../../../pacts/plant-store-client-plant-store.json', import.meta.url);
  const { conclusion, pacts } = auditPact(await readFile(file));
  expect(conclusion).toBe('conforms');
  // Pact for JavaScript cannot write them.
  expect(pacts[0]?.notCovered.map(({ id }) => id)).toEqual(['id-beyond-int32', 'id-beyond-doubles']);
});
