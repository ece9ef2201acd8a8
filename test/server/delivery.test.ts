import { expect, test } from 'vitest';
import { deliveryOf, type OutgoingResponse } from '../../src/server/exchange.js';

const BODY = '{"name":"Ä"}';

function planned(response: Partial<OutgoingResponse>, method = 'POST'): object {
  const plan = deliveryOf({ status: 200, headers: ['a', 'b'], body: BODY, ...response }, method);
  expect(plan).toMatchObject({ status: response.status ?? 200, headers: ['a', 'b'] });
  const { contentLength, end } = plan;
  return { body: Buffer.from(plan.body).toString(), contentLength, end };
}

const WHOLE = { body: BODY, contentLength: 13, end: 'complete' };

test.each<[Partial<OutgoingResponse>, object]>([
  [{}, {}],
  [{ delivery: 'whole' }, {}],
  [{ body: Buffer.from(BODY) }, {}],
  [{ delivery: 'short-length' }, { contentLength: 12 }],
  [{ delivery: 'truncate' }, { body: '{"name', end: 'close' }],
  [{ delivery: 'reset' }, { end: 'reset' }],
  [{ delivery: 'hang' }, { end: 'never' }],
  [{ status: 204 }, { body: '', contentLength: undefined }],
])('%j is sent as %j', (response, differs) => {
  expect(planned(response)).toEqual({ ...WHOLE, ...differs });
});

test('a response to HEAD has no body, and announces its length', () => {
  expect(planned({}, 'HEAD')).toEqual({ ...WHOLE, body: '' });
});
