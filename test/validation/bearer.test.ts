import { parseBearer } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

const EMPTY = 'the Authorization header is empty';
const OTHER = 'the scheme of the Authorization header is not Bearer';
const NO_TOKEN = 'the Authorization header has no token';
const NO_GRAMMAR = 'the token after Bearer has characters that RFC 6750 does not allow';

describe('parseBearer', () => {
  test.each([
    ['Bearer abc', 'abc'],
    ['Bearer AZaz09-._~+/', 'AZaz09-._~+/'],
    ['Bearer YWxvZQ==', 'YWxvZQ=='],
    // Laravel Sanctum and JetBrains Hub.
    ['Bearer 12|abcDEF', '12|abcDEF'],
    ['Bearer perm:abc.DEF==', 'perm:abc.DEF=='],
    // RFC 6750, section 2.1: one space or more; RFC 9110, section 11.1: the scheme in any case.
    ['Bearer    abc', 'abc'],
    ['bearer abc', 'abc'],
    ['Bearer Bearer', 'Bearer'],
  ])('reads the token of %j', (value, token) => {
    expect(parseBearer(value)).toStrictEqual({ ok: true, token });
  });

  test.each([
    ['', EMPTY],
    ['Basic YWxvZTo3', OTHER],
    ['Bearerabc', OTHER],
    ['Bearer, abc', OTHER],
    ['Bearer\tabc', OTHER],
    [' Bearer abc', OTHER],
    ['Bearer', NO_TOKEN],
    ['bearer    ', NO_TOKEN],
    ['Bearer a b', NO_GRAMMAR],
    ['Bearer abc ', NO_GRAMMAR],
    ['Bearer abc\n', NO_GRAMMAR],
    ['Bearer \tabc', NO_GRAMMAR],
    ['Bearer abc, Bearer abc', NO_GRAMMAR],
    ['Bearer "abc"', NO_GRAMMAR],
    ['Bearer =', NO_GRAMMAR],
    ['Bearer a=b', NO_GRAMMAR],
    ['Bearer abc\u00a0', NO_GRAMMAR],
    ['Bearer abc\0', NO_GRAMMAR],
  ])('finds no token in %j', (value, reason) => {
    expect(parseBearer(value)).toStrictEqual({ ok: false, reason });
  });

  const long = 200_000;

  test.each([
    ['letters and a comma', `Bearer ${'a'.repeat(long)},`, false],
    ['equals signs and a letter', `Bearer a${'='.repeat(long)}a`, false],
    ['letters and equals signs in turn', `Bearer ${'a='.repeat(long / 2)}a`, false],
    ['spaces and a comma', `Bearer${' '.repeat(long)},`, false],
    ['spaces after a token', `Bearer abc${' '.repeat(long)}`, false],
    ['the scheme again and again', 'Bearer '.repeat(long / 7), false],
  ])('200,000 characters take no time: %s', { timeout: 30_000 }, (_, value, ok) => {
    expect(parseBearer(value).ok).toBe(ok);
  });
});
