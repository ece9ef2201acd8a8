import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { creation, plant, rejection, send, sharedStore, TOKEN } from './plant-request.js';

const store = await sharedStore();

test('the response is 200 with only the fields of Plant', async () => {
  const response = await send(store.url, { body: '{"id":7,"tag":"succulent","name":"Aloe"}' });
  expect(response).toMatchObject({ status: 200, text: '{"name":"Aloe","tag":"succulent"}' });
  expect(response.headers['content-type']).toBe('application/json');
  expect(response.headers['content-length']).toBe(String(response.body.length));
  expect(store.plants()).toEqual([{ name: 'Aloe', id: 7, tag: 'succulent' }]);
});

test('a plant without a tag is returned without one', async () => {
  expect((await send(store.url, { body: plant(7) })).text).toBe('{"name":"Aloe"}');
  expect(store.plants()).toStrictEqual([{ name: 'Aloe', id: 7 }]);
});

describe('strings are returned unchanged', () => {
  test.each([
    '',
    ' \t spaces \n around ',
    'Ünïcödé',
    'é and é', // composed and decomposed
    '🌵👩🏽‍🌾',
    '\u0000\u0001\u001f\u007f\u0080',
    '\u2028\u2029\ufeff\ufffe\uffff',
    '\\ / " \' $a %s {{b}}',
  ])('%j', async (text) => {
    const response = await send(store.url, { body: plant(7, text, text) });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.text)).toEqual({ name: text, tag: text });
    expect(store.plants()).toEqual([{ name: text, id: 7, tag: text }]);
  });

  test.each(['\\ud800', '\\udfff', 'a\\udc00\\ud800b', '\\ud83c\\udf35'])(
    'written as escapes: %s',
    async (escapes) => {
      const response = await send(store.url, { body: `{"name":"${escapes}","id":7}` });
      expect(JSON.parse(response.text).name).toBe(JSON.parse(`"${escapes}"`));
    },
  );
});

describe('an id is exact, however it is written', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['1.0', 1],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['9007199254740992', 9007199254740992n],
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775807', 9223372036854775807n],
    ['9.223372036854775807e18', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
  ])('%s', async (digits, id) => {
    expect((await send(store.url, { body: `{"name":"Aloe","id":${digits}}` })).status).toBe(200);
    expect(store.plants()).toEqual([{ name: 'Aloe', id }]);
  });

  test.each([
    ['7', '7.0'],
    ['9223372036854775807', '9.223372036854775807e18'],
  ])('%s and %s are the same', async (first, second) => {
    await send(store.url, { body: `{"name":"Aloe","id":${first}}` });
    const response = await send(store.url, { body: `{"name":"Aloe","id":${second}}` });
    expect(rejection(response).name).toBe('id-duplicate');
  });

  test.each([
    ['9007199254740992', '9007199254740993'],
    ['9223372036854775806', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775807'],
  ])('%s and %s are two', async (first, second) => {
    for (const id of [first, second])
      expect((await send(store.url, { body: plant(BigInt(id)) })).status).toBe(200);
    expect(store.plants().map(({ id }) => String(id))).toEqual([first, second]);
  });
});

describe('concurrent creations', () => {
  test('one of ten creations succeeds, and its plant is stored', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `plant ${index}`);
    const responses = await Promise.all(names.map((name) => send(store.url, { body: plant(7, name) })));
    const won = responses.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(store.plants()).toEqual([{ name: JSON.parse(won[0]?.text ?? '').name, id: 7 }]);
    for (const lost of responses.filter((response) => response !== won[0]))
      expect(rejection(lost)).toMatchObject({ status: 400, name: 'id-duplicate' });
  });
});

describe('unknown fields', () => {
  const ODD = '{"name":"Aloe","id":7,"__proto__":{"tag":"x"},"constructor":1,"ID":8,"height":[{"cm":3}]}';

  test('are ignored: neither stored nor sent back', async () => {
    expect((await send(store.url, { body: ODD })).text).toBe('{"name":"Aloe"}');
    expect(store.plants()).toStrictEqual([{ name: 'Aloe', id: 7 }]);
  });

  test.each(['__proto__', 'constructor', 'ID', 'height', ''])('"%s" is rejected by option', async (field) => {
    const strict = createPlantStore({ token: TOKEN, unknownFields: 'reject' });
    const response = await strict.fetch(
      creation(undefined, { body: `{"name":"Aloe","id":7,"${field}":[]}` }),
    );
    const headers = Object.fromEntries(response.headers);
    const rejected = rejection({ status: response.status, headers, text: await response.text() });
    expect(rejected).toMatchObject({ status: 400, name: 'field-unknown' });
    expect(rejected.message).toBe(`"${field}" is not a field of NewPlant; got an array`);
    expect(strict.plants()).toEqual([]);
  });
});
