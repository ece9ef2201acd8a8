import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import type { JudgeOptions } from '../../../src/proxy/messages/judge.js';
import type { ValidateReport } from '../../../src/proxy/messages/report.js';
import { ToolkitError } from '../../../src/toolkit-error.js';
import { parseXml } from '../../report/formats/xml.js';
import { entry, har, judge, raw, rawRequest, rawResponse, TOKEN } from './stored.js';

const PLANT = '{"name":"Aloe"}';
const NEW_PLANT = '{"name":"Aloe","id":7}';

const VALID: readonly Buffer[] = [
  rawResponse(PLANT),
  rawResponse(gzipSync(PLANT), '200 OK', 'Content-Encoding: gzip'),
  raw(['HTTP/2 200 ', 'content-type: application/json'], PLANT),
  Buffer.concat([raw(['HTTP/1.1 100 Continue']), rawResponse(PLANT), Buffer.from('\n\n')]),
  rawRequest(NEW_PLANT),
  har([entry(), entry({ response: { status: 0 } })]),
  har([entry({ response: { content: { encoding: 'base64', text: 'eyJuYW1lIjoiQWxvZSJ9' } } })]),
];

const options: fc.Arbitrary<Partial<JudgeOptions>> = fc.record(
  {
    as: fc.constantFrom('plant', 'new-plant', 'error'),
    statuses: fc.constantFrom('any-4xx', 'documented'),
  },
  { requiredKeys: [] },
);
const kind = fc.constantFrom('request', 'response');

/** One change of some bytes: a part of them removed, doubled, or replaced. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 0, max: 12 }),
  put: fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc
      .constantFrom(
        ...[
          '\r',
          '\n',
          '\r\n\r\n',
          'HTTP/1.1 200 OK\r\n',
          ':',
          ' ',
          '0',
          'ffff',
          '{',
          '"',
          ',',
          '\0',
          'null',
        ],
        '99999999999999999999',
        TOKEN,
      )
      .map((text) => Buffer.from(text)),
  ),
});

function changed(
  bytes: Buffer,
  changes: readonly (typeof change extends fc.Arbitrary<infer T> ? T : never)[],
): Buffer {
  return changes.reduce<Buffer>((whole, { at, length, put }) => {
    const from = Math.floor(at * whole.length);
    return Buffer.concat([whole.subarray(0, from), put, whole.subarray(from + length)]);
  }, bytes);
}

/** Any input has a verdict, or is rejected in one sentence, and every reporter can write the report. */
function concludes(bytes: Buffer, of: JudgeOptions['kind'], how: Partial<JudgeOptions>): void {
  let report: ValidateReport;
  try {
    report = judge(bytes, of, how);
  } catch (problem) {
    expect(problem).toBeInstanceOf(ToolkitError);
    const { message } = problem as ToolkitError;
    expect(message).toMatch(/^stored (?:cannot be read: |contains |is |has )\P{C}*$/u);
    expect(message.length).toBeLessThan(400);
    expect(message).not.toContain(TOKEN);
    return;
  }
  expect(report.messages.some(({ verdict }) => verdict !== 'not-applicable')).toBe(true);
  expect(report.conclusion === 'does-not-conform').toBe(
    report.messages.some(({ violations }) => violations.length > 0),
  );
  expect(JSON.parse(reporters.json(report))).toEqual(report);
  parseXml(reporters.junit(report));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  expect(reporters.text(report)).not.toMatch(/[\0-\x08\x0b-\x1f\x7f]/);
  expect(reporters.github(report)).toMatch(/^(?:::(?:error|warning) .*\n)*(?!::).*\n$/);
}

describe('any input has a verdict, or is rejected in one sentence', () => {
  test('bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), kind, options, (bytes, of, how) =>
        concludes(Buffer.from(bytes), of, how),
      ),
      { numRuns: 100 },
    );
  });

  test('JSON', () => {
    const json = fc.json().map((text) => Buffer.from(text));
    fc.assert(fc.property(json, kind, options, concludes), { numRuns: 50 });
    const inLog = fc.jsonValue().map((value) => har(value));
    fc.assert(fc.property(inLog, kind, options, concludes), { numRuns: 50 });
    const parts = fc.record({
      request: fc.dictionary(fc.constantFrom('headers', 'postData', 'bodySize', 'method'), fc.jsonValue()),
      response: fc.dictionary(fc.constantFrom('headers', 'content', 'bodySize', 'status'), fc.jsonValue()),
    });
    fc.assert(
      fc.property(parts, kind, options, (members, of, how) => concludes(har([entry(members)]), of, how)),
      { numRuns: 80 },
    );
  });

  test('messages that were changed', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...VALID),
        fc.array(change, { minLength: 1, maxLength: 3 }),
        kind,
        options,
        (bytes, changes, of, how) => concludes(changed(bytes, changes), of, how),
      ),
      { numRuns: 300 },
    );
  });

  test('messages that were cut off', () => {
    for (const bytes of VALID)
      for (let length = 0; length < bytes.length; length += 3)
        concludes(bytes.subarray(0, length), 'response', {});
  });
});

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
