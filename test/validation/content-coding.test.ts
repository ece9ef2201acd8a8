import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decodeContent } from '../../src/validation/content-coding.js';

const text = Buffer.from('{"name":"Aloe"}'.repeat(9));

describe('a content coding is undone', () => {
  // The header of zlib has 8 in four bits, and both its bytes are a multiple of 31 (RFC 1950, section 2.2).
  const tree = Buffer.from('a dracaena with 23 leaf');
  const onlyThe8 = Buffer.from([8, 23, 0, 0xe8, 0xff, ...tree, 1, 0, 0, 0xff, 0xff]);

  test.each<[string, Uint8Array, Buffer?]>([
    ['X-GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateSync(text, { level: 0 })],
    // As some servers write it, without the zlib wrapper.
    ['deflate', deflateRawSync(text)],
    ['deflate', onlyThe8, tree],
    ['deflate', deflateRawSync(tree, { level: 0 }), tree],
    ['br', brotliCompressSync(text)],
    ['identity', text],
    ['gzip, br', brotliCompressSync(gzipSync(text))],
    ['gzip', Buffer.concat([text.subarray(0, 9), text.subarray(9)].map((part) => gzipSync(part)))],
    ['identity, identity, identity,identity', text],
  ])('%s', (coding, bytes, expected = text) => {
    expect(Buffer.from(decodeContent(bytes, [coding]))).toEqual(expected);
  });
});

test.each<[string, Uint8Array, string]>([
  ['gzip', text, 'the body is not valid "gzip", its Content-Encoding'],
  ['deflate', text, 'the body is not valid "deflate", its Content-Encoding'],
  ['zstd', text, 'the Content-Encoding "zstd" is not supported'],
  ['constructor', text, 'the Content-Encoding "constructor" is not supported'],
  [`${'identity,'.repeat(100_000)}identity`, text, 'the body has more than 4 content codings'],
  [
    'gzip',
    gzipSync(Buffer.alloc(1001)),
    'the body has more than 1000 bytes after its Content-Encoding "gzip" is undone',
  ],
])('or a sentence says why not: %.20s', (coding, bytes, problem) => {
  expect(decodeContent(bytes, [coding], 1000)).toBe(problem);
  expect(decodeContent(gzipSync(Buffer.alloc(1000)), ['gzip'], 1000)).toHaveLength(1000);
});
