import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/output/redaction.js';

const SECRETS: Readonly<Record<string, (at: number) => string>> = {
  'that differ': (at) => `${at.toString(36).padStart(6, 'x')}-token-of-these-tests`,
  'that begin alike': (at) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${String(at).padStart(6, '0')}`,
  'that are short': (at) => `k${at}`,
  'that are all the same': () => 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9',
};

describe('thousands of secrets', { timeout: 30_000 }, () => {
  test.for(Object.entries(SECRETS))('%s are taken out of thousands of texts', ([, secret]) => {
    const COUNT = 5_000;
    const all = Array.from({ length: COUNT }, (_, at) => secret(at));
    const { message } = createRedactor(all.map((value) => ({ value })));
    const texts = all.map((value, at) => message(`%2F ${value}, "${all[COUNT - 1 - at]}"`));
    expect(new Set(texts)).toEqual(new Set(['%2F [redacted], "[redacted]"']));
  });

  test('a secret whose beginning repeats in a long text', () => {
    const long = 'Bearer '.repeat(150_000);
    const { message } = createRedactor([{ value: 'Bearer secret' }]);
    expect(message(`${long}"Bearer secret"`)).toBe(`${long}"[redacted]"`);
  });
});

describe('a secret in a text that quotes a message', () => {
  const secrets = ['first/token', 'second"token\\', 'first/other', 'sea'];
  const { message } = createRedactor(secrets.map((value) => ({ value })));

  test.for<readonly [what: string, text: string, expected: string]>([
    ['none', 'the string "Aloe"', 'the string "Aloe"'],
    ['one', 'got first/token', 'got [redacted]'],
    ['several', 'first/token, first/other', '[redacted], [redacted]'],
    ['as it is', 'second"token\\', '[redacted]'],
    ['in JSON', '"second\\"token\\\\"', '"[redacted]"'],
    ['in a pointer', '/a/first~1token', '/a/[redacted]'],
    ['in a URL', '/a/first%2Ftoken', '/a/[redacted]'],
    ['cut at the end', 'first/to', '[redacted]'],
    ['cut before a quote', '"first/to"', '"[redacted]"'],
    ['cut before a mark', '"first/to"… (70 characters)', '"[redacted]"… (70 characters)'],
    ['cut in JSON', '"second\\"t"… (70 characters)', '"[redacted]"… (70 characters)'],
    ['the same beginning only', 'first/tea', 'first/tea'],
    ['a short one as a word', 'the sea, seas', 'the [redacted], seas'],
  ])('%s', ([, text, expected]) => {
    expect(message(text)).toBe(expected);
  });

  test('in another letter case is shown as the secret with that spelling', () => {
    const { message: show } = createRedactor([
      { value: 'Token-1234', shown: '$A' },
      { value: 'token-1234', shown: '$B' },
    ]);
    expect(show('token-1234 Token-1234 TOKEN-1234')).toBe('$B $A $A');
  });
});
