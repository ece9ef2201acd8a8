import fc from 'fast-check';
import { type Failure, startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { checkFailure, failureText, parseFailure } from '../../../src/server/failures/check-failure.js';
import { connectionFailures } from '../../../src/server/failures/failure.js';
import { plant, send, TOKEN } from '../plant-request.js';

test.each<[string, Failure]>([
  ['503', { status: 503 }],
  ['reset', { connection: 'reset' }],
  ['503,times=2', { status: 503, times: 2 }],
  [' 503 , times=2 , stored ', { status: 503, times: 2, stored: true }],
  ['truncate,stored=true', { connection: 'truncate', stored: true }],
  ['truncate,stored=false,every=3', { connection: 'truncate', stored: false, every: 3 }],
  ['status=429,retryAfter=5', { status: 429, retryAfter: 5 }],
  ['429,retryAfter=false', { status: 429, retryAfter: false }],
  [
    '429,retryAfter="Fri, 31 Dec 1999 23:59:59 GMT"',
    { status: 429, retryAfter: 'Fri, 31 Dec 1999 23:59:59 GMT' },
  ],
  ['500,body=', { status: 500, body: '' }],
  ['500,body=""', { status: 500, body: '' }],
  [
    '502,body="<p class=\\"a\\">\\\\",contentType=text/html',
    { status: 502, body: '<p class="a">\\', contentType: 'text/html' },
  ],
  ['500,error=-8,message=not now', { status: 500, error: -8, message: 'not now' }],
  ['delayMs=2000,when.name=Aloe vera', { delayMs: 2000, when: { name: 'Aloe vera' } }],
  ['hang,when.name="a,b"', { connection: 'hang', when: { name: 'a,b' } }],
  ['500,when.name=503', { status: 500, when: { name: '503' } }],
  ['500,when.id=9007199254740993', { status: 500, when: { id: '9007199254740993' } }],
  ['500,headers.X-A.b=c=d', { status: 500, headers: { 'X-A.b': 'c=d' } }],
  ['500,when.headers.X-A.b=1,when.id=7', { status: 500, when: { headers: { 'X-A.b': '1' }, id: '7' } }],
  [' {"status":500,"when":{"id":9007199254740993}}', { status: 500, when: { id: 9007199254740993n } }],
])('%s is read', (text, failure) => {
  expect(parseFailure(text)).toStrictEqual(failure);
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const field = fc.stringMatching(/^[\x20-\x7e]{0,12}$/);
const headers = fc.dictionary(fc.stringMatching(/^x-[a-z.]{1,5}$/), field, { minKeys: 1, maxKeys: 3 });
const id = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const often = {
  stored: fc.boolean(),
  times: fc.integer({ min: 1, max: 1e9 }),
  every: fc.integer({ min: 1, max: 1e9 }),
  delayMs: fc.nat(),
};
const when = fc.record({ name: text, id, headers }, { requiredKeys: ['name'] });
const failures = fc.oneof(
  fc.record(
    {
      ...{ status: fc.integer({ min: 400, max: 599 }), error: fc.integer(), message: text, headers },
      ...{ retryAfter: fc.oneof(fc.nat(), fc.constant(false)), when, ...often },
    },
    { requiredKeys: ['status'] },
  ),
  fc.record(
    { connection: fc.constantFrom(...connectionFailures), when, ...often },
    { requiredKeys: ['connection'] },
  ),
  fc.record(
    {
      status: fc.constant(502),
      body: fc.string({ minLength: 1 }),
      contentType: fc.constant('text/html'),
      ...often,
    },
    { requiredKeys: ['status', 'body'] },
  ),
);

test.each<[Failure, string]>([
  [{ status: 500, message: 'gone', when: { name: 'Aloe' } }, '500,message=gone,when.name=Aloe'],
  [{ connection: 'hang', when: { name: 'a,b "c"' } }, 'hang,when.name="a,b \\"c\\""'],
])('%o is written with quotes only where they are needed', (failure, written) => {
  expect(failureText(failure)).toBe(written);
});

test('every failure can be written as text and read again', () => {
  fc.assert(
    fc.property(failures, (drawn) => {
      const failure = checkFailure(drawn);
      expect(parseFailure(failureText(failure))).toEqual(failure);
      expect(parseFailure(JSON.stringify(failure))).toEqual(failure);
    }),
    { numRuns: 500 },
  );
});

test('a failure from text applies', async () => {
  const set = parseFailure(
    '429,times=1,retryAfter=5,when.headers.X-Test="a, b",headers.X-Limit=10,when.id=7',
  );
  await using store = await startPlantStore({ token: TOKEN, failures: [set] });
  expect((await send(store.url, { body: plant(8), headers: { 'x-test': 'a, b' } })).status).toBe(200);
  const response = await send(store.url, { headers: { 'x-test': 'a, b' } });
  expect(response).toMatchObject({ status: 429, headers: { 'retry-after': '5', 'x-limit': '10' } });
});
