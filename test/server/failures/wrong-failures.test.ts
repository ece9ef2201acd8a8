import { createPlantStore, type Failure, startPlantStore, ToolkitError } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { parseFailure } from '../../../src/server/failures/check-failure.js';
import { TOKEN } from '../plant-request.js';

const WRONG: readonly [failure: unknown, says: string][] = [
  [null, 'a failure must be an object such as { "status": 503 }'],
  [{ stored: true }, 'a failure needs a "status"'],
  [{ status: 200 }, 'the failure field "status" must be an integer from 400 to 599; got 200'],
  [
    { status: 503, state: 1 },
    'unknown failure field "state"; expected one of: status, error, message, body,',
  ],
  [JSON.parse('{"status":503,"__proto__":1}'), 'unknown failure field "__proto__"'],
  [{ status: 503, error: 2 ** 31 }, '"error" must be an int32'],
  [{ status: 503, body: {} }, '"body" must be a string'],
  [{ status: 503, headers: 'a' }, '"headers" must be an object'],
  [{ status: 503, headers: { 'x a': '1' } }, 'the header "x a" or its value cannot be sent as it is'],
  [{ status: 503, headers: { a: 'b\r\nc: d' } }, 'the header "a" or its value cannot be sent'],
  [{ status: 503, headers: { 'Content-Length': '1' } }, 'a failure cannot set the header "Content-Length"'],
  [{ delayMs: -1 }, '"delayMs" must be an integer from 0 to 2147483647; got -1'],
  [{ connection: 'drop' }, '"connection" must be "hang" or "reset" or'],
  [{ status: 503, stored: 1 }, '"stored" must be true or false'],
  [{ status: 503, times: 0 }, '"times" must be an integer from 1'],
  [{ status: 503, when: { tag: 'a' } }, 'unknown "when" field "tag"; expected one of: name, id, headers'],
  [{ status: 503, when: { id: 2 ** 53 } }, 'the "when" field "id" must be an int64'],
  [{ status: 503, when: { id: '7.0' } }, 'must be an int64: an integer, a bigint, or its digits as a string'],
  [{ delayMs: 1, body: 'a' }, 'a failure with "body" needs a "status"'],
  [{ status: 503, connection: 'reset' }, 'a failure with the connection "reset" sends no status'],
  [{ status: 503, connection: 'hang' }, 'a failure with the connection "hang" sends no status'],
  [{ status: 503, body: 'a', message: 'b' }, 'a failure has either a "body", or an "error" and a "message"'],
  [{ status: 503, body: 'a', error: 1 }, 'a failure has either a "body", or an "error" and a "message"'],
  [{ status: 503, body: '', connection: 'truncate' }, 'cannot be incomplete'],
];

test.each(WRONG)('%o is rejected in every way, with a sentence', async (failure, says) => {
  const store = createPlantStore({ token: TOKEN });
  const ways = [
    () => store.next(failure as Failure),
    () => store.next(2, failure as Failure),
    () => store.always(failure as Failure),
    () => createPlantStore({ failures: [failure as Failure] }),
  ];
  for (const way of ways) {
    expect(way).toThrow(ToolkitError);
    expect(way).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(says) }),
    );
  }
  await expect(startPlantStore({ failures: [failure as Failure] })).rejects.toThrow(ToolkitError);
  expect(store.unused()).toEqual([]);
});

test.each([0, -1, 1.5, Number.NaN, '3'])('next(%j, failure) is rejected', (times) => {
  const store = createPlantStore();
  expect(() => store.next(times as number, { status: 503 })).toThrow('"times" must be an integer from 1 to');
});

test('times belongs to next', () => {
  const store = createPlantStore();
  const failure = { status: 503, times: 2 };
  const says = 'write how often a failure applies as next(times, failure); always(failure) has no "times"';
  for (const set of [store.always, store.next] as ((failure: object) => void)[])
    expect(() => set(failure)).toThrow(says);
});

test('at most 1,000 failures can be set', () => {
  const store = createPlantStore();
  for (let i = 0; i < 500; i++) {
    store.next({ status: 503 });
    store.always({ status: 503 });
  }
  expect(() => store.next({ status: 503 })).toThrow('at most 1000 failures can be set at a time');
});

describe('text that is no failure', () => {
  test.each([
    ['', '"" is no failure'],
    [
      'drop',
      '"drop" is no failure; expected a status, hang, reset, truncate, stored, a number such as times=2,',
    ],
    ['503,503', 'a failure has "status" twice'],
    ['503,times=many', '"times=many" is no failure'],
    ['503,__proto__=1', 'unknown failure field "__proto__"'],
    ['{"status":503', 'the failure is not JSON: '],
  ])('%s', (text, says) => {
    expect(() => parseFailure(text)).toThrow(
      expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(says) }),
    );
  });
});
