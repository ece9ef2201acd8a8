import { type Failure, startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { failureText, parseFailure } from '../../../src/server/failures/check-failure.js';
import { plant, send, TOKEN } from '../plant-request.js';

test.each<[string, Failure]>([
  ['503', { status: 503 }],
  [' 503 , times=2 , stored ', { status: 503, times: 2, stored: true }],
  ['truncate,every=3', { connection: 'truncate', every: 3 }],
  ['status=429,error=-8', { status: 429, error: -8 }],
  [
    ' {"status":500,"when":{"id":9007199254740993},"headers":{"X-A":"a, b"}}',
    { status: 500, when: { id: 9007199254740993n }, headers: { 'X-A': 'a, b' } },
  ],
])('%s is read', (text, failure) => {
  expect(parseFailure(text)).toStrictEqual(failure);
  // What the log shows is read again.
  expect(parseFailure(failureText(failure))).toStrictEqual(failure);
});

test('a failure from text applies', async () => {
  const set = parseFailure(
    '{"status":429,"times":1,"headers":{"Retry-After":"5"},"when":{"headers":{"X-Test":"a, b"},"id":7}}',
  );
  await using store = await startPlantStore({ token: TOKEN, failures: [set] });
  expect((await send(store.url, { body: plant(8), headers: { 'x-test': 'a, b' } })).status).toBe(200);
  const response = await send(store.url, { headers: { 'x-test': 'a, b' } });
  expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '5' } });
});
