import { readFile } from 'node:fs/promises';
import { auditPact } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { ANY_REFUSAL, type InteractionPatch, pactOf } from './one-interaction.js';

describe('what a pact leaves untouched', () => {
  const untouched = async (...patches: readonly InteractionPatch[]): Promise<string[]> =>
    (await auditPact(pactOf(...patches))).untouched.map(({ id }) => id);
  const version = '4.0';
  const NO_TOKEN = { headers: { Authorization: undefined } };
  const INVALID = { body: { name: 'Aloe' } };

  test.for<readonly [touched: string, patch: InteractionPatch]>([
    ['created-with-tag', { request: { body: { name: 'Aloe', id: 7, tag: 'succulent' } } }],
    ['created-without-tag', {}],
    ['id-beyond-int32', { request: { body: { name: 'Aloe', id: 2 ** 31 } } }],
    ['id-beyond-int32', { request: { body: { name: 'Aloe', id: -(2 ** 31) - 1 } } }],
    ['id-beyond-doubles', { request: { body: { name: 'Aloe', id: -9007199254740993n } } }],
    ['invalid-plant-refused', { version, request: INVALID, response: ANY_REFUSAL }],
    ['missing-token-refused', { version, request: NO_TOKEN, response: ANY_REFUSAL }],
    [
      'wrong-token-refused',
      { version, request: { headers: { Authorization: 'Bearer wrong' } }, response: ANY_REFUSAL },
    ],
    ['wrong-token-refused', { version, states: [{ name: 'the token is not valid' }], response: ANY_REFUSAL }],
  ])('not %s, where it is there', async ([touched, patch]) => {
    expect(await untouched(patch)).not.toContain(touched);
  });

  test('ids that others hold are no far ones', async () => {
    const ids = [2 ** 31 - 1, -(2 ** 31)];
    for (const id of ids)
      expect(await untouched({ request: { body: { name: 'Aloe', id } } })).toContain('id-beyond-int32');
    const id = Number.MAX_SAFE_INTEGER;
    expect(await untouched({ request: { body: { name: 'Aloe', id } } })).toContain('id-beyond-doubles');
  });

  test.for<readonly [title: string, patch: InteractionPatch]>([
    ['a creation that is invalid', { request: INVALID }],
    ['a creation without a token', { request: NO_TOKEN }],
    ['a refusal for two reasons', { version, request: { ...INVALID, ...NO_TOKEN }, response: ANY_REFUSAL }],
    ['a refusal of a valid creation', { version, response: ANY_REFUSAL }],
    ['a state that may be anything', { version, states: [{ name: 'x' }], response: ANY_REFUSAL }],
    ['another operation', { request: { method: 'PUT' } }],
  ])('%s touches nothing', async ([, patch]) => {
    expect(await untouched(patch)).toHaveLength(7);
  });

  test('is nothing where all is touched', async () => {
    const { untouched: left, conclusion } = await auditPact(
      pactOf(
        { version, request: { body: { name: 'Aloe', id: 9223372036854775807n } } },
        {
          version,
          request: { body: { name: 'Aloe', id: 7, tag: 'x' } },
          response: { body: { name: 'Aloe', tag: 'x' } },
        },
        { version, request: INVALID, response: ANY_REFUSAL },
        { version, request: NO_TOKEN, response: ANY_REFUSAL },
        { version, request: { headers: { Authorization: 'Bearer no' } }, response: ANY_REFUSAL },
      ),
    );
    expect(left).toEqual([]);
    expect(conclusion).toBe('within-the-interface');
  });
});

test('the pact of the reference client asks for nothing more, and touches all but far ids', async () => {
  const file = new URL('../../../pacts/plant-store-client-plant-store.json', import.meta.url);
  const audit = await auditPact(await readFile(file));
  expect(audit.interactions.flatMap(({ problems }) => problems)).toEqual([]);
  // Pact for JavaScript has no way to write them.
  expect(audit.untouched.map(({ id }) => id)).toEqual(['id-beyond-int32', 'id-beyond-doubles']);
});
