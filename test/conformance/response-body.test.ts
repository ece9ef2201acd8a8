import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { contentOf, jsonOf, keptResponse } from '../../src/conformance/response-body.js';
import { excerpt } from '../../src/report/exchange.js';
import { response } from './recorded.js';

const TYPE = ['content-type', 'application/json'] as const;
const bytesIn = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe('a response as it is kept', () => {
  test('is itself if it is short', () => {
    const short = response(200, [TYPE], '{"name":"Aloe"}');
    expect(keptResponse(short, undefined)).toEqual(short);
  });

  test('has the verdict of its whole body, and only the beginning of that', () => {
    const unknown = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`f${at}`, at]));
    const whole = response(200, [TYPE], JSON.stringify({ ...unknown, name: 7 }));
    const kept = keptResponse(whole, undefined);
    expect(kept.body.length).toBe(65_536);
    expect(kept.body.buffer.byteLength).toBeLessThan(100_000);
    expect(kept.received).toBe(whole.received);
    const { decodedLength, json, violations } = contentOf(kept);
    expect(decodedLength).toBe(whole.received);
    expect(violations.map(({ pointer, keyword }) => `${keyword} ${pointer}`)).toEqual([
      'type /name',
      ...Array.from({ length: 10 }, (_, at) => `additionalProperties /f${at}`),
      'additionalProperties ',
    ]);
    expect(violations.at(-1)?.message).toBe('the body has 49990 more unknown fields');
    expect(json).toMatchObject({ ok: true, value: { name: 7, f0: 0, f500: 500 } });
    expect(bytesIn(json)).toBeLessThan(20_000);
  });

  test('keeps a string that was sent, however long it is, and cuts others', () => {
    const name = 'é'.repeat(200_000);
    const back = response(200, [TYPE], JSON.stringify({ name, tag: `${name}!` }));
    const read = jsonOf(keptResponse(back, { name, id: 1 }));
    const { name: first, tag } = (read.ok ? read.value : {}) as { name: string; tag: string };
    expect(first === name).toBe(true);
    expect(tag.length).toBeLessThan(70_000);
    expect(tag.endsWith('…')).toBe(true);
  });

  test('or not at all has every string that came', () => {
    const name = 'é'.repeat(200_000);
    const read = jsonOf(response(200, [TYPE], JSON.stringify({ name, more: Array(2000).fill(1) })));
    expect(read.ok && (read.value as { name: string }).name === name).toBe(true);
  });

  test('is decoded once, when it comes', () => {
    const text = `{"name":"Aloe","x":"${'y'.repeat(300_000)}"}`;
    const encoded = { ...response(200, [TYPE, ['content-encoding', 'gzip']]), body: gzipSync(text) };
    const { decoded, decodedLength } = contentOf(keptResponse(encoded, undefined));
    expect(decoded.length).toBe(65_536);
    expect(decodedLength).toBe(text.length);
  });

  test('has at most 100 fields of a long head, and the beginning of each value', () => {
    const cookies = Array.from(
      { length: 1000 },
      (_, at) => ['set-cookie', `${at}${'x'.repeat(500)}`] as const,
    );
    const { headers } = keptResponse(response(200, [TYPE, ...cookies]), undefined);
    expect(headers[0]).toEqual(TYPE);
    expect(headers.length).toBe(100);
    expect(headers[1]?.[1].length).toBe(161);
  });

  test('has at most 100 of many short fields, and those that are judged', () => {
    const short = Array.from({ length: 1000 }, () => ['a', 'b'] as const);
    const { headers } = keptResponse(response(200, [...short, TYPE]), undefined);
    expect(headers.length).toBe(101);
    expect(headers.at(-1)).toEqual(TYPE);
  });

  test.each([
    ['arrays', `{"name":"Aloe","x":[${'[],'.repeat(100_000)}1]}`],
    ['objects', `{"name":"Aloe","x":[${'{"a":1},'.repeat(50_000)}1]}`],
    ['one key many times', `{"name":"Aloe","${'k'.repeat(90_000)}":{"a":1${',"a":1'.repeat(30_000)}}}`],
    ['long numbers', `{"name":"Aloe","x":[${`0.${'1'.repeat(1000)},`.repeat(300)}1]}`],
  ])('takes little memory with %s', (_what, text) => {
    const read = jsonOf(keptResponse(response(200, [TYPE], text), undefined));
    expect(read).toMatchObject({ ok: true, value: { name: 'Aloe' } });
    expect(bytesIn(read)).toBeLessThan(200_000);
  });
});

test('memory is freed between bodies that decode to more than the limit', () => {
  const bomb = gzipSync(Buffer.alloc(16 * 2 ** 20));
  const encoded = { ...response(200, [TYPE, ['content-encoding', 'gzip']]), body: bomb };
  const used = Array.from({ length: 80 }, () => {
    keptResponse(encoded, undefined);
    return process.memoryUsage().arrayBuffers;
  });
  // V8 alone frees less than ten times. How much is in use between depends on what else this process does.
  const freed = used.filter((bytes, at) => bytes < (used[at - 1] ?? 0)).length;
  expect(freed).toBeGreaterThan(20);
});

describe('what is kept of a long text does not keep the text', () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  // Node keeps the characters of a longer string elsewhere.
  const LENGTH = 900_000;
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  test.each<[what: string, kept: (long: string) => unknown]>([
    [
      'a number',
      () => keptResponse(response(200, [TYPE], `{"name":"Aloe","x":${'1'.repeat(LENGTH)}}`), undefined),
    ],
    ['an excerpt', (long) => excerpt(long)],
  ])('%s', (_what, kept) => {
    const before = heap();
    const all = Array.from({ length: 40 }, (_, at) => kept(String(at).padEnd(LENGTH, 'x')));
    expect(heap() - before).toBeLessThan(15);
    expect(all.length).toBe(40);
  });
});
