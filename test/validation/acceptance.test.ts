import { gunzipSync } from 'node:zlib';
import { catalogue } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { requestsOf } from '../../src/conformance/row.js';
import { freshValues } from '../../src/conformance/template.js';
import { probes } from '../../src/conformance/topics/index.js';
import { headerValues } from '../../src/http/fields.js';
import { acceptanceOf, mistakeIn } from '../../src/validation/acceptance.js';
import type { PlainRequest } from '../../src/validation/message.js';

const TOKEN = { authorization: 'Bearer abc' };
const JSON_TYPE = { 'content-type': 'application/json' };
const HEADERS = { ...TOKEN, ...JSON_TYPE };
const PLANT = '{"name":"Fraction","id":7}';

/** What is wrong with a request that must be rejected. */
function mistake(request: PlainRequest): string | undefined {
  const [violation, ...more] = acceptanceOf(mistakeIn(request), 200);
  expect(more).toEqual([]);
  return violation?.message.replace('accepted a wrong request: ', '');
}

const sent = (body: string | Uint8Array): string | undefined =>
  mistake({ headers: HEADERS, body: typeof body === 'string' ? Buffer.from(body) : body });

test('a 2xx to a request that must be rejected is a violation of its response', () => {
  const request = { headers: HEADERS, body: '{"name":"Fraction","id":1.5}' };
  expect(acceptanceOf(mistakeIn(request), 200)).toEqual([
    {
      severity: 'error',
      part: 'status',
      pointer: '/id',
      keyword: 'accepted',
      message: 'accepted a wrong request: "id" must be an integer in the range of int64; got 1.5',
      expected: 'a 4xx, since the request must be rejected',
      actual: 'the status 200',
    },
  ]);
  for (const status of [199, 300, 400, 500]) expect(acceptanceOf(mistakeIn(request), status)).toEqual([]);
  for (const status of [201, 299]) expect(acceptanceOf(mistakeIn(request), status)).toHaveLength(1);
});

test('the worst mistake counts', () => {
  const nearlyRight = '{"name":"A","id":7,"tag":null}';
  expect(mistakeIn({ headers: HEADERS, body: nearlyRight })?.severity).toBe('warning');
  expect(mistakeIn({ headers: JSON_TYPE, body: nearlyRight })).toMatchObject({
    severity: 'error',
    pointer: '/authorization',
  });
  const both = mistakeIn({ headers: HEADERS, body: '{"name":"A","id":"7","tag":null}' });
  expect(both).toMatchObject({ severity: 'error', pointer: '/id' });
  // Of a stored request, some mistakes may have been made when it was stored.
  const isCertain = ({ pointer }: { readonly pointer: string }) => pointer !== '/authorization';
  expect(mistakeIn({ headers: JSON_TYPE, body: nearlyRight }, isCertain)?.pointer).toBe('/tag');
});

test.each(['utf-8x', 'x-utf-8', 'us-ascii2', 'latin1'])(
  'a body in the charset %s is not judged',
  (charset) => {
    const headers = { ...TOKEN, 'content-type': `application/json; charset=${charset}` };
    expect(mistakeIn({ headers, body: '[]' })).toBeUndefined();
  },
);

test.each(['utf-8', 'UTF8', 'us-ascii'])('a body in the charset %s is judged', (charset) => {
  const headers = { ...TOKEN, 'content-type': `application/json; charset=${charset}` };
  expect(mistakeIn({ headers, body: '[]' })).toMatchObject({ keyword: 'type' });
  expect(mistakeIn({ headers: { ...TOKEN, 'content-type': 'no media type' }, body: '[]' })).toBeDefined();
});

test('a token may be right that follows two spaces, or has characters that RFC 6750 does not allow', () => {
  for (const authorization of ['Bearer  abc', 'Bearer  a,b', 'bearer a\u00e4'])
    expect(mistakeIn({ headers: { ...JSON_TYPE, authorization }, body: PLANT })).toBeUndefined();
});

test.each([
  ['["A",7]', 'warning'],
  ['[7.0,"A","fern"]', 'warning'],
  ['["A",7,"fern",true]', 'error'],
  ['["A"]', 'error'],
  ['[7]', 'error'],
  ['[{"name":"A","id":7}]', 'error'],
])('that the array %s is accepted as a plant is of severity %s', (body, severity) => {
  expect(mistakeIn({ headers: HEADERS, body })?.severity).toBe(severity);
});

