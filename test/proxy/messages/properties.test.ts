import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { JudgeOptions } from '../../../src/proxy/messages/judge.js';
import { entry, har, judge, raw, rawResponse } from './stored.js';

test('a body is judged byte for byte, in every format', () => {
  const body = fc
    .oneof(
      fc.json(),
      fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    )
    .filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(body, (text) => {
      const bytes = Buffer.from(text);
      const violations = (stored: Buffer, how?: Partial<JudgeOptions>) =>
        judge(stored, 'response', how).messages[0]?.violations;
      const expected = violations(rawResponse(bytes));
      const head = ['HTTP/1.1 200 OK', 'Content-Type: application/json'];
      expect(violations(raw([...head, 'Transfer-Encoding: chunked'], bytes))).toEqual(expected);
      expect(violations(rawResponse(gzipSync(bytes), '200 OK', 'Content-Encoding: gzip'))).toEqual(expected);
      expect(violations(har([entry({ response: { content: { text } } })]))).toEqual(expected);
      const base64 = { text: bytes.toString('base64'), encoding: 'base64' };
      const plain = { headers: [{ name: 'Content-Type', value: 'application/json' }] };
      expect(violations(har([entry({ response: { content: base64, ...plain } })]))).toEqual(expected);
      expect(violations(bytes, { as: 'plant' })).toEqual(expected);
    }),
    { numRuns: 80 },
  );
});
