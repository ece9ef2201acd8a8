import { openApiDocument } from 'plant-store-contract/spec';
import {
  JsonNumber,
  loadPrism,
  type PlainResponse,
  type Violation,
  validateResponse,
} from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { OPINIONS, type Opinion } from './prism-opinions.js';

const prism = await loadPrism();

/** Our verdict and Prism's, as in the table, and whether only one of them is an error. */
function verdicts(opinion: Opinion) {
  const [found, theirs] = [validateResponse(opinion.response), prism.judgeResponse(opinion.response)];
  const ours = found.map(({ keyword }) => keyword).sort();
  const prisms = theirs.map(({ severity, keyword }) => `${severity}:${keyword}`).sort();
  const objects = theirs.some(({ severity }) => severity === 'error');
  return { ours, prism: prisms, disagree: found.length > 0 !== objects };
}

describe('our opinion and that of Prism', () => {
  test.each(OPINIONS)('$name', (opinion) => {
    const { disagree, ...found } = verdicts(opinion);
    expect(found).toStrictEqual({ ours: opinion.ours, prism: opinion.prism });
    if (disagree) {
      expect(opinion.right, 'one finds an error where the other finds none: who is right?').toBeDefined();
      expect(opinion.why).toMatch(/^(Interface, [A-Z]|RFC \d+, section \d).*\.$/);
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

describe('a violation that Prism finds has the form of ours', () => {
  const headers = { 'content-type': 'application/json' };

  test.each<[string, Violation[], Partial<Violation>]>([
    [
      'in the body of a response',
      prism.judgeResponse({ status: 200, headers, body: '{"name":null}' }),
      { part: 'body', pointer: '/name', keyword: 'type', severity: 'error', actual: 'null' },
    ],
    [
      'in the status',
      prism.judgeResponse({ status: 404, headers }),
      { part: 'status', pointer: '', keyword: 'status', severity: 'warning', actual: '404' },
    ],
    [
      'where it throws',
      prism.judgeResponse({ status: 200, headers: { 'content-type': 'json' }, body: '{"name":"Aloe"}' }),
      {
        part: 'header',
        pointer: '/content-type',
        keyword: 'media-type',
        severity: 'error',
        message: 'Prism stopped: invalid media type',
        actual: '"json"',
      },
    ],
    [
      'in a body that is no JSON',
      prism.judgeResponse({ status: 200, headers, body: '{' }),
      { part: 'body', pointer: '', keyword: 'json', severity: 'error' },
    ],
  ])('%s', (_, violations, violation) => {
    expect(violations).toMatchObject([violation]);
  });
});

describe('no message is too odd for an opinion', () => {
  const headers = { authorization: 'Bearer abc', 'content-type': 'application/json' };
  const circular: Record<string, unknown> = { name: 'Aloe' };
  circular.self = circular;

  test.each<[string, Omit<PlainResponse, 'status'>]>([
    ['nothing at all', { headers: {} }],
    ['no header values', { headers: { 'content-type': [], x: undefined }, body: '{}' }],
    [
      'odd header names',
      { headers: [...Object.entries(headers), ['__proto__', 'a'], ['', 'b']], body: '{}' },
    ],
    ['bytes that are no UTF-8', { headers, body: Uint8Array.of(0xff, 0xfe, 0, 0x80) }],
    ['a bigint in a value', { headers, body: { name: 7n, id: 2n ** 63n, list: [{ a: 1n }] } }],
    [
      'a JsonNumber',
      { headers, body: { name: new JsonNumber('1e400', true), id: new JsonNumber('7.5', false) } },
    ],
    ['a circular value', { headers, body: circular }],
    ['100,000 levels in a field', { headers, body: `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }],
    ['__proto__', { headers, body: '{"__proto__":{"name":1},"name":{"__proto__":7}}' }],
  ])('%s', (_, message) => {
    const judged = [
      ...[200, 404, -1, Number.NaN].map((status) => prism.judgeResponse({ ...message, status })),
    ].flat();
    // None of these is a plain plant: something is found.
    expect(judged).not.toHaveLength(0);
    for (const { message, pointer } of judged) {
      expect(message).toMatch(/\w/);
      expect(pointer).toMatch(/^(\/|$)/);
    }
  });
});

test('Prism is loaded once and does not change the document', async () => {
  expect(await loadPrism()).toBe(prism);
  expect(openApiDocument.components?.schemas?.NewPlant).toHaveProperty(
    'allOf.0.$ref',
    '#/components/schemas/Plant',
  );
});
