import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../../src/report/redaction.js';
import { finderOf, spellingsOf } from './spellings.js';

const TOKENS = ['Tk/9+aZ_b-4q7Xw==', 'a-plain-long-token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.s5-_x'];

describe.each(TOKENS)('the token %s is taken out', (token) => {
  const spellings = spellingsOf(token);
  const { message, data } = createRedactor([{ value: token, shown: '$TOKEN' }]);

  test.each(['message', 'data'] as const)('of a %s in every spelling', (kind) => {
    const redact: (text: string) => string = { message, data }[kind];
    expect(spellings.length).toBeGreaterThan(300);
    const shown = spellings.filter(({ text }) => {
      const redacted = redact(`{"message": "unknown token ${text}", "next": 1}`);
      return !redacted.includes('$TOKEN') || finderOf([{ name: '', text }])(redacted).length > 0;
    });
    expect(shown).toEqual([]);
  });
});

describe('a token of one letter', () => {
  const { message, fields, data } = createRedactor([{ value: 'a', shown: '$TOKEN' }]);

  test.each([
    ['after its scheme', 'Bearer a', 'Bearer $TOKEN'],
    ['in a query', '/plants?access_token=a&b=a', '/plants?access_token=$TOKEN&b=a'],
    ['in JSON', '{"token": "a", "name": "a"}', '{"token": "$TOKEN", "name": "a"}'],
    ['in a sentence', 'a string, got a 500 with "a"', 'a string, got a 500 with "a"'],
  ])('is taken out where credentials are: %s', (_where, text, expected) => {
    expect(message(text)).toBe(expected);
  });

  test('is taken out of the fields that hold credentials', () => {
    const headers = [
      ['Authorization', 'a'],
      ['X-Api-Key', 'a'],
      ['Content-Language', 'a'],
    ] as const;
    expect(fields(headers).map(([, value]) => value)).toEqual(['$TOKEN', '$TOKEN', 'a']);
  });

  test('leaves the texts of this package as they are', () => {
    expect(data({ title: 'A plant is a plant.' })).toEqual({ title: 'A plant is a plant.' });
  });
});
