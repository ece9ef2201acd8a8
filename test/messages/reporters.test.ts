import { describe, expect, test } from 'vitest';
import type { MessagesReport } from '../../src/messages/report.js';
import { messagesGithub } from '../../src/messages/reporting/messages-github.js';
import { messagesJson } from '../../src/messages/reporting/messages-json.js';
import { messagesJunit } from '../../src/messages/reporting/messages-junit.js';
import { messagesText } from '../../src/messages/reporting/messages-text.js';
import { HOSTILE } from '../reporters/hostile.js';
import { elementsOf, parseXml } from '../reporters/xml.js';
import { entry, har, judge, raw, rawRequest, rawResponse, TOKEN } from './stored.js';

const mixed = Buffer.concat([
  rawResponse('{"name":"Aloe"}'),
  rawResponse('{"name":7,"id":7}', '200 Fine'),
  rawResponse('\x28\xb5', '200 OK', 'Content-Encoding: zstd'),
  raw(
    ['HTTP/1.1 401 No', 'Content-Type: application/json', 'Transfer-Encoding: chunked'],
    '{"error":1,"message":"no"}',
  ),
]);

describe('what a person reads', () => {
  test('of raw messages', () => {
    expect(messagesText(judge(mixed))).toMatchInlineSnapshot(`
      "responses in stored (raw, interface 1.0.0)

        ✓ HTTP/1.1 200 OK (line 1, byte 0)
        ✗ HTTP/1.1 200 Fine (line 5, byte 86)
            body /name "name" must be a string; got 7
              expected  a string
              got       7
            body /id a 200 carries the fields of Plant only; got "id" as well (7)
              expected  the fields "name" and, when present, "tag"
              got       7
        ■ HTTP/1.1 200 OK (line 9, byte 176)
            not judged: the Content-Encoding "zstd" is not known here
        ✓ HTTP/1.1 401 No (line 14, byte 273)
            note: its chunks were put together before it was stored, and the body is taken as it stands

      does not conform: 2 pass, 1 fail, 1 blocked
      1 of 4 responses does not keep to the interface.
      "
    `);
    expect(messagesText(judge(mixed), { quiet: true })).toMatchInlineSnapshot(`
      "responses in stored (raw, interface 1.0.0)

        ✗ HTTP/1.1 200 Fine (line 5, byte 86)
            body /name "name" must be a string; got 7
              expected  a string
              got       7
            body /id a 200 carries the fields of Plant only; got "id" as well (7)
              expected  the fields "name" and, when present, "tag"
              got       7
        ■ HTTP/1.1 200 OK (line 9, byte 176)
            not judged: the Content-Encoding "zstd" is not known here

      does not conform: 2 pass, 1 fail, 1 blocked
      1 of 4 responses does not keep to the interface.
      "
    `);
  });

  test('of a HAR', () => {
    const request = { url: 'http://ann:pass@store/plants?access_token=abc#top' };
    const bytes = har([entry(), entry({ request }), entry({ response: { status: 0 } })]);
    expect(messagesText(judge(bytes, 'response', { file: 'a\u0007.har' }))).toMatchInlineSnapshot(`
      "responses in a\\u0007.har (har, interface 1.0.0)

        ✓ 200 to POST http://store/plants (/log/entries/0/response)
        ✓ 200 to POST http://store/plants?… (/log/entries/1/response)
        – no answer to POST http://store/plants (/log/entries/2/response)
            not judged: no response came

      conforms: 2 pass, 1 not-applicable
      All 2 responses keep to the interface.
      "
    `);
  });

  test('of a body alone', () => {
    const bytes = Buffer.from('{"name":"Aloe","id":9223372036854775808}');
    const options = { file: '-', as: 'new-plant' } as const;
    expect(messagesText(judge(bytes, 'request', options))).toMatchInlineSnapshot(`
      "requests in standard input (json, interface 1.0.0)

        ✗ the body as a NewPlant
            body /id "id" must be an integer in the range of int64; got 9223372036854775808
              expected  an integer in the range of int64
              got       9223372036854775808

      does not conform: 1 fail
      The request does not keep to the interface.
      "
    `);
  });

  test('of one message that could not be judged wholly', () => {
    const { summary } = judge(har([entry({ response: { content: { size: 15 } } })]));
    expect(summary).toBe('The response could not be judged wholly.');
  });

  test('colour comes only when asked for, and none of it from a message', () => {
    const bytes = rawResponse('{"name":"Aloe","\\u001b[31m":1}', '200 \u00a0\u0085');
    expect(messagesText(judge(bytes))).not.toContain('\u001b');
    const text = messagesText(judge(bytes), { color: true });
    expect(text).toContain('\u001b[31m✗');
    expect(text).toContain('\\u0085');
    expect(text).toContain('body /\\u001b[31m');
  });
});

describe('JUnit', () => {
  test('has a case for each message', () => {
    const root = parseXml(messagesJunit(judge(mixed, 'response', { file: 'saved.http' })));
    expect(root.attributes).toMatchObject({ tests: '4', failures: '1', errors: '1', skipped: '0' });
    const cases = elementsOf(root, 'testcase');
    expect(
      cases.map(({ attributes, children }) => [attributes.name, children.map(({ name }) => name)]),
    ).toEqual([
      ['HTTP/1.1 200 OK (line 1, byte 0)', []],
      ['HTTP/1.1 200 Fine (line 5, byte 86)', ['failure']],
      ['HTTP/1.1 200 OK (line 9, byte 176)', ['error']],
      ['HTTP/1.1 401 No (line 14, byte 273)', ['system-out']],
    ]);
    const [failure] = elementsOf(root, 'failure');
    expect(failure?.attributes.message).toBe('"name" must be a string; got 7');
    expect(failure?.text).toContain('body /id: a 200 carries the fields of Plant only');
    expect(failure?.text).toContain('expected  a string\ngot       7');
    expect(elementsOf(root, 'error')[0]?.attributes.message).toContain('"zstd" is not known here');
  });

  test('skips what is not judged', () => {
    const root = parseXml(messagesJunit(judge(har([entry(), entry({ response: { status: 0 } })]))));
    expect(root.attributes).toMatchObject({ tests: '2', skipped: '1' });
  });
});

