import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { entry, har, judge, rejection } from './stored.js';

const AUTHORIZED = { name: 'authorization', value: 'Bearer abc' };
const JSON_TYPE = { name: 'content-type', value: 'application/json' };
const GZIP = { name: 'Content-Encoding', value: 'gzip' };
const length = (value: number) => ({ name: 'Content-Length', value: String(value) });

describe('a HAR', () => {
  test('every creation in it is judged, and says where it is', () => {
    const other = entry({ request: { url: 'http://store/plants/7' } });
    const bytes = har([other, entry(), entry({ response: { content: { size: 10, text: '{"name":7}' } } })]);
    const { format, messages } = judge(bytes);
    expect(format).toBe('har');
    expect(messages).toMatchObject([
      {
        title: '200 to POST http://store/plants',
        place: { pointer: '/log/entries/1/response' },
        verdict: 'pass',
      },
      { place: { pointer: '/log/entries/2/response' }, verdict: 'fail' },
    ]);
    expect(judge(bytes, 'request').messages).toMatchObject([
      {
        title: 'POST http://store/plants',
        place: { pointer: '/log/entries/1/request' },
        verdict: 'pass',
      },
      { verdict: 'pass' },
    ]);
  });

  test('header fields that no longer apply are no violations', () => {
    // `entry` has a gzip that was undone, the length of the body in gzip, names in lower case, and a pseudo-header.
    expect(judge(har([entry()])).conclusion).toBe('conforms');
    expect(judge(har([entry()]), 'request').conclusion).toBe('conforms');
  });

  test.for<readonly [what: string, content: unknown]>([
    ['in base64', { size: 15, encoding: 'base64', text: Buffer.from('{"name":"Aloe"}').toString('base64') }],
    ['in base64 with line breaks', { size: 15, encoding: 'BASE64', text: 'eyJuYW1l\r\nIjoiQWxvZSJ9' }],
    [
      'in base64, still in gzip',
      { size: 35, encoding: 'base64', text: gzipSync('{"name":"Aloe"}').toString('base64') },
    ],
    ['said to be UTF-8', { size: 15, encoding: 'utf-8', text: '{"name":"Aloe"}' }],
    ['not ASCII', { size: 16, text: '{"name":"Aloë"}' }],
  ])('a body %s', ([, content]) => {
    expect(judge(har([entry({ response: { content } })])).conclusion).toBe('conforms');
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
        title: 'no response to POST http://store/plants',
        verdict: 'not-applicable',
        reasons: ['there is no response'],
      },
      { verdict: 'pass' },
    ]);
    expect(conclusion).toBe('conforms');
    expect(rejection(har([lost]))).toBe('stored contains no response to judge: there is no response');
    expect(judge(har([lost]), 'request').conclusion).toBe('conforms');
  });

  test.for<readonly [what: string, kind: 'request' | 'response', parts: Parameters<typeof entry>[0]]>([
    ['only the size of a response', 'response', { response: { content: { size: 15 } } }],
    [
      'its length, and the size 0 that Chrome writes of a Blob,',
      'request',
      { request: { postData: undefined, bodySize: 0, headers: [AUTHORIZED, JSON_TYPE, length(38)] } },
    ],
    [
      'the length of a response, and the size 0 of one that no script read,',
      'response',
      { response: { content: { size: 0, text: '' }, headers: [JSON_TYPE, length(15)] } },
    ],
    ['nothing about a post', 'request', { request: { postData: undefined, bodySize: -1 } }],
  ])('a body of which it has %s is not judged, and does not pass', ([, kind, parts]) => {
    const { conclusion, messages } = judge(har([entry(parts)]), kind);
    expect(messages).toMatchObject([{ verdict: 'blocked', violations: [] }]);
    expect(messages[0]?.reasons[0]).toMatch(/^its body is not in the HAR/);
    expect(conclusion).toBe('incomplete');
  });

  test.for<readonly [what: string, kind: 'request' | 'response', parts: Parameters<typeof entry>[0]]>([
    ['a response', 'response', { response: { content: { size: 0 }, bodySize: 5, headers: [JSON_TYPE] } }],
    [
      'a response of unknown size, by its length',
      'response',
      {
        response: { content: {}, bodySize: -1, headers: [JSON_TYPE, { name: 'content-length', value: '0' }] },
      },
    ],
    ['a post', 'request', { request: { postData: undefined, bodySize: 0 } }],
    ['a post with an empty text', 'request', { request: { postData: { text: '' }, bodySize: 0 } }],
  ])('an empty body counts as missing: %s', ([, kind, parts]) => {
    expect(judge(har([entry(parts)]), kind).messages).toMatchObject([
      { verdict: 'fail', violations: [{ part: 'body', keyword: 'required' }] },
    ]);
  });

  test.for<readonly [what: string, kind: 'request' | 'response', parts: Parameters<typeof entry>[0]]>([
    ['a response', 'response', { response: { content: { size: 1500, text: '{"name":"Aloe"}' } } }],
    [
      'a response that is cut within a string',
      'response',
      { response: { content: { size: 1500, text: '{"name":"Al' }, headers: [JSON_TYPE] } },
    ],
    ['a post', 'request', { request: { headers: [AUTHORIZED, JSON_TYPE, length(23)] } }],
  ])('a body of which it has the beginning is not judged, and does not pass: %s', ([, kind, parts]) => {
    expect(judge(har([entry(parts)]), kind)).toMatchObject({
      conclusion: 'incomplete',
      messages: [
        {
          verdict: 'blocked',
          reasons: [expect.stringMatching(/^the HAR file has \d+ of the \d+ bytes of its body$/)],
        },
      ],
    });
  });

  test.for<readonly [what: string, content: object, headers: readonly unknown[]]>([
    ['of the body in gzip', { size: 35, compression: -20 }, [JSON_TYPE, GZIP]],
    ['of nothing', { size: 0 }, [JSON_TYPE]],
    ['that is unknown', { size: -1 }, [JSON_TYPE]],
    ['that is a string', { size: '15' }, [JSON_TYPE]],
    ['in characters', { size: 15, text: '{"name":"Äloe"}' }, [JSON_TYPE, length(16)]],
  ])('a body is judged, whatever size tools write: a size %s', ([, content, headers]) => {
    const whole = { text: '{"name":"Aloe"}', ...content };
    expect(judge(har([entry({ response: { content: whole, headers } })])).conclusion).toBe('conforms');
  });

  test('a body in megabytes of base64 is read', () => {
    const text = Buffer.from(JSON.stringify({ name: 'x'.repeat(9_000_000) })).toString('base64');
    const content = { encoding: 'base64', text };
    expect(judge(har([entry({ response: { content } })])).conclusion).toBe('conforms');
  });

  test('a body that is still encoded, with an unsupported coding, is not judged', () => {
    const headers = [JSON_TYPE, { name: 'content-encoding', value: 'zstd' }];
    const content = { size: 4, encoding: 'base64', text: 'KLUv/Q==' };
    expect(judge(har([entry({ response: { headers, content } })])).messages).toMatchObject([
      { verdict: 'blocked', reasons: [expect.stringContaining('"zstd" is not supported')] },
    ]);
  });

  test('a byte-order mark before it, as its specification allows', () => {
    expect(judge(Buffer.concat([Buffer.from('\ufeff'), har([entry()])])).conclusion).toBe('conforms');
  });

  test('a response that is still encoded, and does not decode, is not judged', () => {
    const content = {
      encoding: 'base64',
      text: gzipSync('{"name":"Aloe"}').subarray(0, 20).toString('base64'),
    };
    const headers = [JSON_TYPE, GZIP];
    expect(judge(har([entry({ response: { headers, content } })])).messages).toMatchObject([
      { verdict: 'blocked', violations: [], reasons: [expect.stringContaining('not valid "gzip"')] },
    ]);
  });

  test('several fields of one name in one value, as browsers write them', () => {
    const twice = { name: 'content-type', value: 'application/json\napplication/json' };
    const { messages } = judge(har([entry({ response: { headers: [twice] } })]));
    expect(messages[0]?.violations).toMatchObject([
      { keyword: 'media-type', actual: '"application/json" and "application/json"' },
    ]);
  });
});

