import { runInNewContext } from 'node:vm';
import { loadPrism, validateRequest, validateResponse } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import { bytesIn } from '../../src/validation/message.js';

/** A class of bytes like that of jsdom and node:vm: our bytes are not instances of it, and its bytes not of ours. */
const Foreign: typeof Uint8Array = runInNewContext('Uint8Array');
const foreign = (text: string): Uint8Array => new Foreign(Buffer.from(text));

const headers = { 'content-type': 'application/json' };

describe('bytes of another realm', () => {
  test('are no value', () => {
    const body = foreign('{"name":"Aloe"}');
    expect(body).not.toBeInstanceOf(Uint8Array);
    expect(validateResponse({ status: 200, headers, body })).toEqual([]);
    expect(validateResponse({ status: 200, headers, body: body.buffer })).toEqual([]);
    expect(validateResponse({ status: 200, headers, body: foreign('') })[0]?.message).toMatch(/is missing/);
    const wrong = validateRequest({ headers, body: foreign('{"name":"Aloe","id":7.5}') });
    expect(wrong.map(({ pointer }) => pointer)).toContain('/id');
  });

  test('are none to Prism', async () => {
    const prism = await loadPrism();
    const body = foreign('{"name":"Aloe"}');
    expect(prism.errorsIn({ status: 200, headers, body })).toEqual([]);
  });
});

test('bytes are not copied', () => {
  const own = Buffer.from('{}');
  expect(bytesIn(own)).toBe(own);
  const other = foreign('{}');
  expect(bytesIn(other)?.buffer).toBe(other.buffer);
});
