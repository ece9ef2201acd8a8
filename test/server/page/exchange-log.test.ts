import { describe, expect, test } from 'vitest';
import type { ForwardedExchange } from '../../../src/http/exchange.js';
import type { Fields } from '../../../src/http/fields.js';
import { ExchangeLog } from '../../../src/server/page/exchange-log.js';

function exchangeOf(bytes = 0, headers: Fields = []): { exchange: ForwardedExchange } {
  const message = {
    headers,
    body: new Uint8Array(bytes),
    bodyLength: bytes,
    trailers: [],
    complete: true,
  };
  return { exchange: { request: { method: 'POST', target: '/plants', ...message }, durationMs: 0 } };
}

const numbersOf = (log: ExchangeLog, place: number, most = 100): number[] =>
  log.since(place, most).exchanges.map(({ number }) => number);

describe('the log', () => {
  test('keeps the last ones', () => {
    const log = new ExchangeLog(3);
    for (let count = 0; count < 5; count++) log.add(exchangeOf());
    expect([log.total, log.first]).toEqual([5, 3]);
    expect(numbersOf(log, 0)).toEqual([3, 4, 5]);
    expect([1, 2, 3, 6].map((number) => log.get(number)?.number)).toEqual([
      undefined,
      undefined,
      3,
      undefined,
    ]);
  });

  test('gives a reader what is new, and no more at a time than it asks for', () => {
    const log = new ExchangeLog(10);
    for (let count = 0; count < 4; count++) log.add(exchangeOf());
    const { exchanges, next } = log.since(0, 3);
    expect(exchanges.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(numbersOf(log, next)).toEqual([4]);
    expect(log.since(4, 3)).toEqual({ exchanges: [], next: 4 });
  });

  test('lets a reader that is far behind go on with what is kept', () => {
    const log = new ExchangeLog(3);
    for (let count = 0; count < 2; count++) log.add(exchangeOf());
    const { next } = log.since(0, 1);
    for (let count = 0; count < 100; count++) log.add(exchangeOf());
    expect(numbersOf(log, next)).toEqual([100, 101, 102]);
  });

  test('announces what is judged later when it is judged', () => {
    const log = new ExchangeLog(10);
    const first = log.add(exchangeOf(), false);
    const second = log.add(exchangeOf());
    expect(numbersOf(log, 0)).toEqual([second]);
    log.judged(first, { violations: [], notes: [], sides: ['request', 'response'] });
    expect(numbersOf(log, 1)).toEqual([first]);
    expect(log.get(first)?.judgement?.sides).toEqual(['request', 'response']);
    log.judged(99, { violations: [], notes: [], sides: [] });
    expect(numbersOf(log, 2)).toEqual([]);
  });

  test('keeps fewer of large ones, 64 MiB at most', () => {
    const log = new ExchangeLog(1_000);
    for (let count = 0; count < 100; count++) log.add(exchangeOf(2 ** 20));
    const kept = numbersOf(log, 0, 1_000);
    expect(kept.length).toBe(63);
    expect(kept.at(-1)).toBe(100);
    // They are gone, and not forgotten: a page goes on to show their rows.
    expect(log.first).toBe(1);
  });

  test('keeps fewer with many short header fields, which take much more than their characters', () => {
    const log = new ExchangeLog(1_000);
    const fields: Fields = Array.from({ length: 50_000 }, () => ['a', 'b']);
    for (let count = 0; count < 20; count++) log.add(exchangeOf(0, fields));
    expect(numbersOf(log, 0, 1_000).length).toBe(8);
  });

  test('forgets all on demand', () => {
    const log = new ExchangeLog(10);
    for (let count = 0; count < 4; count++) log.add(exchangeOf(2 ** 20));
    log.clear();
    expect([log.total, log.first]).toEqual([4, 5]);
    expect(numbersOf(log, 0)).toEqual([]);
    expect(log.add(exchangeOf())).toBe(5);
    expect(numbersOf(log, 4)).toEqual([5]);
  });
});
