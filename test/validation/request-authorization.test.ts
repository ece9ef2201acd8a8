import { type HeaderFields, type Violation, validateRequest } from 'plant-store-contract/validation';
import { describe, expect, test } from 'vitest';

const JSON_TYPE = { 'content-type': 'application/json' };
const HEADERS = { authorization: 'Bearer s3cret-token', ...JSON_TYPE };
const BODY = '{"name":"Aloe","id":7}';

const keywords = (violations: Violation[]) => violations.map(({ keyword }) => keyword);

function bearer(message: string, actual: string): Violation {
  const expected = 'Authorization: Bearer <ACCESS_TOKEN>';
  return {
    severity: 'error',
    part: 'header',
    pointer: '/authorization',
    keyword: 'bearer',
    message,
    expected,
    actual,
  };
}

describe('Authorization', () => {
  const MISSING = bearer('the Authorization header is missing', 'nothing');
  const twice = (actual: string) => bearer('there is more than one Authorization header', actual);
  const hidden = (message: string) => bearer(message, 'a redacted value');
  const NO_GRAMMAR = hidden('the token after Bearer has characters that RFC 6750 does not allow');
  const OTHER = hidden('the scheme of the Authorization header is not Bearer');

  test.each<[string, HeaderFields, Violation]>([
    ['none in a record', JSON_TYPE, MISSING],
    ['undefined', { ...JSON_TYPE, authorization: undefined }, MISSING],
    ['an empty list', { ...JSON_TYPE, authorization: [] }, MISSING],
    ['a look-alike name', { ...JSON_TYPE, 'x-authorization': 'Bearer s3cret-token' }, MISSING],
    ['empty', { ...JSON_TYPE, authorization: '' }, hidden('the Authorization header is empty')],
    ['two in a list', { ...JSON_TYPE, authorization: ['Bearer a', 'Bearer b'] }, twice('2 headers')],
    ['two spellings', { ...HEADERS, Authorization: 'Bearer s3cret-token' }, twice('2 headers')],
    [
      'three pairs',
      [...Object.entries(HEADERS), ['Authorization', 'Bearer s3cret-token'], ['AUTHORIZATION', 'Bearer b']],
      twice('3 headers'),
    ],
    [
      'two joined by Headers',
      new Headers([...Object.entries(HEADERS), ['authorization', 'Bearer s3cret-token']]),
      NO_GRAMMAR,
    ],
    ['Basic', { ...JSON_TYPE, authorization: 'Basic czNjcmV0LXRva2Vu' }, OTHER],
    [
      'no token',
      { ...JSON_TYPE, authorization: 'Bearer  ' },
      hidden('the Authorization header has no token'),
    ],
    ['a quoted token', { ...JSON_TYPE, authorization: 'Bearer "s3cret-token"' }, NO_GRAMMAR],
    // White space around a field value is SP and HTAB, RFC 9110, section 5.5: this is part of the value.
    [
      'a no-break space after the token',
      { ...JSON_TYPE, authorization: 'Bearer s3cret-token\u00a0' },
      NO_GRAMMAR,
    ],
  ])('%s', (_, headers, violation) => {
    const violations = validateRequest({ headers, body: BODY });
    expect(violations).toStrictEqual([violation]);
    expect(JSON.stringify(violations)).not.toContain('s3cret');
  });

  test('no violation contains the token, whatever else is wrong', () => {
    const violations = validateRequest({
      method: 'GET',
      url: 'https://user:s3cret-token@example.com/flowers?access_token=s3cret-token#s3cret-token',
      headers: {
        authorization: ['Bearer s3cret-token', 'Basic s3cret-token'],
        'content-type': 'text/plain',
        'x-token': 's3cret-token',
      },
      body: '{"name":7,"token":"s3cret-token"}',
    });
    expect(keywords(violations)).toStrictEqual([
      'method',
      'path',
      'bearer',
      'media-type',
      'type',
      'required',
    ]);
    expect(JSON.stringify(violations)).not.toContain('s3cret');
  });

  test('200,000 spaces take no time', { timeout: 30_000 }, () => {
    const spaces = ' '.repeat(200_000);
    const judged = (authorization: string) =>
      keywords(validateRequest({ headers: { ...JSON_TYPE, authorization }, body: BODY }));
    expect(judged(`${spaces}Bearer${spaces}abc${spaces}`)).toStrictEqual([]);
    expect(judged(`Bearer a${spaces}b`)).toStrictEqual(['bearer']);
    expect(judged(`a${spaces}b${spaces}c`)).toStrictEqual(['bearer']);
  });
});
