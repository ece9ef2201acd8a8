import { describe, expect, test } from 'vitest';
import { exchangeLines, failedLine } from '../../src/cli/request-log.js';
import { Redactor } from '../../src/report/redaction.js';
import type { JudgedExchange, TrafficViolation } from '../../src/validation/exchange.js';

const none = new Redactor();
const violation: TrafficViolation = {
  severity: 'error',
  side: 'response',
  judge: 'interface',
  part: 'body',
  pointer: '/id',
  keyword: 'additionalProperties',
  message: 'got "id"',
  expected: 'x',
  actual: 'y',
};

describe('the line about a request without a response', () => {
  test('says why, and names it without its query', () => {
    const request = { method: 'POST', target: '/plants?token=x', headers: [] };
    expect(failedLine({ request, reason: 'no response: a\nb' }, none, false)).toBe(
      '! POST /plants: no response: a\\nb\n',
    );
    expect(failedLine({ reason: 'Invalid method' }, none, false)).toBe(
      '! rejected request: Invalid method\n',
    );
  });
});

describe('the lines about an exchange', () => {
  const body = { headers: [], body: new Uint8Array(), bodyLength: 0, trailers: [], complete: true };
  const judged = (status: number | undefined, further: Partial<JudgedExchange>): JudgedExchange => ({
    exchange: {
      request: { method: 'POST', target: '/plants?token=x', ...body },
      ...(status !== undefined && { response: { status, reason: '', ...body } }),
      durationMs: 1,
    },
    violations: [],
    notes: [],
    sides: [],
    ...further,
  });

  test('do not exist if it conforms', () => {
    expect(exchangeLines(judged(200, {}), none, false)).toBe('');
  });

  test('name it without its query, and Prism if it alone objects to a side', () => {
    const byPrism = { ...violation, judge: 'prism', pointer: '' } as const;
    const violations = [violation, byPrism, { ...byPrism, side: 'request' } as const];
    expect(exchangeLines(judged(200, { violations }), none, false)).toBe(
      '✗ POST /plants 200 response /id: got "id"\n– POST /plants 200 Prism: request: got "id"\n',
    );
  });

  test('show no token of another request', () => {
    const secrets = new Redactor();
    secrets.see([['Authorization', 'Bearer the-token-of-another']]);
    const target = '/the-token-of-another/plants';
    const one = judged(200, { violations: [violation] });
    const lines = exchangeLines(
      { ...one, exchange: { ...one.exchange, request: { ...one.exchange.request, target } } },
      secrets,
      false,
    );
    expect(lines).toBe('✗ POST /[redacted]/plants 200 response /id: got "id"\n');
    const failed = { request: { method: 'POST', target, headers: [] }, reason: 'no response' };
    expect(failedLine(failed, secrets, false)).toBe('! POST /[redacted]/plants: no response\n');
  });

  test('say what could not be judged, without control characters', () => {
    const lines = exchangeLines(judged(undefined, { notes: ['a \x1b[31mnote'] }), none, false);
    expect(lines).toContain('– POST /plants no response a ');
    expect(lines).not.toContain('\x1b');
  });
});
