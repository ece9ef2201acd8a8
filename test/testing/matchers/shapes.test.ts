import { AxiosHeaders } from 'axios';
import * as matchers from 'plant-store-contract/matchers';
import { describe, expect, test } from 'vitest';

expect.extend(matchers);

const JSON_TYPE = { 'content-type': 'application/json' };
const BODY = '{"name":"Aloe"}';

describe('headers', () => {
  test.each<[string, unknown]>([
    ['a record', JSON_TYPE],
    ['a record with a list', { 'Content-Type': ['application/json'], 'Set-Cookie': ['a=1', 'b=2'] }],
    [
      'a record with numbers and missing values',
      { ...JSON_TYPE, 'content-length': 15, a: undefined, b: null },
    ],
    ['Headers', new Headers(JSON_TYPE)],
    ['a Map', new Map(Object.entries(JSON_TYPE))],
    ['pairs', Object.entries(JSON_TYPE)],
    ['a flat list of names and values', ['Date', 'today', 'Content-Type', 'application/json']],
    ['the headers of axios', new AxiosHeaders(JSON_TYPE)],
  ])('may be %s', (_what, headers) => {
    expect({ status: 200, headers, body: BODY }).toConformToPlantStore();
  });

  test.each([[undefined], [null], [{}], [[]], [new Headers()]])('may be missing: %o', (headers) => {
    const response = { status: 200, headers, body: BODY };
    expect(() => expect(response).toConformToPlantStore()).toThrow(/the Content-Type header is missing/);
    expect(response).not.toConformToPlantStore();
  });

  test.each([['content-type: application/json'], [7], [[['a', 'b', 'c']]], [[1, 2]]])(
    'cannot be judged if they are %o',
    (headers) => {
      const response = { status: 200, headers, body: BODY };
      for (const assertion of [expect(response), expect(response).not])
        expect(() => assertion.toConformToPlantStore()).toThrow(/its headers have an unknown shape/);
    },
  );
});

/** As that of Angular: nothing of it can be read without its methods. */
class HttpHeaders {
  headers = new Map([['content-type', ['application/json']]]);
  lazyUpdate = null;
  keys = () => ['Content-Type'];
  get = (name: string) => this.headers.get(name.toLowerCase())?.[0] ?? null;
}

class Hidden {
  readonly #all = JSON_TYPE;
  get() {
    return this.#all;
  }
}

test.each([new HttpHeaders(), new Hidden(), { 'content-type': {} }, new Map([['a', new Map()]])])(
  'headers of an unknown shape are neither right nor wrong: %o',
  (headers) => {
    const response = { status: 200, headers, body: { name: 'Aloe' } };
    for (const assertion of [expect(response), expect(response).not])
      for (const matcher of ['toConformToPlantStore', 'toBePlant'] as const)
        expect(() => assertion[matcher]()).toThrow(/its headers have an unknown shape/);
  },
);

describe('a body', () => {
  const bytes = Buffer.from(BODY);
  test.each<[string, object]>([
    ['as a string in body', { body: BODY }],
    ['as a Buffer', { body: bytes }],
    ['in base64, as AWS Lambda returns it', { isBase64Encoded: true, body: bytes.toString('base64') }],
    ['that was parsed', { body: { name: 'Aloe' } }],
  ])('may come %s', (_what, fields) => {
    expect({ status: 200, headers: JSON_TYPE, ...fields }).toConformToPlantStore();
    expect({ statusCode: 200, headers: JSON_TYPE, ...fields }).toBePlant();
  });

  // Parsed, the id would be gone, and so would what else a parser drops.
  test.each<[string, object]>([
    ['a string before a parsed value', { body: { name: 'Aloe' }, text: '{"name":"Aloe","id":7}' }],
    ['bytes before a parsed value', { data: { name: 'Aloe' }, body: Buffer.from('{"name":"Aloe"}{}') }],
  ])('is judged as %s', (_what, fields) => {
    expect({ status: 200, headers: JSON_TYPE, ...fields }).not.toConformToPlantStore();
  });
});

describe('a value', () => {
  test('is a Plant if it has only the fields of Plant', () => {
    expect({ name: 'Aloe' }).toBePlant();
    expect({ name: 'Aloe', tag: 'succulent' }).toBePlant();
    expect({ name: 'Aloe', tag: undefined, id: undefined }).toBePlant();
    for (const wrong of [{ name: 'Aloe', id: 7 }, { name: 'Aloe', tag: null }, { tag: 'a' }, [], null, 7])
      expect(wrong).not.toBePlant();
  });

  test('is a NewPlant if its id is an int64', () => {
    for (const id of [7, -(2n ** 63n), 2n ** 63n - 1n]) expect({ name: 'Aloe', id }).toBeNewPlant();
    for (const id of ['7', 7.5, 2n ** 63n, null, undefined]) expect({ name: 'Aloe', id }).not.toBeNewPlant();
    expect({ name: 'Aloe', id: 7, colour: 'green' }).toBeNewPlant();
  });

  test('is an Error if its error is an int32', () => {
    // As that of h3, it may have a status.
    expect({ error: -(2 ** 31), message: '', statusCode: 400, data: {} }).toBePlantStoreError();
    for (const error of ['7', 2 ** 31, 1.5, true, null, undefined])
      expect({ error, message: 'no', statusCode: 400 }).not.toBePlantStoreError();
  });

  test('may be circular, and deep', () => {
    const plant: Record<string, unknown> = { name: 'Aloe', id: 7 };
    plant.self = plant;
    plant.parents = [plant, { deep: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) }];
    expect(plant).toBeNewPlant();
    expect(() => expect(plant).toBePlant()).toThrow(/no field "self"/);
  });

  test('may be a string or bytes, which are read as JSON', () => {
    expect(Buffer.from(BODY)).toBePlant();
    expect('{"name":"Aloe","id":9223372036854775807}').toBeNewPlant();
    expect('{"name":"Aloe","id":9223372036854775808}').not.toBeNewPlant();
  });

  test('can be judged by an asymmetric matcher', () => {
    const { toBePlant } = expect as unknown as { toBePlant(): unknown };
    expect({ plants: [{ name: 'Aloe' }] }).toEqual({ plants: [toBePlant()] });
    expect({ plant: { name: 7 } }).not.toEqual({ plant: toBePlant() });
  });
});

test('a request may have a NewPlant', async () => {
  const body = '{"name":"Aloe","id":7}';
  expect({ method: 'POST', url: '/plants', headers: JSON_TYPE, body }).toBeNewPlant();
  expect({ headers: JSON_TYPE, body: '{"name":"Aloe"}' }).not.toBeNewPlant();
  expect({ headers: {}, body }).not.toBeNewPlant();
  const request = new Request('http://localhost/plants', { method: 'POST', headers: JSON_TYPE, body });
  await expect(request).toBeNewPlant();
  expect(await request.text()).toBe(body);
});

test('a response of fetch can be read afterwards, by several matchers', async () => {
  const response = new Response(BODY, { headers: JSON_TYPE });
  await Promise.all([expect(response).toConformToPlantStore(), expect(response).toBePlant()]);
  await expect(response).not.toBePlantStoreError();
  expect(await response.text()).toBe(BODY);
});