describe('the Authorization header in a HAR', () => {
  const without = entry({ request: { headers: [JSON_TYPE] } });

  test('is not required, since the tool may have left it out, but then nothing passes', () => {
    const { messages, conclusion } = judge(har([without, entry()]), 'request');
    expect(messages).toMatchObject([
      { verdict: 'blocked', violations: [], reasons: [expect.stringContaining('with sensitive data')] },
      { verdict: 'pass' },
    ]);
    expect(conclusion).toBe('incomplete');
    expect(judge(har([without])).conclusion).toBe('conforms');
  });

  test.for(['Bearer [REDACTED]', '[sanitized]', 'Bearer ***', '***'])('is not judged as "%s"', (value) => {
    const headers = [JSON_TYPE, { name: 'Authorization', value }];
    expect(judge(har([entry({ request: { headers } })]), 'request').messages).toMatchObject([
      { verdict: 'blocked', reasons: ['the HAR file has a placeholder for the value of Authorization'] },
    ]);
  });
});

describe('a response in a HAR that accepts a request that must be rejected', () => {
  const JSON_OF = (text: string) => ({
    postData: { mimeType: 'application/json', text },
    bodySize: text.length,
  });
  const messages = (...requests: readonly Record<string, unknown>[]) =>
    judge(har(requests.map((request) => entry({ request })))).messages;
  const accepted = (...requests: readonly Record<string, unknown>[]) =>
    messages(...requests).map(({ violations }) => violations.map(({ message }) => message));
  const FRACTION = '{"name":"Fraction","id":1.5}';

  test('does not conform', () => {
    const [message] = messages(JSON_OF(FRACTION));
    expect(message).toMatchObject({
      verdict: 'fail',
      violations: [{ part: 'status', pointer: '/id', keyword: 'accepted' }],
    });
    const [rejected] = judge(
      har([
        entry({
          request: JSON_OF(FRACTION),
          response: { status: 400, content: { size: 25, text: '{"error":1,"message":"a"}' } },
        }),
      ]),
    ).messages;
    expect(rejected?.verdict).toBe('pass');
  });

  test('is not blamed for a missing token', () => {
    expect(accepted({}, { headers: [JSON_TYPE] })).toEqual([[], []]);
  });

  test('is not blamed for what a tool may have cut off or left out', () => {
    const cut = JSON_OF('{"name":"Aloe","id"');
    expect(accepted(cut)).toEqual([[]]);
    expect(accepted({ ...cut, headers: [AUTHORIZED, JSON_TYPE, length(19)] })[0]?.[0]).toMatch(
      /^accepted .*is not JSON/,
    );
    expect(accepted({ postData: undefined, bodySize: -1 })).toEqual([[]]);
    expect(
      accepted({ postData: undefined, bodySize: 0, headers: [AUTHORIZED, JSON_TYPE, length(0)] })[0]?.[0],
    ).toMatch(/^accepted .*the body is missing/);
    expect(accepted({ ...JSON_OF(FRACTION), headers: 'none' })).toEqual([[]]);
  });
});

