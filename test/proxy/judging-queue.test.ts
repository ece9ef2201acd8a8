import { expect, test } from 'vitest';
import type { ForwardedExchange } from '../../src/http/exchange.js';
import type { Fields } from '../../src/http/fields.js';
import { JudgingQueue } from '../../src/proxy/judging-queue.js';
import type { Judgement } from '../../src/validation/exchange.js';

const MIB = 2 ** 20;
const NOTHING: Judgement = { violations: [], notes: [], sides: [] };

function exchangeOf(bytes: number, headers: Fields = []): ForwardedExchange {
  const message = {
    headers,
    body: new Uint8Array(bytes),
    bodyLength: bytes,
    trailers: [],
    complete: true,
  };
  return {
    request: { method: 'POST', target: '/plants', ...message },
    response: { status: 200, reason: 'OK', ...message },
    durationMs: 1,
  };
}

/** A queue before a judge that is slow. */
function slowQueue() {
  const batches: { readonly size: number; readonly done: () => void }[] = [];
  const queue = new JudgingQueue(
    {
      judge: ({ length: size }) =>
        new Promise((resolve) => {
          const done = (): void => resolve(Array.from({ length: size }, () => NOTHING));
          batches.push({ size, done });
        }),
      close: async () => {},
    },
    () => {},
  );
  const pass = (bytes: number): void => {
    queue.begin();
    queue.end(exchangeOf(bytes), 0, true);
  };
  return { queue, pass, batches };
}

test('requests wait if too many bytes wait to be judged', async () => {
  const { queue, pass, batches } = slowQueue();
  for (let at = 0; at < 31; at++) pass(MIB);
  expect(queue.room()).toBeUndefined();
  pass(MIB);
  const room = queue.room();
  expect(room).toBeInstanceOf(Promise);
  batches[0]?.done();
  await room;
  expect(queue.room()).toBeUndefined();
});

test('short header fields take much more than their characters', () => {
  const { queue } = slowQueue();
  const fields: Fields = Array.from({ length: 50_000 }, () => ['a', 'b']);
  for (let at = 0; at < 5; at++) queue.end(exchangeOf(0, fields), at, true);
  expect(queue.room()).toBeInstanceOf(Promise);
});

test('large exchanges are judged a few at a time, and small ones many', () => {
  const { pass, batches } = slowQueue();
  for (let at = 0; at < 4; at++) pass(MIB / 8);
  for (let at = 0; at < 100; at++) pass(10);
  expect(batches.map(({ size }) => size)).toEqual([2, 2, 100]);
});

test('a queue that does not wait any longer knows how many are not judged', async () => {
  const { queue, pass, batches } = slowQueue();
  for (let at = 0; at < 130; at++) pass(10);
  expect(queue.unjudged).toBe(130);
  await queue.idle(200);
  batches[0]?.done();
  await queue.idle(1);
  expect(batches.map(({ size }) => size)).toEqual([100, 30]);
  expect(queue.unjudged).toBe(30);
});

test('no request waits for an exchange that is not judged', async () => {
  const { queue, batches } = slowQueue();
  queue.begin();
  queue.end(exchangeOf(99 * MIB), 0, false);
  expect(queue.room()).toBeUndefined();
  await queue.idle(1);
  expect(batches).toEqual([]);
});
