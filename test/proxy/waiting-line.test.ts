import { expect, test } from 'vitest';
import type { Judgement } from '../../src/proxy/judged.js';
import type { ForwardedExchange } from '../../src/proxy/message.js';
import { WaitingLine } from '../../src/proxy/waiting-line.js';

const MIB = 2 ** 20;
const NOTHING: Judgement = { violations: [], notes: [], sides: [] };

function exchangeOf(bytes: number): ForwardedExchange {
  const message = {
    headers: [],
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

/** A line before a judge that takes its time. */
function slowLine() {
  const batches: { readonly size: number; readonly done: () => void }[] = [];
  const line = new WaitingLine(
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
    line.begin();
    line.end(exchangeOf(bytes), 0, true);
  };
  return { line, pass, batches };
}

test('so many bytes may wait to be judged, and requests wait until there is room', async () => {
  const { line, pass, batches } = slowLine();
  for (let at = 0; at < 31; at++) pass(MIB);
  expect(line.room()).toBeUndefined();
  pass(MIB);
  const room = line.room();
  expect(room).toBeInstanceOf(Promise);
  batches[0]?.done();
  await room;
  expect(line.room()).toBeUndefined();
});

test('large exchanges are judged a few at a time, and small ones many', () => {
  const { pass, batches } = slowLine();
  for (let at = 0; at < 4; at++) pass(MIB);
  for (let at = 0; at < 100; at++) pass(10);
  expect(batches.map(({ size }) => size)).toEqual([2, 2, 100]);
});

test('nobody waits for an exchange that is not judged', async () => {
  const { line, batches } = slowLine();
  line.begin();
  line.end(exchangeOf(99 * MIB), 0, false);
  expect(line.room()).toBeUndefined();
  await line.quiet(1);
  expect(batches).toEqual([]);
});
