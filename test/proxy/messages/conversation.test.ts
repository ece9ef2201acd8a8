import { describe, expect, test } from 'vitest';
import { judge, raw, rawRequest, rawResponse, rejection } from './stored.js';

const NEW_PLANT = '{"name":"Aloe","id":7}';
const post = rawRequest(NEW_PLANT);
const get = raw(['GET /health HTTP/1.1', 'Host: store']);
const head = raw(['HEAD /plants HTTP/1.1', 'Host: store']);
const created = rawResponse('{"name":"Aloe"}');
const broken = rawResponse('oh', '500 Oh');

/** The verdicts on the responses of a stream, each with the status that it is on. */
function verdicts(...messages: readonly Buffer[]): string[] {
  return judge(Buffer.concat(messages)).messages.map(
    ({ title, verdict }) => `${title.slice('HTTP/1.1 '.length)} ${verdict}`,
  );
}

describe('which request a response belongs to', () => {
  test.for<readonly [what: string, messages: readonly Buffer[], expected: readonly string[]]>([
    ['turn by turn', [post, created, get, broken], ['200 OK pass', '500 Oh not-applicable']],
    ['requests sent at once', [get, post, broken, created], ['500 Oh not-applicable', '200 OK pass']],
    [
      'requests sent at once, with HEAD',
      [head, post, raw(['HTTP/1.1 200 OK', 'Content-Length: 15']), created],
      ['200 OK not-applicable', '200 OK pass'],
    ],
    [
      'creations of which some have no response',
      [post, post, post, broken, created],
      ['500 Oh fail', '200 OK pass'],
    ],
    [
      'more responses than creations',
      [post, broken, created, post, created],
      ['500 Oh fail', '200 OK pass', '200 OK pass'],
    ],
    ['a response before the first request', [broken, post, created, post], ['500 Oh fail', '200 OK pass']],
    ['one request, whatever it is', [get, broken], ['500 Oh fail']],
  ])('%s', ([, messages, expected]) => {
    expect(verdicts(...messages)).toEqual(expected);
  });

  test.for<readonly [what: string, messages: readonly Buffer[], expected: readonly string[]]>([
    ['a request without a response', [get, post, broken], ['500 Oh blocked']],
    [
      'everything after such a request',
      [post, created, get, post, broken, get, broken, post, created],
      ['200 OK pass', '500 Oh blocked', '500 Oh blocked', '200 OK blocked'],
    ],
    ['a HEAD without a response', [head, post, created], ['200 OK blocked']],
    [
      'fewer responses than requests',
      [get, post, post, broken, created],
      ['500 Oh blocked', '200 OK blocked'],
    ],
    [
      'more responses than requests',
      [get, post, broken, created, created],
      ['500 Oh blocked', '200 OK blocked', '200 OK blocked'],
    ],
    [
      'one more than there are requests',
      [get, broken, created, post, created],
      ['500 Oh blocked', '200 OK blocked', '200 OK pass'],
    ],
    [
      'before all requests',
      [broken, get, broken, post, created],
      ['500 Oh blocked', '500 Oh not-applicable', '200 OK pass'],
    ],
    [
      'each of two requests ahead',
      [get, post, broken, get, created, broken],
      ['500 Oh blocked', '200 OK blocked', '500 Oh blocked'],
    ],
  ])('if that is not certain, nothing passes and nothing is left out: %s', ([, messages, expected]) => {
    expect(verdicts(...messages)).toEqual(expected);
    const { messages: judged } = judge(Buffer.concat(messages));
    expect(judged.find(({ verdict }) => verdict === 'blocked')).toMatchObject({
      violations: [],
      reasons: [
        'it is not certain which request it belongs to; save each request with its response in a file of its own',
      ],
    });
  });
});

