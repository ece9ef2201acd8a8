import { describe, expect, test } from 'vitest';
import { CollectedBytes, readWithin } from '../../src/http/collected-bytes.js';

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('collected bytes', () => {
  test('300,000 chunks of one byte take the memory of their bytes', () => {
    const collected = new CollectedBytes(2 ** 21);
    for (let at = 0; at < 300_000; at++) collected.add(Uint8Array.of(at % 251));
    expect(collected.bytes.buffer.byteLength).toBeLessThan(600_000);
    expect([collected.bytes[0], collected.bytes[299_999]]).toEqual([0, 299_999 % 251]);
  });
});

describe('reading within a limit', () => {
  test('ends the source', async () => {
    let given = 0;
    let hasEnded = false;
    async function* endless(): AsyncIterable<Uint8Array> {
      try {
        for (; ; given++) yield bytes('abc');
      } finally {
        hasEnded = true;
      }
    }
    expect(await readWithin(endless(), 7)).toBeUndefined();
    expect({ given, hasEnded }).toEqual({ given: 2, hasEnded: true });
  });

  test('gives what is as long as the limit', async () => {
    expect((await readWithin([bytes('abc'), bytes('d')], 4))?.toString()).toBe('abcd');
  });
});