describe('a body', () => {
  test.each([
    ['{"name":"A"}', '"id" is missing; a NewPlant requires it'],
    ['{"id":7}', '"name" is missing; a NewPlant requires it'],
    ['{"name":"A","id":"7"}', /"id" must be an integer/],
    ['{"name":"A","id":9223372036854775808}', /"id" must be an integer/],
    ['{"name":"A","id":1e400}', /"id" must be an integer/],
    ['{"name":"A","id":7,"tag":null}', /"tag" must be a string/],
    ['{"Name":"A","id":7}', /"name" is missing/],
    ['[]', /a NewPlant must be an object/],
    ['', /the body is missing/],
    ['{"name":"A","id":7', /the body is not JSON/],
    ["{'name':'A','id':7}", /the body is not JSON/],
    [`${PLANT}!`, /the body is not JSON/],
    ['name=A&id=7', /the body is not JSON/],
  ])('%s must be rejected', (body, expected) => {
    expect(sent(body)).toMatch(expected);
  });

  test.each([
    PLANT,
    '{"name":"","id":0,"tag":"","colour":[null]}',
    '{"name":"A","id":7.0}',
    '{"name":"A","id":7e0}',
    '{"name":"A","id":9007199254740993}',
    '{"name":"A","id":-9223372036854775808}',
    '{"name":"A","id":1.5,"id":7}',
    '{"name":"A","id":7,"id":"7"}',
    '{"name":"\\ud800","id":7}',
    '{"name":"A","id":7,"x":NaN}',
    '{"name":"A","id":7,"x":-Infinity}',
    `\ufeff${PLANT}`,
    `{"name":"A","id":7,"x":${'['.repeat(600)}${']'.repeat(600)}}`,
  ])('%s may be accepted', (body) => {
    expect(sent(body)).toBeUndefined();
  });

  test('that is not UTF-8 may be accepted', () => {
    expect(sent(Buffer.from('{"name":"\xe9","id":1.5}', 'latin1'))).toBeUndefined();
    expect(sent(Buffer.from('{"name":"A","id":"7"}', 'utf16le'))).toBeUndefined();
    const headers = { ...TOKEN, 'content-type': 'application/json; charset=iso-8859-1' };
    expect(mistake({ headers, body: '{"name":"A"}' })).toBeUndefined();
  });

  test.each(['application/json; charset=utf-8', 'text/plain', 'application/xml'])(
    'is judged whatever its media type is: %s',
    (type) => {
      const headers = { ...TOKEN, 'content-type': type };
      expect(mistake({ headers, body: PLANT })).toBeUndefined();
      expect(mistake({ headers, body: '{"name":"A"}' })).toMatch(/"id" is missing/);
    },
  );
});

describe('to accept a wrong request is', () => {
  const severityOf = (body: string) => mistakeIn({ headers: HEADERS, body })?.severity;

  test.each([
    '{"name":"A","id":7,"tag":null}',
    '{"name":"A","id":9223372036854775808}',
    '{"Name":"A","id":7}',
    '["A",7]',
    `${PLANT}{}`,
    "{'name':'A','id':7}",
    '{"name":"A","id":7,}',
  ])('a warning, if it is nearly right: %s', (body) => {
    expect(severityOf(body)).toBe('warning');
  });

  test.each([
    '{"name":"A"}',
    '{"name":7,"id":7}',
    '{"name":"A","id":"7"}',
    '[]',
    '',
    'a=b',
    '{"name":"A","id":7',
  ])('an error otherwise: %s', (body) => {
    expect(severityOf(body)).toBe('error');
  });

  test('as bad as the worst mistake in it', () => {
    expect(severityOf('{"id":7,"tag":null}')).toBe('error');
    expect(mistakeIn({ headers: JSON_TYPE, body: '{"name":"A","id":7,"tag":null}' })?.severity).toBe('error');
  });
});

describe('a request', () => {
  test.each([
    [[], 'the Authorization header is missing'],
    [[''], 'the Authorization header is empty'],
    [['Bearer'], 'the Authorization header has no token'],
    [['Bearer '], 'the Authorization header has no token'],
    [['Basic YTpi'], 'the scheme of the Authorization header is not Bearer'],
    [['abc'], 'the scheme of the Authorization header is not Bearer'],
  ])('with the Authorization %j must be rejected', (values, expected) => {
    const headers = [
      ...values.map((value) => ['Authorization', value] as const),
      ['Content-Type', 'a/b'],
    ] as const;
    expect(mistake({ headers, body: PLANT })).toBe(expected);
  });

  test.each([
    [['Bearer abc']],
    [['bearer abc']],
    [['BEARER   abc']],
    // Nobody but the provider knows which tokens are right.
    [['Bearer 1|abc:d']],
    [['Basic YTpi, Bearer abc']],
    [['Basic YTpi', 'Bearer abc']],
  ])('with the Authorization %j may be accepted', (values) => {
    const headers = values.map((value) => ['Authorization', value] as const);
    expect(mistake({ headers, body: PLANT })).toBeUndefined();
  });
});

/** What the check knows beyond the bytes: which token is right, and what each request is sent for. */
const DIFFERENT = new Set([
  // One byte of it is not UTF-8.
  'rejections/malformed-json-with-html',
  // "x Bearer abc" has a bearer token.
  'tokens/after-another-word',
  // The response is open, but no success.
  'transport/connection-after-rejections',
  'tokens/none-in-chunks',
  'tokens/none-with-expect',
  // A parser may read NaN, but not as an integer.
  'json-texts/id-is-nan',
]);

test('agrees with what the check expects of each of its requests', () => {
  const found = { created: new Set<boolean>(), open: new Set<boolean>(), rejected: new Set<boolean>() };
  const values = freshValues('abc');
  const severities = new Map(catalogue().map(({ id, severity }) => [id as string, severity]));
  const different: string[] = [];
  for (const probe of probes) {
    if (DIFFERENT.has(probe.name)) continue;
    for (const { headers, body: bytes, otherOperation, ...request } of requestsOf(probe, values)) {
      const hasToken = /^Bearer +\S/i.test(headerValues(headers, 'authorization')[0] ?? '');
      if (otherOperation !== undefined || (probe.phase === 'wrong-token' && hasToken)) continue;
      const body = headerValues(headers, 'content-encoding').includes('gzip') ? gunzipSync(bytes) : bytes;
      const mistake = mistakeIn({ headers, body });
      found[request.expectation ?? probe.expectation].add(mistake !== undefined);
      // What follows the first request of a sequence is judged by another rule.
      const ids = (probe.rules ?? []).filter((id) => /^(?:request|auth)\//.test(id));
      const broken = ids.map((id) => severities.get(id));
      if (mistake !== undefined && broken.length > 0 && !broken.includes(mistake.severity))
        different.push(`${probe.name}: ${mistake.severity}`);
    }
  }
  expect(found).toEqual({
    created: new Set([false]),
    open: new Set([false]),
    rejected: new Set([true]),
  });
  expect(different).toEqual([]);
});
