import { expect, test } from 'vitest';
import { type Delivery, deliveryOf, type OutgoingResponse } from '../../src/server/exchange.js';

const BODY = '{"name":"Ä"}';

function planned(response: Partial<OutgoingResponse>, method = 'POST'): Partial<Delivery> {
  const plan = deliveryOf({ status: 200, headers: ['a', 'b'], body: BODY, ...response }, method);
  expect(plan).toMatchObject({ status: response.status ?? 200, headers: ['a', 'b'] });
  const { head, contentLength, end } = plan;
  return { head, body: Buffer.from(plan.body as string).toString(), contentLength, end };
}

const WHOLE = { head: 'whole', body: BODY, contentLength: 13, end: 'complete' };

test.each<[Partial<OutgoingResponse>, Partial<Delivery>]>([
  [{}, {}],
  [{ delivery: 'whole' }, {}],
  [{ body: Buffer.from(BODY) }, {}],
  [{ delivery: 'short-length' }, { contentLength: 12 }],
  [{ delivery: 'truncate' }, { body: '{"name', end: 'close' }],
  [{ delivery: 'reset-after-head' }, { body: '', end: 'reset' }],
  [{ delivery: 'reset-in-head' }, { head: 'part', body: '', end: 'reset' }],
  [{ delivery: 'reset' }, { head: 'none', body: '', end: 'reset' }],
  [{ delivery: 'hang' }, { head: 'none', body: '', end: 'never' }],
  [{ status: 204 }, { body: '', contentLength: undefined }],
])('%j is sent as %j', (response, differs) => {
  expect(planned(response)).toEqual({ ...WHOLE, ...differs });
});

test('a response to HEAD has no body, and announces its length', () => {
  expect(planned({}, 'HEAD')).toEqual({ ...WHOLE, body: '' });
});

test('delays and slow bodies are part of the plan', () => {
  const response = { status: 200, headers: [], body: BODY };
  expect(deliveryOf(response, 'POST')).toMatchObject({ delayMs: 0, pace: undefined });
  expect(deliveryOf({ ...response, delayMs: 5, bytesPerSecond: 20 }, 'POST')).toMatchObject({
    delayMs: 5,
    pace: { size: 1, everyMs: 50 },
  });
});
