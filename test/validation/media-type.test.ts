import { isJsonMediaType, parseMediaType } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

describe('parseMediaType', () => {
  test.each<[string, string, Record<string, string>]>([
    ['application/json', 'application/json', {}],
    ['Application/JSON', 'application/json', {}],
    ['application/json;charset=utf-8', 'application/json', { charset: 'utf-8' }],
    ['application/json;\tcharset=utf-8 ', 'application/json', { charset: 'utf-8' }],
    ['application/json ; CHARSET="utf-8"', 'application/json', { charset: 'utf-8' }],
    ['application/json; title="a;b,c\\"d"', 'application/json', { title: 'a;b,c"d' }],
    // RFC 9110, section 5.6.6: a parameter between semicolons may be missing.
    ['application/json;', 'application/json', {}],
    ['application/json;;; a=b;', 'application/json', { a: 'b' }],
    ["a!#$%&'*+-.^_`|~9/b", "a!#$%&'*+-.^_`|~9/b", {}],
  ])('reads %j', (value, essence, parameters) => {
    expect(parseMediaType(value)).toStrictEqual({
      essence,
      parameters: new Map(Object.entries(parameters)),
    });
  });

  test.each([
    '',
    ' ',
    '/json',
    'application/json/xml',
    'application /json',
    'application/ json',
    'application/json,',
    'application/json; charset',
    'application/json; charset =utf-8',
    'application/json; charset="utf-8',
    'application/json; charset="utf-8"x',
    'application/json charset=utf-8',
    'application/jsön',
    'application/json\n',
  ])('is undefined for %j', (value) => {
    expect(parseMediaType(value)).toBeUndefined();
  });
});

describe('isJsonMediaType', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=iso-8859-1',
    'application/json; profile="https://example.com/plant"',
  ])('is true for %j', (value) => {
    expect(isJsonMediaType(value)).toBe(true);
  });

  test.each([
    '',
    'text/json',
    'text/plain',
    'application/jsonp',
    'application/problem+json',
    'application/json+xml',
    'text/plain; application/json',
    'text/plain; a="application/json"',
  ])('is false for %j', (value) => {
    expect(isJsonMediaType(value)).toBe(false);
  });
});

// Each would take an expression that can match in two ways a time that grows with the square of the length.
describe('a Content-Type of 200,000 characters takes no time', { timeout: 30_000 }, () => {
  const long = 200_000;
  test.each([
    ['letters', 'a'.repeat(long), undefined],
    ['letters after the slash and a comma', `application/${'a'.repeat(long)},`, undefined],
    ['spaces before', `${' '.repeat(long)}application/json`, 'application/json'],
    ['spaces after and a letter', `application/json${' '.repeat(long)}x`, undefined],
    ['spaces after a semicolon and a comma', `application/json;${' '.repeat(long)},`, undefined],
    ['semicolons with spaces and a comma', `application/json${' ; '.repeat(long / 3)},`, undefined],
    ['parameters and a comma', `application/json${';a=b'.repeat(long / 4)},`, undefined],
    ['a name without a value', `application/json;${'a'.repeat(long)}`, undefined],
    ['an open quotation of escapes', `application/json;a="${'\\"'.repeat(long / 2)}`, undefined],
  ])('%s', (_, value, essence) => {
    expect(parseMediaType(value)?.essence).toBe(essence);
    expect(isJsonMediaType(value)).toBe(essence === 'application/json');
  });
});
