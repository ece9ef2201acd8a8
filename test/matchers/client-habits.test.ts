import { AxiosError, type AxiosResponse } from 'axios';
import * as matchers from 'plant-store-contract/matchers';
import { describe, expect, test } from 'vitest';

expect.extend(matchers);

const JSON_TYPE = { 'content-type': 'application/json' };
const PLANT = '{"name":"Aloë","tag":"a/b"}';

/** What a matcher says of something that cannot be judged, whether `.not` is before it or not. */
async function problemWith(received: unknown): Promise<string> {
  const [one, other] = [await matchers.toBePlant.call({ isNot: false }, received), { isNot: true }];
  const negated = await matchers.toBePlant.call(other, received);
  expect([one.pass, negated.pass]).toEqual([false, true]);
  expect(negated.message()).toBe(one.message());
  return one.message();
}

describe('a body that was encoded twice, which a client has parsed once,', () => {
  const inner = JSON.stringify(PLANT);
  test.each<[string, string]>([
    ['as in most languages', inner],
    ['with quotation marks as numbers', inner.replaceAll('\\"', '\\u0022')],
    ['in ASCII', inner.replaceAll('ë', '\\u00eb')],
    ['with a line feed', `${inner}\n`],
  ])('is told by its length: %s', async (_how, sent) => {
    expect(JSON.parse(sent)).toBe(PLANT);
    const headers = { ...JSON_TYPE, 'content-length': String(Buffer.byteLength(sent)) };
    const response = { status: 200, headers, data: JSON.parse(sent) };
    expect(response).not.toConformToPlantStore();
    expect((await matchers.toBePlant.call({}, response)).message()).toContain('got the string');
  });

  const length = Buffer.byteLength(PLANT);
  const packed = Buffer.byteLength(inner);
  test.each<[string, Record<string, string | string[]>]>([
    ['the length is that of the text', { 'content-length': `${length}` }],
    ['there was a byte-order mark', { 'content-length': `${length + 3}` }],
    ['the length is that of something else', { 'content-length': `${length + 20}` }],
    ['the body was packed', { 'content-length': `${packed}`, 'content-encoding': 'gzip' }],
    ['the body may have been packed', { 'content-length': `${packed}`, vary: 'Origin, Accept-Encoding' }],
    ['there are two lengths', { 'content-length': [`${packed}`, `${packed}`] }],
    ['there is no length', {}],
  ])('is taken for text where %s', (_when, headers) => {
    expect({ status: 200, headers: { ...JSON_TYPE, ...headers }, data: PLANT }).toConformToPlantStore();
  });
});

describe('a response', () => {
  const spent = new Response(PLANT);

  test.each<[string, object]>([
    ['of needle, which keeps bytes', { statusCode: 200, raw: Buffer.from(PLANT), body: '{}' }],
    ['of redaxios, whose stream was read', { status: 200, body: spent.body, data: JSON.parse(PLANT) }],
    ['with a Blob', { status: 200, data: new Blob([PLANT]) }],
    ['with something else than bytes in raw', { status: 200, raw: {}, body: PLANT }],
  ])('%s', async (_whose, response) => {
    await expect({ headers: JSON_TYPE, ...response }).toBePlant();
    await expect({ headers: JSON_TYPE, ...response }).not.toBePlantStoreError();
  });

  test('of ofetch, which keeps what it has read', async () => {
    const response = Object.assign(new Response(PLANT, { headers: JSON_TYPE }), { _data: JSON.parse(PLANT) });
    await response.text();
    await expect(response).toBePlant();
    await expect(Object.assign(response, { _data: { name: 7 } })).not.toBePlant();
    expect(await problemWith(Object.assign(response, { _data: undefined }))).toMatch(/read already/);
  });

  test('of Angular, whose headers are asked for by name', () => {
    const headers = {
      get: (name: string) => (name === 'content-type' ? 'application/json' : null),
      keys() {},
    };
    expect({ status: 200, headers, body: JSON.parse(PLANT) }).toConformToPlantStore();
  });

  test.each([[new Map()], [new Set()], [new FormData()], [new URLSearchParams()]])(
    'with %o, which is no JSON, cannot be judged',
    async (data) => {
      expect(await problemWith({ status: 200, headers: JSON_TYPE, data })).toMatch(
        /its body is a \w+, which/,
      );
      expect(await problemWith(data)).toMatch(/it is a \w+, which is no JSON; give what it stands for/);
    },
  );

  test('without headers cannot be judged', async () => {
    expect(await problemWith({ status: 200, body: PLANT })).toMatch(
      /it has a status and a body, and no headers/,
    );
  });
});

describe('an error', () => {
  test('of a client holds the response', async () => {
    const response = { status: 400, headers: {}, data: {}, config: {}, statusText: '' } as AxiosResponse;
    const error = new AxiosError('Request failed', 'ERR', undefined, undefined, response);
    expect(await problemWith(error)).toMatch(/hand over its `response`, as in error\.response/);
  });

  test('that was parsed may have a status of its own, as that of h3', () => {
    expect({ error: 1, message: 'no', statusCode: 400, data: {} }).toBePlantStoreError();
    expect({ error: true, message: 'no', statusCode: 400, data: {} }).not.toBePlantStoreError();
  });
});

describe('a value', () => {
  test('may be circular', async () => {
    const plant: Record<string, unknown> = { name: 'Aloe', id: 7, parents: [] };
    plant.self = plant;
    plant.parents = [plant, { deep: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) }];
    expect(plant).toBeNewPlant();
    expect(plant).not.toBePlant();
    expect(() => expect(plant).toBePlant()).toThrow(/got "self" as well/);
    const { actual } = (await matchers.toBePlant.call({}, plant)) as { actual: unknown };
    expect(JSON.parse(JSON.stringify(actual))).toMatchObject({ self: '[Circular]', name: 'Aloe' });
  });

  test('is judged as JSON.stringify sends it', () => {
    const row = (sent: unknown) => ({ name: 'Aloe', toJSON: () => sent });
    expect(row({ name: 'Aloe' })).toBePlant();
    expect(row({ name: 'Aloe', id: 7 })).not.toBePlant();
    expect(row('{"name":"Aloe"}')).not.toBePlant();
    expect({ status: 200, headers: JSON_TYPE, body: row({ name: 'Aloe', id: 7 }) }).not.toBePlant();
    expect({ name: 'Aloe', tag: new Date() }).toBePlant();
    expect({ name: 'Aloe', tag: { toJSON: () => 7 } }).not.toBePlant();
  });

  test('is not drawn where nobody looks', async () => {
    const result = await matchers.toBePlant.call({ isNot: true }, { name: 7 });
    expect(result).not.toHaveProperty('actual');
  });
});

test.each([['documentd'], [null], [400]])('the option "statuses" is not %o', (statuses) => {
  const plant = { status: 200, headers: JSON_TYPE, body: PLANT };
  for (const assertion of [expect(plant), expect(plant).not])
    expect(() => assertion.toConformToPlantStore({ statuses } as object)).toThrow(
      /: "statuses" is neither "any-4xx" nor "documented": /,
    );
});
