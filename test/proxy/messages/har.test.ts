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
    ['a size, and an empty text', 'response', { response: { content: { size: 15, text: '' } } }],
    [
      'a response of unknown size',
      'response',
      { response: { content: { size: -1 }, bodySize: -1, headers: [JSON_TYPE] } },
    ],
    ['nothing about a response', 'response', { response: { content: undefined } }],
    ['only the size of a post', 'request', { request: { postData: null } }],
    [
      'only its length',
      'request',
      {
        request: {
          postData: undefined,
          bodySize: -1,
          headers: [AUTHORIZED, JSON_TYPE, length(9)],
        },
      },
    ],
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
    ['the type of a post', 'request', { request: { postData: { params: [] }, bodySize: -1 } }],
    [
      'a post in chunks',
      'request',
      {
        request: {
          postData: undefined,
          bodySize: -1,
          headers: [AUTHORIZED, JSON_TYPE, { name: 'Transfer-Encoding', value: 'chunked' }],
        },
      },
    ],
    ['only form fields', 'request', { request: { postData: { params: [{ name: 'name', value: 'Aloe' }] } } }],
  ])('a body of which it has %s is not judged, and does not pass', ([, kind, parts]) => {
    const { conclusion, messages } = judge(har([entry(parts)]), kind);
    expect(messages).toMatchObject([{ verdict: 'blocked', violations: [] }]);
    expect(messages[0]?.reasons[0]).toMatch(/^its body is .*in the HAR/);
    expect(conclusion).toBe('incomplete');
  });

  test.for<readonly [what: string, kind: 'request' | 'response', parts: Parameters<typeof entry>[0]]>([
    ['a response', 'response', { response: { content: { size: 0 }, bodySize: 5, headers: [JSON_TYPE] } }],
    [
      'a response in gzip',
      'response',
      { response: { content: { size: 0 }, headers: [JSON_TYPE, length(20), GZIP] } },
    ],
    [
      'a response of unknown size, by its length',
      'response',
      {
        response: { content: {}, bodySize: -1, headers: [JSON_TYPE, { name: 'content-length', value: '0' }] },
      },
    ],
    ['a post', 'request', { request: { postData: undefined, bodySize: 0 } }],
    ['a post of unknown size', 'request', { request: { postData: undefined, bodySize: -1 } }],
    ['a post with an empty text', 'request', { request: { postData: { text: '' }, bodySize: -1 } }],
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
    [
      'a response in base64',
      'response',
      {
        response: {
          content: { size: 16, text: 'eyJuYW1lIjoiQWxvZSJ9', encoding: 'base64' },
          headers: [JSON_TYPE],
        },
      },
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

  const typed = (charset: string) => ({
    name: 'Content-Type',
    value: `application/json; charset=${charset}`,
  });

  test.for<readonly [charset: string, name: string, conclusion: string]>([
    ['utf-8', 'Aloë', 'conforms'],
    ['"UTF8"', 'Aloë', 'conforms'],
    ['iso-8859-1', 'Aloe', 'conforms'],
    ['iso-8859-1', 'Aloë', 'incomplete'],
    ['utf-16le', 'Aloe', 'incomplete'],
  ])('a body that was decoded from %s, "%s": %s', ([charset, name, conclusion]) => {
    const text = JSON.stringify({ name });
    const judged = judge(har([entry({ response: { content: { text }, headers: [typed(charset)] } })]));
    expect(judged.conclusion).toBe(conclusion);
    const content = { text: Buffer.from(text).toString('base64'), encoding: 'base64' };
    const exact = judge(har([entry({ response: { content, headers: [typed(charset)] } })]));
    expect(exact.conclusion).toBe('conforms');
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

  test('entries may have more than a million values together', () => {
    const entries = Array(100).fill({ ...entry(), _x: Array(11_000).fill(0) });
    expect(judge(har(entries)).counts.pass).toBe(100);
  });

  test('its creator does not matter, even if it is not a string', () => {
    expect(judge(har([entry()], { creator: { name: 7 } }), 'request').conclusion).toBe('conforms');
  });

  test.each([
    ['its log', '"log"', '"l\\u006fg"'],
    ['its entries', '"entries"', '"\\u0065ntries"'],
    [
      'both',
      /"(log|entries)"/g,
      (_: string, name: string) => `"\\u00${name.charCodeAt(0).toString(16)}${name.slice(1)}"`,
    ],
  ])('the names of %s may be written with escapes', (_which, name, escaped) => {
    const text = har([entry(), entry()]).toString();
    const written = text.replace(name, escaped as string);
    expect(written).not.toBe(text);
    const { messages } = judge(Buffer.from(written), 'response');
    expect(messages.map(({ place }) => place)).toEqual([
      { pointer: '/log/entries/0/response' },
      { pointer: '/log/entries/1/response' },
    ]);
  });

  test('of two logs, one with an escape in its name, none is chosen in silence', () => {
    const text = har([entry()]).toString();
    const twice = `${text.slice(0, text.lastIndexOf('}'))},"l\\u006fg":{"entries":[]}}`;
    expect(() => judge(Buffer.from(twice), 'response')).toThrow('/log: it occurs twice');
  });

  test('a byte-order mark before it, as its specification allows', () => {
    expect(judge(Buffer.concat([Buffer.from('\ufeff'), har([entry()])])).conclusion).toBe('conforms');
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
  const chrome = { creator: { name: 'WebInspector', version: '537.36' } };

  test('is required', () => {
    const { messages } = judge(har([without]), 'request');
    expect(messages).toMatchObject([{ verdict: 'fail', violations: [{ keyword: 'bearer' }] }]);
  });

  test('is not required if Chrome may have left it out, but then nothing passes', () => {
    const { messages, conclusion } = judge(har([without], chrome), 'request');
    expect(messages).toMatchObject([
      { verdict: 'blocked', reasons: [expect.stringContaining('with sensitive data')] },
    ]);
    expect(conclusion).toBe('incomplete');
    expect(judge(har([without], chrome)).conclusion).toBe('conforms');
  });

  test.for<readonly [what: string, other: unknown]>([
    ['another request has one', entry()],
    [
      'a cookie is there',
      { request: { method: 'GET', url: 'http://store/', headers: [{ name: 'Cookie', value: 'a' }] } },
    ],
    [
      'a cookie was set',
      {
        request: { method: 'GET', url: 'http://store/' },
        response: { headers: [{ name: 'set-cookie', value: 'a' }] },
      },
    ],
  ])('is required in a HAR of Chrome from which nothing was left out: %s', ([, other]) => {
    const { messages } = judge(har([without, other], chrome), 'request');
    expect(messages[0]).toMatchObject({ verdict: 'fail' });
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

  test('because it has no token, if the tool keeps those of other requests', () => {
    const without = { headers: [JSON_TYPE] };
    expect(accepted(without)).toEqual([[]]);
    expect(accepted({}, without)).toEqual([
      [],
      ['accepted a wrong request: the Authorization header is missing'],
    ]);
    // A tool may write anything instead of a token.
    expect(accepted({}, { headers: [JSON_TYPE, { name: 'Authorization', value: '(removed)' }] })).toEqual([
      [],
      [],
    ]);
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
    expect(accepted({ postData: { params: [{ name: 'id', value: '1.5' }] } })).toEqual([[]]);
    expect(accepted({ ...JSON_OF(FRACTION), headers: 'none' })).toEqual([[]]);
  });
});