describe('annotations of GitHub', () => {
  test('stand at the line of the file', () => {
    expect(messagesGithub(judge(mixed, 'response', { file: 'a:b,c.http' }))).toBe(
      [
        '::error file=a%3Ab%2Cc.http,line=5,title=HTTP/1.1 200 Fine (line 5%2C byte 86)::body /name: "name" must be a string; got 7%0Aexpected  a string%0Agot       7%0Abody /id: a 200 carries the fields of Plant only; got "id" as well (7)%0Aexpected  the fields "name" and, when present, "tag"%0Agot       7',
        '::warning file=a%3Ab%2Cc.http,line=9,title=HTTP/1.1 200 OK (line 9%2C byte 176)::not judged: the Content-Encoding "zstd" is not known here',
        'responses in a:b,c.http: 2 pass, 1 fail, 1 blocked. 1 of 4 responses does not keep to the interface.',
        '',
      ].join('\n'),
    );
  });

  test('stand nowhere where there is no file', () => {
    const text = messagesGithub(judge(mixed, 'response', { file: '-' }));
    expect(text).toContain('::error title=HTTP/1.1 200 Fine');
    expect(text).toContain('responses in standard input: ');
  });
});

test('json is the report itself, and nothing else', () => {
  const report = judge(mixed);
  expect(JSON.parse(messagesJson(report))).toEqual(report);
  expect(Object.keys(report)).toEqual([
    ...['validateVersion', 'interfaceVersion', 'file', 'kind', 'format', 'conclusion', 'summary', 'messages'],
  ]);
});

/** Every form in which a report leaves the command. */
function everyText(report: MessagesReport): string {
  return [messagesText(report), messagesJson(report), messagesJunit(report), messagesGithub(report)].join(
    '\n',
  );
}

test('text that means something to a reporter stays text', () => {
  const report = judge(rawResponse(JSON.stringify({ name: 7, [HOSTILE]: HOSTILE })));
  expect(elementsOf(parseXml(messagesJunit(report)), 'script')).toEqual([]);
  const lines = messagesGithub(report).split('\n');
  expect(lines.filter((line) => line.startsWith('::'))).toHaveLength(1);
  expect(lines.some((line) => !line.startsWith('::') && line.includes('##['))).toBe(false);
});

test('nothing that a message says begins a line of a report', () => {
  const forged = 'x\n::error::forged\r::warning::forged\u2028::notice::forged';
  const url = 'http://h/\n::warning::x\n/plants';
  const answer = JSON.stringify({ name: 7, [forged]: forged });
  const stored = har([
    entry({ request: { url }, response: { content: { text: answer } } }),
    entry({ request: { url }, response: { status: 0 } }),
  ]);
  const report = judge(stored, 'response', { file: 'a\n::error::b.har' });
  const [text, github, junit] = [messagesText(report), messagesGithub(report), messagesJunit(report)];
  expect(text).toContain('x\\n::error::forged\\r::warning::forged\\u2028');
  expect(text).toContain('http://h/\\n::warning::x\\n/plants');
  expect(text).not.toMatch(/^\s*::/mu);
  expect(github.split(/[\r\n]/).filter((line) => line.startsWith('::'))).toHaveLength(1);
  expect(elementsOf(parseXml(junit), 'testcase')).toHaveLength(2);
});

describe('a token stands in no report', () => {
  const body = JSON.stringify({ name: 7, tag: [TOKEN], id: TOKEN, [TOKEN]: 1 });
  const answer = JSON.stringify({
    name: 7,
    [TOKEN]: `the token ${TOKEN}`,
    long: `${'x'.repeat(45)}${TOKEN}`,
  });

  test.for<readonly [what: string, bytes: Buffer]>([
    [
      'of a stream',
      Buffer.concat([rawRequest(body, `POST /${TOKEN}/plants?t=${TOKEN} HTTP/1.1`), rawResponse(answer)]),
    ],
    [
      'of a stream with what is no creation',
      Buffer.concat([
        rawRequest(body),
        rawResponse(answer),
        rawRequest('', `GET /${TOKEN} HTTP/1.1`),
        rawResponse(''),
      ]),
    ],
    [
      'of a HAR',
      har([
        entry({
          request: { url: `http://${TOKEN}@store/${TOKEN}/plants?${TOKEN}`, postData: { text: body } },
          response: { content: { text: answer } },
        }),
      ]),
    ],
  ])('%s', ([, bytes]) => {
    for (const kind of ['request', 'response'] as const) {
      const text = everyText(judge(bytes, kind));
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(TOKEN.slice(0, 12));
      expect(text).toContain('must be a');
    }
  });

  test('of another scheme, or malformed', () => {
    const head = ['POST /plants HTTP/1.1', `Authorization: Basic ${TOKEN}, "${TOKEN}"`];
    const text = everyText(judge(raw(head, `{"id":"${TOKEN}"}`), 'request'));
    expect(text).not.toContain(TOKEN);
    expect(text).toContain('another scheme than Bearer');
  });
});