describe('a request that waits for 100', () => {
  const [start = '', ...fields] = post.toString().trimEnd().split('\r\n').slice(0, -2);
  const waiting = raw([start, ...fields, 'Expect: 100-continue']);
  const interim = raw(['HTTP/1.1 100 Continue']);

  test.for<readonly [what: string, messages: readonly Buffer[]]>([
    ['and has it before its body', [waiting, interim, Buffer.from(NEW_PLANT)]],
    ['and has several', [waiting, raw(['HTTP/1.1 102 Processing', 'A: b']), interim, Buffer.from(NEW_PLANT)]],
    ['and does not', [waiting, Buffer.from(NEW_PLANT)]],
    ['and has it late', [waiting, Buffer.from(NEW_PLANT), interim]],
  ])('%s', ([, messages]) => {
    const bytes = Buffer.concat([...messages, created, get, broken]);
    expect(judge(bytes, 'request').messages.map(({ verdict }) => verdict)).toEqual([
      'pass',
      'not-applicable',
    ]);
    expect(judge(bytes).messages.map(({ verdict }) => verdict)).toEqual(['pass', 'not-applicable']);
  });

  test('in chunks', () => {
    const chunks = [
      start,
      ...fields.filter((field) => !field.startsWith('Content-Length')),
      'Expect: 100-continue',
      'Transfer-Encoding: chunked',
    ];
    const bytes = Buffer.concat([
      raw(chunks),
      interim,
      Buffer.from(`16\r\n${NEW_PLANT}\r\n0\r\n\r\n`),
      created,
    ]);
    expect(judge(bytes, 'request').conclusion).toBe('conforms');
    expect(judge(bytes).conclusion).toBe('conforms');
  });

  test.for([[], [interim]])('and gets its response before its body is sent', (before) => {
    const bytes = Buffer.concat([waiting, ...before, rawResponse('{"error":1,"message":"no"}', '417 No')]);
    expect(judge(bytes).conclusion).toBe('conforms');
    expect(judge(bytes, 'request').messages).toMatchObject([
      {
        verdict: 'blocked',
        violations: [],
        reasons: ['its body was not sent: the response came first'],
      },
    ]);
  });

  test('and is cut short', () => {
    expect(rejection(Buffer.concat([waiting, interim, Buffer.from('{')]), 'request')).toContain(
      'its Content-Length is 22, but 1 byte follows',
    );
  });
});

describe('the response of a proxy to CONNECT', () => {
  test.for([
    'HTTP/1.1 200 OK',
    'HTTP/1.1 200 Tunnel established',
    'HTTP/1.0 200',
    'HTTP/1.1 200 Connected\r\nProxy-Agent: x',
  ])('%j', (line) => {
    const [message, ...others] = judge(Buffer.concat([raw([line]), created])).messages;
    expect([message?.verdict, message?.place.line, others]).toEqual([
      'pass',
      line.split('\r\n').length + 2,
      [],
    ]);
    expect(message?.notes).toEqual([expect.stringContaining('the response of a proxy to CONNECT')]);
  });

  test.for<readonly [what: string, messages: readonly Buffer[], count: number]>([
    ['alone', [raw(['HTTP/1.1 200 OK'])], 1],
    ['followed by a request', [raw(['HTTP/1.1 200 OK']), post], 1],
    ['that has a type', [raw(['HTTP/1.1 200 OK', 'Content-Type: text/html']), created], 2],
    ['that has a length', [raw(['HTTP/1.1 200 OK', 'Content-Length: 0']), created], 2],
    ['that belongs to a request', [post, raw(['HTTP/1.1 200 OK']), created], 2],
    ['of another status', [raw(['HTTP/1.1 201 OK']), created], 2],
  ])('is not assumed for a 200 %s', ([, messages, count]) => {
    const { messages: judged } = judge(Buffer.concat(messages));
    expect(judged).toHaveLength(count);
    expect(judged[0]?.verdict).toBe('fail');
  });
});

