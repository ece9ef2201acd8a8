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

  test('or a sentence says why not', () => {
    expect(decodeContent(text, ['gzip'])).toBe('the body is not valid "gzip", its Content-Encoding');
    expect(decodeContent(text, ['deflate'])).toBe('the body is not valid "deflate", its Content-Encoding');
    expect(decodeContent(text, ['zstd'])).toBe('the Content-Encoding "zstd" is not supported');
  });
});
