import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { entry, har, judge, rejection } from './stored.js';

const AUTHORIZED = { name: 'authorization', value: 'Bearer abc' };
const JSON_TYPE = { name: 'content-type', value: 'application/json' };
const GZIP = { name: 'Content-Encoding', value: 'gzip' };
const length = (value: number) => ({ name: 'Content-Length', value: String(value) });

type Parts = Parameters<typeof entry>[0];
type Row = readonly [what: string, kind: 'request' | 'response', parts: Parts];

const ENTRY = 'POST http://store/plants (/log/entries/1';

test('every creation in a HAR is judged, and says where it is', () => {
  const other = entry({ request: { url: 'http://store/plants/7' } });
  const bytes = har([other, entry(), entry({ response: { content: { size: 10, text: '{"name":7}' } } })]);
  expect(judge(bytes).messages).toMatchObject([
    { id: `200 to ${ENTRY}/response)`, verdict: 'pass' },
    { verdict: 'fail' },
  ]);
  // `entry` has a gzip that was undone, the length of the body in gzip, names in lower case, and a pseudo-header.
  expect(judge(bytes, 'request').messages).toMatchObject([
    { id: `${ENTRY}/request)`, verdict: 'pass' },
    { verdict: 'pass' },
  ]);
});

describe('a body is read', () => {
  const gzipped = gzipSync('{"name":"Aloe"}').toString('base64');
  const megabytes = JSON.stringify({ name: 'x'.repeat(9_000_000) });

  test.for<readonly [what: string, content: object, headers?: readonly unknown[]]>([
    ['in base64 with line breaks', { size: 15, encoding: 'BASE64', text: 'eyJuYW1l\r\nIjoiQWxvZSJ9' }],
    ['in base64, still in gzip', { size: 35, encoding: 'base64', text: gzipped }],
    ['in megabytes of base64', { encoding: 'base64', text: Buffer.from(megabytes).toString('base64') }],
    ['said to be UTF-8', { size: 15, encoding: 'utf-8', text: '{"name":"Aloe"}' }],
    ['with the size of its gzip', { size: 35, text: '{"name":"Aloe"}' }, [JSON_TYPE, GZIP]],
    ['with the size 0', { size: 0, text: '{"name":"Aloe"}' }, [JSON_TYPE]],
    ['with a size that is a string', { size: '15', text: '{"name":"Aloe"}' }, [JSON_TYPE]],
    ['with a size in characters', { size: 15, text: '{"name":"Äloe"}' }, [JSON_TYPE, length(16)]],
  ])('%s', ([, content, headers]) => {
    const response = { content, ...(headers !== undefined && { headers }) };
    expect(judge(har([entry({ response })])).conclusion).toBe('conforms');
  });
});

test('ids stay exact', () => {
  const posted = (text: string) =>
    judge(har([entry({ request: { postData: { text } } })]), 'request').messages[0]?.verdict;
  expect(posted('{"name":"Aloe","id":9223372036854775807}')).toBe('pass');
  expect(posted('{"name":"Aloe","id":9223372036854775808}')).toBe('fail');
});

test.for([0, -1])('an entry without a response (status %d) is reported, not judged', (status) => {
  const lost = entry({ response: { status, headers: null, content: null, _error: 'net::ERR_FAILED' } });
  const { conclusion, messages } = judge(har([lost, entry()]));
  expect(messages).toMatchObject([
    {
      id: 'no response to POST http://store/plants (/log/entries/0/response)',
      verdict: 'not-applicable',
      reasons: ['there is no response'],
    },
    { verdict: 'pass' },
  ]);
  expect(conclusion).toBe('conforms');
  expect(rejection(har([lost]))).toBe('stored contains no response to judge: there is no response');
  expect(judge(har([lost]), 'request').conclusion).toBe('conforms');
});

const cut = { content: { size: 1500, text: '{"name":"Al' }, headers: [JSON_TYPE] };

test.for<Row>([
  ['only the size of a response', 'response', { response: { content: { size: 15 } } }],
  [
    'its length, and the size 0 that Chrome writes of a Blob',
    'request',
    { request: { postData: undefined, bodySize: 0, headers: [AUTHORIZED, JSON_TYPE, length(38)] } },
  ],
  [
    'the length of a response, and the size 0 of one that no script read',
    'response',
    { response: { content: { size: 0, text: '' }, headers: [JSON_TYPE, length(15)] } },
  ],
  ['nothing about a post', 'request', { request: { postData: undefined, bodySize: -1 } }],
  ['the beginning of a response', 'response', { response: cut }],
  ['the beginning of a post', 'request', { request: { headers: [AUTHORIZED, JSON_TYPE, length(23)] } }],
])('a body of which a HAR has %s is not judged, and does not pass', ([, kind, parts]) => {
  const { conclusion, messages } = judge(har([entry(parts)]), kind);
  const reasons = ['its body is not in the HAR file, or not all of it'];
  expect(messages).toMatchObject([{ verdict: 'blocked', keywords: [], reasons }]);
  expect(conclusion).toBe('incomplete');
});

