import { gzipSync } from 'node:zlib';
import { validateResponse } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { decodeContent } from '../../src/validation/content-coding.js';
import { readJsonText } from '../../src/validation/json.js';

const headers = { 'content-type': 'application/json' };

describe('violations are listed up to a few', () => {
  const withFields = (count: number): string =>
    JSON.stringify({
      name: 'Aloe',
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 1])),
    });

  test.each([10, 11, 100_000])('of %i unknown fields, the first 10', (count) => {
    const violations = validateResponse({ status: 200, headers, body: withFields(count) });
    expect(violations.map(({ pointer }) => pointer)).toEqual(
      Array.from({ length: 10 }, (_, at) => `/f${at}`),
    );
  });

  test('a long key is cut in every text', () => {
    const [violation] = validateResponse({
      status: 200,
      headers,
      body: { name: 'Aloe', ['k'.repeat(1e6)]: 1 },
    });
    expect(violation?.pointer).toBe(`/${'k'.repeat(200)}…`);
    expect(JSON.stringify(violation).length).toBeLessThan(700);
    expect(violation?.message).toContain('… (1000000 characters); got 1');
  });
});

test('of duplicate keys, the first 10 are listed', () => {
  const read = readJsonText(`{"${'k'.repeat(100_000)}":{"a":1${',"a":1'.repeat(50_000)}}}`);
  expect(read).toMatchObject({ ok: true, duplicateKeys: { length: 10 } });
});

describe('a body that is encoded', () => {
  test('more often than any is not decoded', () => {
    const text = Buffer.from('{}');
    expect(decodeContent(text, ['identity, identity', 'identity,identity'])).toEqual(text);
    expect(decodeContent(text, [`${'identity,'.repeat(100_000)}identity`])).toBe(
      'the body has more than 4 content codings',
    );
  });

  test('is not called invalid if it is only too long', () => {
    expect(decodeContent(gzipSync(Buffer.alloc(1001)), ['gzip'], 1000)).toBe(
      'the body has more than 1000 bytes after its Content-Encoding "gzip" is undone',
    );
    expect(decodeContent(gzipSync(Buffer.alloc(1000)), ['gzip'], 1000)).toHaveLength(1000);
  });
});
