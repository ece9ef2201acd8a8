import { describe, expect, test } from 'vitest';
import { messagesJson } from '../../src/messages/reporting/messages-json.js';
import { redactorOf } from '../../src/messages/secrets.js';
import { entry, har, judge, raw, rawResponse } from './stored.js';

function authorized(token: string, answer: string) {
  const headers = [{ name: 'authorization', value: `Bearer ${token}` }];
  return entry({ request: { headers }, response: { content: { text: answer } } });
}

describe('what takes secrets out of a text', () => {
  const redact = redactorOf(['Bearer first/token', 'first/token', 'second"token\\', 'sea', 'first/other']);

  test.for<readonly [what: string, text: string, expected: string]>([
    ['nothing', 'the string "Aloe"', 'the string "Aloe"'],
    ['one', 'got first/token', 'got $PLANT_STORE_TOKEN'],
    ['the longest', 'Bearer first/token', '$PLANT_STORE_TOKEN'],
    ['several', 'first/token, first/other', '$PLANT_STORE_TOKEN, $PLANT_STORE_TOKEN'],
    ['as it is', 'second"token\\', '$PLANT_STORE_TOKEN'],
    ['in JSON', '"second\\"token\\\\"', '"$PLANT_STORE_TOKEN"'],
    ['in a pointer', '/a/first~1token', '/a/$PLANT_STORE_TOKEN'],
    ['in a URL', '/a/first%2Ftoken', '/a/$PLANT_STORE_TOKEN'],
    ['cut off at the end', 'first/to', '$PLANT_STORE_TOKEN'],
    ['cut off before a quote', '"first/to"', '"$PLANT_STORE_TOKEN"'],
    ['cut off before a mark', '"first/to"… (70 characters)', '"$PLANT_STORE_TOKEN"… (70 characters)'],
    ['cut off in JSON', '"second\\"t"… (70 characters)', '"$PLANT_STORE_TOKEN"… (70 characters)'],
    ['what only begins alike', 'first/tea', 'first/tea'],
    ['words', 'the sea', 'the sea'],
  ])('%s', ([, text, expected]) => {
    expect(redact(text)).toBe(expected);
  });
});

test('a token that JSON escapes stands in no report', () => {
  const token = 'se"cr\\et-tok9';
  const answer = JSON.stringify({ name: 7, [token]: token, tag: [token], message: `the token ${token}` });
  const report = messagesJson(judge(har([authorized(token, answer)])));
  expect(report).toContain('$PLANT_STORE_TOKEN');
  expect(report).not.toMatch(/cr\\+et|tok9/);
});

test('a token in UTF-8 stands in no report', () => {
  const request = raw(['POST /plants HTTP/1.1'], '');
  const bytes = Buffer.concat([
    request.subarray(0, -2),
    Buffer.from('Authorization: Bearer gänseblümchen\r\n\r\n'),
    rawResponse('{"name":"Aloe","gänseblümchen":1}'),
  ]);
  const { messages } = judge(bytes);
  expect(messages[0]?.violations).toMatchObject([{ pointer: '/$PLANT_STORE_TOKEN' }]);
  expect(JSON.stringify(messages)).not.toContain('blümchen');
});

test.for<readonly [what: string, token: (at: number) => string]>([
  ['distinct tokens', (at) => `${at.toString(36).padStart(6, 'x')}-token-of-these-tests`],
  ['tokens that begin alike', (at) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${String(at).padStart(6, '0')}`],
])('thousands of %s are taken out of thousands of messages, each out of all', ([, token]) => {
  const COUNT = 2000;
  const entries = Array.from({ length: COUNT }, (_, at) =>
    authorized(token(at), JSON.stringify({ name: 7, [token(at)]: 1, [token(COUNT - 1 - at)]: 2 })),
  );
  const bytes = har(entries);
  const started = performance.now();
  const report = messagesJson(judge(bytes));
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(report.match(/"\/\$PLANT_STORE_TOKEN"/g)?.length).toBe(2 * COUNT);
  expect(report).not.toMatch(/these-tests|\.\d{6}/);
});

test('a secret that begins again and again in a long text takes no longer', () => {
  const started = performance.now();
  const long = 'Bearer '.repeat(150_000);
  expect(redactorOf(['Bearer secret'])(`${long}"Bearer secret"`)).toBe(`${long}"$PLANT_STORE_TOKEN"`);
  expect(performance.now() - started).toBeLessThan(5000);
});