test.for<Row>([
  ['a response', 'response', { response: { content: { size: 0 }, bodySize: 5, headers: [JSON_TYPE] } }],
  [
    'a response of unknown size, by its length',
    'response',
    { response: { content: {}, bodySize: -1, headers: [JSON_TYPE, length(0)] } },
  ],
  ['a post', 'request', { request: { postData: { text: '' }, bodySize: 0 } }],
])('an empty body counts as missing: %s', ([, kind, parts]) => {
  expect(judge(har([entry(parts)]), kind).messages).toMatchObject([
    { verdict: 'fail', keywords: ['required'] },
  ]);
});

test.for([
  ['has an unsupported coding', 'zstd', 'KLUv/Q==', '"zstd" is not supported'],
  ['does not decode', 'gzip', gzipSync('{}').subarray(0, 20).toString('base64'), 'not valid "gzip"'],
])('a body that is still encoded, and %s, is not judged', ([, coding, text, why]) => {
  const headers = [JSON_TYPE, { name: 'content-encoding', value: coding }];
  const content = { encoding: 'base64', text };
  expect(judge(har([entry({ response: { headers, content } })])).messages).toMatchObject([
    { verdict: 'blocked', keywords: [], reasons: [expect.stringContaining(why as string)] },
  ]);
});

test('several fields of one name are in one value, as browsers write them', () => {
  const twice = { name: 'content-type', value: 'application/json\napplication/json' };
  const { messages } = judge(har([entry({ response: { headers: [twice] } })]));
  expect(messages[0]?.violations).toMatchObject([
    { keyword: 'media-type', actual: '"application/json" and "application/json"' },
  ]);
});

test.for([undefined, 'Bearer [REDACTED]', '[sanitized]', '***'])(
  'without a token (%s), a request does not pass, since the tool may have left it out',
  (value) => {
    const headers = [JSON_TYPE, ...(value === undefined ? [] : [{ name: 'Authorization', value }])];
    const without = entry({ request: { headers } });
    const { messages, conclusion } = judge(har([without, entry()]), 'request');
    expect(messages).toMatchObject([
      { verdict: 'blocked', keywords: [], reasons: [expect.stringContaining('with sensitive data')] },
      { verdict: 'pass' },
    ]);
    expect(conclusion).toBe('incomplete');
    expect(judge(har([without])).conclusion).toBe('conforms');
  },
);

describe('a response that accepts a request that must be rejected', () => {
  const JSON_OF = (text: string) => ({
    postData: { mimeType: 'application/json', text },
    bodySize: text.length,
  });
  const FRACTION = JSON_OF('{"name":"Fraction","id":1.5}');
  const accepted = (request: Readonly<Record<string, unknown>>) =>
    judge(har([entry({ request })])).messages[0]?.violations.map(({ message }) => message);

  test('does not conform', () => {
    expect(judge(har([entry({ request: FRACTION })])).messages).toMatchObject([
      { verdict: 'fail', violations: [{ part: 'status', pointer: '/id', keyword: 'accepted' }] },
    ]);
    const response = { status: 400, content: { size: 25, text: '{"error":1,"message":"a"}' } };
    expect(judge(har([entry({ request: FRACTION, response })])).conclusion).toBe('conforms');
  });

  test('is not blamed for what a tool may have cut off or left out', () => {
    const beginning = JSON_OF('{"name":"Aloe","id"');
    const empty = { postData: undefined, bodySize: 0 };
    const withLength = (value: number) => ({ headers: [AUTHORIZED, JSON_TYPE, length(value)] });
    expect(accepted({ headers: [JSON_TYPE] })).toEqual([]);
    expect(accepted(beginning)).toEqual([]);
    expect(accepted({ ...beginning, ...withLength(19) })).toEqual([expect.stringMatching(/is not JSON/)]);
    expect(accepted({ ...empty, bodySize: -1 })).toEqual([]);
    expect(accepted({ ...empty, ...withLength(0) })).toEqual([expect.stringMatching(/the body is missing/)]);
    expect(accepted({ ...FRACTION, headers: 'none' })).toEqual([]);
  });
});

describe('an entry that cannot be read blocks itself, and no other', () => {
  const content = (text: unknown, encoding?: string) => entry({ response: { content: { text, encoding } } });
  const fields = (headers: unknown) => entry({ response: { headers } });

  test.for<readonly [what: string, broken: unknown, pointer: string]>([
    ['a number', 7, '/request/url'],
    ['a URL that is a number', entry({ request: { url: 7 } }), '/request/url'],
    ['no response', { ...entry(), response: null }, '/response/status'],
    ['a status that is a string', entry({ response: { status: '200' } }), '/response/status'],
    ['headers that are an object', fields({}), '/response/headers'],
    ['a header without a value', fields([{ name: 'a' }]), '/response/headers/0/value'],
    ['a body that is an object', content({}), '/response/content/text'],
    ...['e30', 'e30==', 'e=30', '====', 'e30=e30=', 'e3-_'].map(
      (text) => [`base64 ${text}`, content(text, 'base64'), '/response/content/text'] as const,
    ),
  ])('%s', ([, broken, pointer]) => {
    const { messages, conclusion } = judge(har([entry(), broken]));
    const reasons = [`${pointer} of the entry is not as HAR 1.2 says`];
    expect(messages).toMatchObject([
      { verdict: 'pass' },
      { id: 'entry 2 (/log/entries/1/response)', verdict: 'blocked', reasons },
    ]);
    expect(conclusion).toBe('incomplete');
  });

  test('its request is judged without its response', () => {
    expect(judge(har([{ ...entry(), response: null }]), 'request').conclusion).toBe('conforms');
  });
});
