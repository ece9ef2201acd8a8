import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { contentOf, jsonOf, keptResponse, LONGEST_BODY } from '../../src/conformance/body.js';
import type { ProviderResponse } from '../../src/conformance/exchange.js';
import { judgeExchange } from '../../src/validation/exchange.js';
import type { Violation } from '../../src/validation/violation.js';
import { response } from './recorded.js';

const TYPE = ['content-type', 'application/json'] as const;
const violationsOf = (one: ProviderResponse): string[] =>
  contentOf(one).violations.map(({ pointer, keyword }) => `${keyword} ${pointer}`);

describe('a response as it is kept', () => {
  test('has the content of its body', () => {
    const kept = keptResponse(response(200, [TYPE], '{"name":"Aloe","id":7}'));
    expect(jsonOf(kept)).toMatchObject({ ok: true, value: { name: 'Aloe', id: 7 } });
    expect(violationsOf(kept)).toEqual(['additionalProperties /id']);
    expect(contentOf(kept)).toBe(kept.content);
  });

  test('is decoded', () => {
    const encoded = [TYPE, ['content-encoding', 'gzip']] as const;
    const kept = keptResponse({ ...response(200, encoded), body: gzipSync('{"name":"Aloe"}') });
    expect([jsonOf(kept), violationsOf(kept)]).toMatchObject([{ value: { name: 'Aloe' } }, []]);
    const broken = keptResponse({ ...response(200, encoded), body: Buffer.from('{}') });
    expect([jsonOf(broken).ok, violationsOf(broken)]).toEqual([false, ['content-encoding ']]);
  });

  test('has the verdict of a long body, and of its values only the fields of the interface', () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`f${at}`, [at]]));
    const kept = keptResponse(response(200, [TYPE], JSON.stringify({ ...unknown, name: { a: 1 } })));
    expect(violationsOf(kept)).toContain('type /name');
    expect(violationsOf(kept)).toContain('additionalProperties /f0');
    expect(jsonOf(kept)).toMatchObject({ ok: true, value: { name: {} } });
    expect(jsonOf(kept)).not.toHaveProperty('value.f0');
  });

  const HTML = ['content-type', 'text/html'] as const;
  const GZIP = ['content-encoding', 'gzip'] as const;

  test.each([200, 400, 401, 413])('with the status %d is judged as the proxy judges it', (status) => {
    for (const headers of [[], [TYPE], [TYPE, TYPE], [HTML], [TYPE, GZIP], [HTML, GZIP]])
      for (const body of ['', '{"name":"Aloe","id":7}', '{"error":1,"message":""}'].map((text) =>
        Buffer.from(text),
      ))
        for (const bytes of [body, gzipSync(body), gzipSync(body).subarray(0, 12)]) {
          const one = { status, reason: '', headers, body: bytes, complete: true };
          const { violations } = contentOf(keptResponse({ ...one, received: bytes.length, surplus: 0 }));
          const forwarded = judgeExchange({ response: { ...one, bodyLength: bytes.length } });
          const sorted = (all: readonly Violation[]) =>
            all.map(({ severity, keyword, message }) => [severity, keyword, message].join()).toSorted();
          expect(sorted(violations)).toEqual(sorted(forwarded.violations));
        }
  });

  test.each<[string, Partial<ProviderResponse>]>([
    ['is cut', { body: Buffer.alloc(LONGEST_BODY, ' '), received: LONGEST_BODY + 1, complete: false }],
    [
      'is too long when it is decoded',
      { headers: [['content-encoding', 'gzip']], body: gzipSync(Buffer.alloc(LONGEST_BODY + 1)) },
    ],
  ])('that %s is judged by its status and its headers', (_what, given) => {
    const kept = keptResponse({ ...response(400), ...given });
    expect(contentOf(kept).isTooLong).toBe(true);
    expect(jsonOf(kept).ok).toBe(false);
    expect(contentOf(kept).violations.map(({ part }) => part)).toEqual(['header']);
  });

  test('has at most 100 fields of a long head, and the beginning of each value', () => {
    const cookies = Array.from(
      { length: 1000 },
      (_, at) => ['set-cookie', `${at}${'x'.repeat(500)}`] as const,
    );
    const { headers } = keptResponse(response(200, [TYPE, ...cookies]));
    expect(headers[0]).toEqual(TYPE);
    expect(headers.length).toBe(100);
    expect(headers[1]?.[1].length).toBe(161);
  });

  test('is judged by every field of a long head', () => {
    const cookies = Array.from({ length: 1000 }, () => ['set-cookie', 'x'.repeat(100)] as const);
    const typed = (type: string) => response(200, [...cookies, ['content-type', type]], '{"name":"Aloe"}');
    expect(violationsOf(keptResponse(typed('application/json')))).toEqual([]);
    const kept = keptResponse(typed('text/plain'));
    expect(violationsOf(kept)).toEqual(['media-type /content-type']);
    // Findings quote it.
    expect(kept.headers.at(-1)).toEqual(['content-type', 'text/plain']);
  });

  test.each([
    ['arrays', `{"name":"Aloe","x":[${'[],'.repeat(40_000)}1]}`],
    ['objects', `{"name":"Aloe","x":[${'{"a":1},'.repeat(15_000)}1]}`],
  ])('takes little memory with %s', (_what, text) => {
    expect(JSON.stringify(jsonOf(keptResponse(response(200, [TYPE], text)))).length).toBeLessThan(200);
  });
});
