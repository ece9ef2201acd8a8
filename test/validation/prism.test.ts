import { openApiDocument } from 'plant-store-contract/spec';
import { JsonNumber, loadPrism, type PlainResponse, validateResponse } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { OPINIONS } from './prism-opinions.js';

const prism = await loadPrism();
const headers = { 'content-type': 'application/json' };

describe('our opinion and that of Prism', () => {
  test.each(OPINIONS)('$name', (opinion) => {
    const ours = validateResponse(opinion.response)
      .map(({ keyword }) => keyword)
      .sort();
    const objects = prism.errorsIn(opinion.response).length > 0;
    expect([ours, objects]).toStrictEqual([opinion.ours, opinion.prism]);
    if (ours.length > 0 !== objects) {
      expect(opinion.right, 'one finds an error where the other finds none: who is right?').toBeDefined();
      expect(opinion.why).toMatch(/^(openapi\.yaml#\/|RFC \d+, section \d).*\.$/);
    } else {
      expect(opinion).not.toHaveProperty('right');
      expect(opinion).not.toHaveProperty('why');
    }
  });

  test('are compared on many responses, each named once', () => {
    expect(OPINIONS.length).toBeGreaterThanOrEqual(59);
    expect(new Set(OPINIONS.map(({ name }) => name)).size).toBe(OPINIONS.length);
  });
});

test.each<[string, PlainResponse, string]>([
  [
    'a null name',
    { status: 200, headers, body: '{"name":null}' },
    'Response body property name must be string',
  ],
  [
    'no media type',
    { status: 200, headers: { 'content-type': 'json' }, body: '{}' },
    'Prism stopped: invalid media type',
  ],
  ['no JSON', { status: 200, headers, body: '{' }, 'Prism stopped: '],
])('an error of Prism is a sentence: %s', (_, response, message) => {
  expect(prism.errorsIn(response)).toEqual([expect.stringContaining(message)]);
});

describe('no message is too odd for an opinion', () => {
  const circular: Record<string, unknown> = { name: 'Aloe' };
  circular.self = circular;

  test.each<[string, Omit<PlainResponse, 'status'>]>([
    ['no header values', { headers: { 'content-type': [], x: undefined }, body: '{}' }],
    [
      'odd header names',
      { headers: [...Object.entries(headers), ['__proto__', 'a'], ['', 'b']], body: '{}' },
    ],
    ['bytes that are no UTF-8', { headers, body: Uint8Array.of(0xff, 0xfe, 0, 0x80) }],
    ['a bigint in a value', { headers, body: { name: 7n, id: 2n ** 63n, list: [{ a: 1n }] } }],
    ['a JsonNumber', { headers, body: { name: new JsonNumber('1e400', true) } }],
    ['a circular value', { headers, body: circular }],
    ['100,000 levels in a field', { headers, body: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }],
  ])('%s', (_, message) => {
    // None of these is a plain plant.
    for (const status of [200, 400]) expect(prism.errorsIn({ ...message, status })).not.toEqual([]);
    for (const status of [-1, Number.NaN]) prism.errorsIn({ ...message, status });
  });
});

test('Prism is loaded once and does not change the document', async () => {
  expect(await loadPrism()).toBe(prism);
  const { NewPlant } = openApiDocument.components?.schemas ?? {};
  expect(NewPlant).toHaveProperty('allOf.0.$ref', '#/components/schemas/Plant');
});
