import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeContent } from '../../src/validation/content-coding.js';

const text = Buffer.from('{"name":"Aloe"}'.repeat(9));

describe('a content coding is undone', () => {
  test.each<[string, Uint8Array]>([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateSync(text, { level: 0 })],
    // As some servers write it, without the zlib wrapper.
    ['deflate', deflateRawSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
  ])('%s', (coding, bytes) => {
    expect(Buffer.from(decodeContent(bytes, [coding]))).toEqual(text);
  });

  // The header of zlib has 8 in four bits, and both its bytes are a multiple of 31 (RFC 1950, section 2.2).
  const tree = 'a dracaena with 23 leaf';
  test.each<[string, Uint8Array]>([
    ['the 8', Buffer.from([8, 23, 0, 0xe8, 0xff, ...Buffer.from(tree), 1, 0, 0, 0xff, 0xff])],
    ['the multiple', deflateRawSync(tree, { level: 0 })],
  ])('deflate without a wrapper, if it begins with only %s of one', (_what, bytes) => {
    expect(Buffer.from(decodeContent(bytes, ['deflate'])).toString()).toBe(tree);
  });

  test('or a sentence says why not', () => {
    expect(decodeContent(text, ['gzip'])).toBe('the body is not valid "gzip", its Content-Encoding');
    expect(decodeContent(text, ['deflate'])).toBe('the body is not valid "deflate", its Content-Encoding');
    expect(decodeContent(text, ['zstd'])).toBe('the Content-Encoding "zstd" is not supported');
  });

  test('gzip of several members is', () => {
    const members = [text.subarray(0, 9), text.subarray(9)].map((part) => gzipSync(part));
    expect(Buffer.from(decodeContent(Buffer.concat(members), ['gzip']))).toEqual(text);
  });
});