describe('an entry that cannot be read blocks itself, and no other', () => {
  test.for<readonly [what: string, broken: unknown, reason: RegExp]>([
    ['a number', 7, /^\/request\/url of the entry must be a string$/],
    ['null', null, /^\/request\/url /],
    ['a URL that is a number', entry({ request: { url: 7 } }), /^\/request\/url /],
    ['no response', { ...entry(), response: null }, /^\/response\/status of the entry must be a number$/],
    ['a status that is a string', entry({ response: { status: '200' } }), /^\/response\/status /],
    ['headers that are an object', entry({ response: { headers: {} } }), /^\/response\/headers .* an array$/],
    [
      'a header without a value',
      entry({ response: { headers: [{ name: 'a' }] } }),
      /^\/response\/headers\/0\/value /,
    ],
    [
      'a body that is an object',
      entry({ response: { content: { text: {} } } }),
      /^\/response\/content\/text /,
    ],
    ...['e30', 'e30==', 'e=30', '====', 'e30=e30=', 'e3-_'].map(
      (text) =>
        [
          `malformed base64: ${text}`,
          entry({ response: { content: { text, encoding: 'base64' } } }),
          /^\/response\/content\/text of the entry must be base64, as its encoding says$/,
        ] as const,
    ),
  ])('%s', ([, broken, reason]) => {
    const { messages, conclusion } = judge(har([entry(), broken]));
    expect(messages).toMatchObject([
      { verdict: 'pass' },
      { title: 'entry 2', verdict: 'blocked', reasons: [expect.stringMatching(reason)] },
    ]);
    expect(conclusion).toBe('incomplete');
  });

  test('its request is judged without its response', () => {
    expect(judge(har([{ ...entry(), response: null }]), 'request').conclusion).toBe('conforms');
  });
});