describe('additions and omissions of tools', () => {
  const json = 'Content-Type: application/json';
  const chunked = 'Transfer-Encoding: chunked';
  const plant = '{"name":"Aloe"}';

  test.for<readonly [what: string, bytes: Buffer]>([
    ['one', raw(['HTTP/1.1 200 OK', json, chunked, 'Trailer: X-A'], `${plant}x-a: b\r\n`)],
    [
      'several',
      raw(['HTTP/1.1 200 OK', json, chunked, 'trailer: X-A, X-B'], `${plant}\nx-a: b\r\nX-B: c\r\n`),
    ],
    ['over HTTP/2', raw(['HTTP/2 200 ', json, 'trailer: x-a'], `${plant}x-a: b\r\n`)],
    ['none', raw(['HTTP/2 200 ', json, 'trailer: x-a'], plant)],
  ])('the trailers that curl -i writes after a body are not part of it: %s', ([, bytes]) => {
    expect(judge(bytes).conclusion).toBe('conforms');
    expect(verdicts(bytes, created)).toHaveLength(2);
  });

  test.for<readonly [what: string, bytes: Buffer]>([
    ['that were not announced', raw(['HTTP/1.1 200 OK', json, chunked], `${plant}x-a: b\r\n`)],
    ['of another name', raw(['HTTP/1.1 200 OK', json, chunked, 'Trailer: x-b'], `${plant}x-a: b\r\n`)],
    ['in a string', raw(['HTTP/1.1 200 OK', json, chunked, 'Trailer: x-a'], '"x-a: b"\r\n')],
  ])('nothing else counts as trailers: %s', ([, bytes]) => {
    expect(judge(bytes).conclusion).toBe('does-not-conform');
  });

  test('the time that HTTPie prints is not part of a message', () => {
    const time = Buffer.from('\n\nElapsed time: 0.009199513s\n\n');
    const open = raw(['HTTP/1.1 200 OK', json, chunked], plant);
    expect(verdicts(post, open, time, post, created, time)).toEqual(['200 OK pass', '200 OK pass']);
    const sent = judge(Buffer.concat([post, open, time]), 'request');
    expect(sent.conclusion).toBe('conforms');
  });

  test.for<readonly [what: string, header: Buffer]>([
    ['a challenge', raw(['HTTP/1.1 401 No', json, chunked])],
    ['a challenge with a length', raw(['HTTP/1.1 401 No', json, 'Content-Length: 26'])],
    [
      'a challenge with a length, in gzip',
      raw(['HTTP/1.1 401 No', json, 'Content-Length: 26', 'Content-Encoding: gzip']),
    ],
    ['a response', raw(['HTTP/1.1 200 OK', json, 'Content-Length: 15'])],
  ])('%s of which only the header was saved is not judged, and does not pass', ([, header]) => {
    expect(judge(Buffer.concat([header, created])).messages).toMatchObject([
      {
        verdict: 'blocked',
        violations: [],
        reasons: ['its body was not saved: another message follows its header'],
      },
      { verdict: 'pass' },
    ]);
  });

  test('a body that looks like a message is a body if its length says so', () => {
    const body = created.toString();
    expect(
      judge(raw(['HTTP/1.1 400 No', json, `Content-Length: ${body.length}`], body)).messages,
    ).toMatchObject([{ verdict: 'fail', violations: [{ keyword: 'json' }] }]);
  });
});

describe('long input is read as fast as short input', { timeout: 30_000 }, () => {
  const LONG = 300_000;

  test.for<readonly [what: string, body: string]>([
    ['status lines in one line', 'HTTP/1.1 200 '.repeat(LONG / 13)],
    ['status lines after CR', 'HTTP/1.1 200 \r'.repeat(LONG / 14)],
    ['one word', 'x'.repeat(LONG)],
    ['names of fields', `${'x'.repeat(LONG)}\n${'y'.repeat(LONG)}`],
    ['a possible request line', `GET ${'HTTP/1.1 '.repeat(LONG / 9)}`],
    ['empty lines', '\n'.repeat(LONG)],
  ])('%s', ([, body]) => {
    const { messages } = judge(raw(['HTTP/1.1 200 OK', 'Content-Type: application/json'], `${body}\n`));
    expect(messages[0]?.verdict).toBe('fail');
  });

  test('requests and responses whose pairs are not certain', () => {
    const many = [...Array(20_000).fill(get), post, ...Array(10_000).fill(created)];
    expect(judge(Buffer.concat(many)).messages.every(({ verdict }) => verdict === 'blocked')).toBe(true);
  });

  test('a value in many lines', () => {
    const field = `X: ${'y\r\n y'.repeat(LONG / 2)}`;
    expect(
      judge(raw(['HTTP/1.1 200 OK', 'Content-Type: application/json', field], '{"name":"Aloe"}')).conclusion,
    ).toBe('conforms');
  });
});

describe('a response that accepts a request that must be rejected', () => {
  const fraction = rawRequest('{"name":"Fraction","id":1.5}');

  test('does not conform', () => {
    const { messages } = judge(Buffer.concat([post, created, fraction, created]));
    expect(messages.map(({ verdict }) => verdict)).toEqual(['pass', 'fail']);
    expect(messages[1]?.violations[0]).toMatchObject({
      keyword: 'accepted',
      message: 'accepted a wrong request: "id" must be an integer in the range of int64; got 1.5',
    });
  });

  test.each([
    ['the request is none of the operation', [rawRequest('{"id":7}', 'PUT /plants HTTP/1.1'), created]],
    ['the pair is not certain', [fraction, fraction, created]],
    ['it rejects', [fraction, rawResponse('{"error":1,"message":"a"}', '400 Bad Request')]],
  ])('is not blamed if %s', (_what, messages) => {
    expect(verdicts(...messages).join()).not.toContain('fail');
  });
});
