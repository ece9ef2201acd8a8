import { describe, expect, test } from 'vitest';
import type { JudgedExchange, TrafficViolation } from '../../src/proxy/judged.js';
import type { ProxyReport } from '../../src/proxy/report.js';
import { exchangeLines, proxyText, unansweredLine } from '../../src/proxy/report-text.js';

const violation: TrafficViolation = {
  ...{ side: 'response', judge: 'interface', part: 'body', pointer: '/id', keyword: 'additionalProperties' },
  ...{ message: 'got "id"', expected: 'x', actual: 'y' },
};

const report: ProxyReport = {
  ...{ proxyVersion: 1, upstream: 'http://localhost', failOn: 'response', startedAt: '', durationMs: 1_250 },
  ...{ exchanges: 3, judged: 2, unanswered: 0, otherKinds: 0, kinds: [], failures: [], unreadable: [] },
  violations: { request: 0, response: 0 },
  judgedSides: { request: 2, response: 2 },
  conclusion: 'conforms',
};

const kind = (judge: 'interface' | 'prism', pointer: string) => ({
  ...({
    side: 'response',
    judge,
    part: 'body',
    pointer,
    keyword: 'k',
    count: 2,
    message: 'wrong',
    first: 0,
  } as const),
});

describe('a report', () => {
  test('of traffic that is right is two lines', () => {
    expect(proxyText(report)).toBe(
      'conforms: 3 exchanges passed, 2 judged in 1.3 s\n0 violations in responses, 0 violations in requests (not counted).\n',
    );
  });

  test('keeps what Prism says apart, and quiet leaves it out', () => {
    const broken: ProxyReport = {
      ...{ ...report, conclusion: 'violations', failOn: 'both', otherKinds: 5 },
      violations: { request: 1, response: 2 },
      kinds: [kind('interface', '/id'), kind('prism', '')],
    };
    const end =
      '\ndoes not conform: 3 exchanges passed, 2 judged in 1.3 s\n2 violations in responses, 1 violation in requests.\n';
    const ours = '2 × response /id: wrong\n5 × of further kinds\n';
    expect(proxyText(broken)).toBe(`${ours}\nPrism objects to\n  2 × response: wrong\n${end}`);
    expect(proxyText(broken, { quiet: true })).toBe(ours + end);
  });

  test('says how many got no answer and why, and what could not be read', () => {
    const silent: ProxyReport = {
      ...{ ...report, conclusion: 'nothing-judged', unanswered: 3 },
      failures: [{ why: 'no answer: connect ECONNREFUSED', count: 3 }],
      unreadable: [{ why: 'Invalid method', count: 1 }],
      judgedSides: { request: 2, response: 0 },
    };
    expect(proxyText(silent)).toBe(
      'Without an answer\n  3 × no answer: connect ECONNREFUSED\n\nCould not be read as HTTP\n  1 × Invalid method\n\n' +
        'nothing was judged: 3 requests came, 3 got no answer; 0 responses and 2 requests judged in 1.3 s\n' +
        'Of what counts, nothing could be judged: no POST …/plants came through, or it had no answer.\n',
    );
  });
});

describe('the line about a request without an answer', () => {
  test('says why, and names it without its query', () => {
    const request = { method: 'POST', target: '/plants?token=x', headers: [] };
    expect(unansweredLine({ request, why: 'no answer: a\nb' }, false)).toBe(
      '! POST /plants: no answer: a\\nb\n',
    );
    expect(unansweredLine({ why: 'Invalid method' }, false)).toBe(
      '! a request could not be read: Invalid method\n',
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
    ...{ violations: [], notes: [], sides: [] },
    ...further,
  });

  test('are none where all is well', () => {
    expect(exchangeLines(judged(200, {}), false)).toBe('');
  });

  test('name it without its query, and Prism where it alone objects to a side', () => {
    const byPrism = { ...violation, judge: 'prism', pointer: '' } as const;
    const lines = exchangeLines(
      judged(200, { violations: [violation, byPrism, { ...byPrism, side: 'request' }] }),
      false,
    );
    expect(lines).toBe(
      '✗ POST /plants 200 response /id: got "id"\n– POST /plants 200 Prism: request: got "id"\n',
    );
  });

  test('say what could not be judged, and print no control characters', () => {
    const lines = exchangeLines(judged(undefined, { notes: ['a \x1b[31mnote'] }), false);
    expect(lines).toContain('– POST /plants no answer a ');
    expect(lines).not.toContain('\x1b');
  });
});
