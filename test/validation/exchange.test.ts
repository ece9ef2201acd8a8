import { validateRequest, validateResponse } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';
import type { ForwardedRequest, ForwardedResponse } from '../../src/http/exchange.js';
import { judgeExchange, redactedJudgement, violationInWords } from '../../src/validation/exchange.js';
import { placeOf } from '../../src/validation/violation.js';

const JSON_TYPE = ['Content-Type', 'application/json'] as const;
const WRONG_LENGTH =
  'the response must have a body of the length that its Content-Length or its chunks say; it is incomplete after 3 bytes';

function requestWith(text: string, other: Partial<ForwardedRequest> = {}): ForwardedRequest {
  const body = Buffer.from(text);
  const headers = [['Authorization', 'Bearer abc'] as const, JSON_TYPE];
  return {
    method: 'POST',
    target: '/plants',
    headers,
    body,
    bodyLength: body.length,
    complete: true,
    ...other,
  };
}

function responseWith(text: string, other: Partial<ForwardedResponse> = {}): ForwardedResponse {
  const body = Buffer.from(text);
  return {
    status: 200,
    reason: '',
    headers: [JSON_TYPE],
    body,
    bodyLength: body.length,
    complete: true,
    ...other,
  };
}

const VALID = requestWith('{"name":"Aloe","id":7}');
const LARGE = 2 ** 20;

describe('an incomplete response', () => {
  const incomplete = (other: Partial<ForwardedResponse> = {}) =>
    responseWith('{"n', { complete: false, ...other });
  const large = (bodyLength: number) => requestWith('{', { bodyLength });

  test.each([
    ['to a whole request', VALID, incomplete()],
    ['with a 4xx to a small request', VALID, incomplete({ status: 413 })],
    ['with a 4xx to a body of the limit', large(LARGE), incomplete({ status: 400 })],
    ['with a 200 to a large request', large(LARGE + 1), incomplete()],
    ['to an unknown request', undefined, incomplete({ status: 413 })],
  ])('%s is a violation', (_, request, response) => {
    const { violations, sides } = judgeExchange({ response, ...(request && { request }) });
    expect(violations).toContainEqual(
      expect.objectContaining({ side: 'response', keyword: 'framing', message: WRONG_LENGTH }),
    );
    expect(sides).toContain('response');
  });

  test.each([
    ['with a 400 to a request that is too large', large(LARGE + 1), incomplete({ status: 400 })],
    ['to an incomplete request', requestWith('{', { complete: false }), incomplete()],
  ])('%s is not judged', (_, request, response) => {
    const { violations, notes, sides } = judgeExchange({ request, response });
    expect([violations, sides]).toEqual([[], []]);
    expect(notes).toContain('the response was not judged: it is incomplete after 3 bytes of its body');
  });
});

test('a valid plant that gets no response is a violation of the response, and a wrong one is not', () => {
  const { violations } = judgeExchange({ request: VALID, isUnanswered: true });
  expect(violations).toEqual([
    {
      side: 'response',
      severity: 'error',
      part: 'status',
      pointer: '',
      keyword: 'response',
      message: 'a valid plant never gets a reset or no response; got no response',
      expected: '200, or a 4xx',
      actual: 'no response',
    },
  ]);
  const failure = 'no response: ECONNRESET';
  expect(judgeExchange({ request: VALID, isUnanswered: true, failure }).violations[0]?.actual).toBe(failure);
  const wrong = judgeExchange({ request: requestWith('{"id":7}'), isUnanswered: true });
  expect(wrong.violations.map(({ side }) => side)).toEqual(['request']);
});

test('a violation in words has its side and its place, and its texts are redacted', () => {
  const judged = judgeExchange({ response: responseWith('{"name":"Aloe","abc":1}') });
  expect(judged.violations.map(violationInWords)).toEqual([
    'response /abc: a Plant has no field "abc"; got 1',
  ]);
  const status = judgeExchange({ response: responseWith('', { status: 302 }) }).violations;
  expect(status.map(violationInWords)).toEqual([
    'response: the status 302 is not documented; expected 200, 400 or another 4xx',
  ]);
  const redacted = redactedJudgement(judged, (text) => text.replaceAll('abc', '***'));
  expect(redacted.violations.map(violationInWords)).toEqual([
    'response /***: a Plant has no field "***"; got 1',
  ]);
});

test('a body may be any view of bytes', () => {
  const headers = { authorization: 'Bearer abc', 'content-type': 'application/json' };
  const { buffer } = Uint8Array.from(Buffer.from('{"id":7}'));
  for (const body of [buffer, new DataView(buffer), new Uint8Array(buffer)])
    expect(validateRequest({ headers, body }).map(({ pointer }) => pointer)).toEqual(['/name']);
});

test('the place of a violation is its part and a JSON pointer, but for a status', () => {
  const headers = { 'content-type': 'application/json' };
  const [field] = validateResponse({ status: 200, headers, body: '{"name":"Aloe","a/b~c":1}' });
  expect(field && placeOf(field)).toBe('body /a~1b~0c');
  expect(placeOf({ part: 'body', pointer: '' })).toBe('body');
  expect(placeOf({ part: 'status', pointer: '/id' })).toBe('status');
});
