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

  // Node ignores them, and other readers do not.
  test.each<[string, Uint8Array, string]>([
    ['gzip', gzipSync(text), '\0'],
    ['x-gzip', gzipSync(text), '\0\0'],
    ['deflate', deflateSync(text), '{}'],
    ['deflate', deflateRawSync(text), 'x'],
    ['br', brotliCompressSync(text), '\n'],
  ])('%s with bytes after its end is not', (coding, bytes, more) => {
    expect(decodeContent(Buffer.concat([bytes, Buffer.from(more)]), [coding])).toBe(
      `the body goes on after the end of its Content-Encoding "${coding}"`,
    );
  });

  test('gzip of several members is', () => {
    const members = [text.subarray(0, 9), text.subarray(9)].map((part) => gzipSync(part));
    expect(Buffer.from(decodeContent(Buffer.concat(members), ['gzip']))).toEqual(text);
  });
});
