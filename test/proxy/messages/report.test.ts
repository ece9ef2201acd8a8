import { reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../../report/formats/hostile.js';
import { schemaErrors } from '../../report/formats/schema.js';
import { elementsOf, parseXml } from '../../report/formats/xml.js';
import { entry, har, judge, raw, rawRequest, rawResponse, TOKEN } from './stored.js';

const LEAK = '{"name":7,"id":7}';
const mixed = har([
  entry(),
  entry({ response: { content: { text: LEAK } } }),
  entry({ response: { content: { size: 15 } } }),
  entry({ response: { status: 401, content: { text: '{"error":1,"message":"no"}' } } }),
]);

/** A report as text, with a time that does not change. */
function textOf(report: ReturnType<typeof judge>, quiet = false): string {
  return reporters.text({ ...report, durationMs: 10 }, { quiet });
}

describe('the report', () => {
  test('has a case for each message, and a finding for each that fails', () => {
    const { groups, findings, counts, conclusion } = judge(mixed, 'response', { file: 'saved.har' });
    expect(conclusion).toBe('does-not-conform');
    expect(counts).toMatchObject({ pass: 2, fail: 1, blocked: 1 });
    expect(groups).toMatchObject([{ title: 'saved.har', detail: 'HAR' }]);
    const id = (at: number) => `200 to POST http://store/plants (/log/entries/${at}/response)`;
    expect(groups[0]?.cases).toMatchObject([
      { id: id(0), verdict: 'pass', place: { file: 'saved.har', pointer: '/log/entries/0/response' } },
      {
        verdict: 'fail',
        evidence: [
          { where: 'body /name', expected: 'a string', actual: '7', finding: 0 },
          { where: 'body /id', expected: 'only the fields "name" and "tag"', finding: 0 },
        ],
      },
      { verdict: 'blocked', detail: 'its body is not in the HAR file' },
      { verdict: 'pass' },
    ]);
    expect(findings).toMatchObject([{ cases: [id(1)] }]);
  });

  test('of a message with warnings alone says that it conforms, and with an error and a warning has both', () => {
    const notFound = entry({ response: { status: 404, content: { text: 'no such plant' } } });
    const report = judge(har([notFound]));
    expect(report).toMatchObject({
      conclusion: 'conforms',
      counts: { warn: 1 },
      messages: [{ verdict: 'warn', violations: [{ severity: 'warning' }] }],
      findings: [{ severity: 'warning' }],
    });
    expect(textOf(report)).toMatch(/conforms, with 1 warning: 1 warning in/);
    expect(textOf(report)).toContain('The response conforms, with warnings.');
    expect(reporters.github(report)).toMatch(/^::warning /);
    expect(judge(har([notFound]), 'response', { strict: true })).toMatchObject({
      conclusion: 'does-not-conform',
      messages: [{ verdict: 'fail' }],
    });
    const accepted = entry({
      request: { postData: { text: '{"name":"Aloe","id":7,"tag":null}' } },
      response: { content: { text: '{"name":"Aloe","id":7}' } },
    });
    expect(judge(har([accepted]))).toMatchObject({
      conclusion: 'does-not-conform',
      findings: [
        { title: 'a Plant has no field "id"; got 7' },
        { title: expect.stringContaining('accepted a wrong request'), severity: 'warning' },
      ],
    });
  });

  test('has one finding for messages with the same mistake, of which the text shows one', () => {
    const wrong = entry({ response: { status: 201 } });
    const report = judge(har([wrong, entry(), wrong, wrong, wrong]));
    expect(report.findings).toMatchObject([
      { id: 'finding-1', cases: [0, 2, 3, 4].map((at) => expect.stringContaining(`/log/entries/${at}/`)) },
    ]);
    expect(report.groups[0]?.cases.flatMap(({ evidence }) => evidence.map((one) => one.finding))).toEqual([
      0, 0, 0, 0,
    ]);
    const text = textOf(report);
    expect(text.match(/^ {5}got +201/gm)).toHaveLength(1);
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(
      /Cases: [^;]*entries\/0\/[^;]*; [^;]*entries\/2\/.*; 1 more/,
    );
  });

  test('of standard input names no file', () => {
    const { subject, groups } = judge(mixed, 'response', { file: '-' });
    expect(subject).toBe('responses in standard input');
    expect(groups[0]?.cases[0]?.place).toEqual({ pointer: '/log/entries/0/response' });
  });

  test.for<readonly [summary: string, bytes: Buffer]>([
    ['The response conforms.', har([entry()])],
    ['All 2 responses conform.', har([entry(), entry(), entry({ response: { status: 0 } })])],
    ['The response does not conform.', rawResponse('{}')],
    ['1 of 4 responses does not conform.', mixed],
    ['The response could not be judged completely.', har([entry({ response: { content: { size: 15 } } })])],
  ])('"%s"', ([summary, bytes]) => {
    expect(judge(bytes).summary).toBe(summary);
  });

  test('counts the entries of a HAR that are not judged', () => {
    const other = entry({ request: { method: 'GET' } });
    expect(judge(har([entry()])).remarks).toEqual([]);
    expect(judge(har([other, entry()])).remarks).toEqual([
      '1 other entry of the HAR file was not judged: only POST …/plants is.',
    ]);
    expect(judge(har([other, entry(), other])).remarks).toEqual([
      '2 other entries of the HAR file were not judged: only POST …/plants is.',
    ]);
  });

  test('follows the schema', () => {
    const body = Buffer.from('{"name":7}');
    const reports = [judge(mixed), judge(har([entry()])), judge(body, 'response', { as: 'plant' })];
    expect(reports.map(schemaErrors)).toEqual([[], [], []]);
  });
});

describe('as text', () => {
  test('of a raw message', () => {
    expect(textOf(judge(rawResponse(LEAK)))).toMatchInlineSnapshot(`
      "responses in stored (interface 1.0.0)

      1. "name" must be a string; got 7 (and 1 more violation)
         Case: HTTP/1.1 200 OK (stored)
           where      body /name
           expected   a string
           got        7
           where      body /id
           expected   only the fields "name" and "tag"
           got        7

      does not conform: 1 fail in 0.01 s
      The response does not conform.
      "
    `);
    expect(textOf(judge(mixed), true)).not.toContain('✓');
  });

  test('of a body alone', () => {
    const bytes = Buffer.from('{"name":"Aloe","id":9223372036854775808}');
    expect(textOf(judge(bytes, 'request', { file: '-', as: 'new-plant' }))).toMatchInlineSnapshot(`
      "requests in standard input (interface 1.0.0)

      1. "id" must be an integer in the range of int64; got 9223372036854775808
         Case: the body as a NewPlant
           where      body /id
           expected   an integer in the range of int64
           got        9223372036854775808

      does not conform: 1 fail in 0.01 s
      The request does not conform.
      "
    `);
  });

  test('no colour comes from a message', () => {
    const bytes = rawResponse('{"name":"Aloe","\\u001b[31m":1}', '200 \u00a0\u0085');
    expect(textOf(judge(bytes))).not.toContain('\u001b');
  });
});

test('an annotation is at the file', () => {
  const text = reporters.github(judge(rawResponse(LEAK), 'response', { file: 'a:b,c.http' }));
  expect(text).toContain('::error file=a%3Ab%2Cc.http,title=HTTP/1.1 200 OK::');
});

/** A report in every format. */
function everyText(report: ReturnType<typeof judge>): string {
  return Object.values(reporters)
    .map((reporter) => reporter(report))
    .join('\n');
}

describe('text that means something to a format stays text', () => {
  test('in JUnit and GitHub', () => {
    const report = judge(rawResponse(JSON.stringify({ name: 7, [HOSTILE]: HOSTILE })));
    expect(elementsOf(parseXml(reporters.junit(report)), 'script')).toEqual([]);
    const lines = reporters.github(report).split('\n');
    expect(lines.filter((line) => line.startsWith('::'))).toHaveLength(1);
    expect(lines.some((line) => !line.startsWith('::') && line.includes('##['))).toBe(false);
  });

  test('at the beginning of a line', () => {
    const forged = 'x\n::error::forged\r::warning::forged\u2028::notice::forged';
    const url = 'http://h/\n::warning::x\n/plants';
    const text = JSON.stringify({ name: 7, [forged]: forged });
    const stored = har([
      entry({ request: { url }, response: { content: { text } } }),
      entry({ request: { url }, response: { status: 0 } }),
    ]);
    const report = judge(stored, 'response', { file: 'a\n::error::b.har' });
    expect(reporters.text(report)).toContain('\\n::error::forged\\r::warning::forged\\u2028');
    expect(reporters.text(report)).not.toMatch(/^\s*::/mu);
    const lines = reporters.github(report).split(/[\r\n]/);
    expect(lines.filter((line) => line.startsWith('::'))).toHaveLength(1);
    expect(elementsOf(parseXml(reporters.junit(report)), 'testcase')).toHaveLength(2);
  });
});

describe('no report contains a token', () => {
  const body = JSON.stringify({ name: 7, tag: [TOKEN], id: TOKEN, [TOKEN]: 1 });
  const sent = JSON.stringify({
    name: 7,
    [TOKEN]: `the token ${TOKEN}`,
    long: `${'x'.repeat(45)}${TOKEN}`,
  });

  test('of a HAR', () => {
    const request = {
      url: `http://store/${TOKEN}/plants?t=${TOKEN}`,
      postData: { mimeType: 'application/json', text: body },
      bodySize: -1,
    };
    const bytes = har([entry({ request, response: { content: { text: sent } } })]);
    for (const kind of ['request', 'response'] as const) {
      const text = everyText(judge(bytes, kind));
      expect(text).not.toContain(TOKEN);
      expect(text).not.toContain(TOKEN.slice(0, 12));
      expect(text).toContain('must be a');
    }
  });

  test('of a raw request', () => {
    const line = `POST /${TOKEN}/plants?t=${TOKEN} HTTP/1.1`;
    const text = everyText(judge(rawRequest(body, line), 'request'));
    expect(text).not.toContain(TOKEN);
    expect(text).toContain('must be a');
  });

  test('of another scheme, or malformed', () => {
    const head = ['POST /plants HTTP/1.1', `Authorization: Basic ${TOKEN}, "${TOKEN}"`];
    const text = everyText(judge(raw(head, `{"id":"${TOKEN}"}`), 'request'));
    expect(text).not.toContain(TOKEN);
    expect(text).toContain('the scheme of the Authorization header is not Bearer');
  });

  test('in UTF-8', () => {
    const fields = Buffer.from('POST /plants HTTP/1.1\r\nAuthorization: Bearer gänseblümchen\r\n\r\n');
    const bytes = Buffer.concat([fields, Buffer.from('{"name":"Aloe","gänseblümchen":1}')]);
    const text = JSON.stringify(judge(bytes, 'request').messages);
    expect(text).not.toContain('blümchen');
  });

  test('that is short', () => {
    const text = JSON.stringify({ name: 7, secret: 'secret', secrets: 1 });
    const [message] = judge(har([authorized('secret', text)])).messages;
    expect(message?.violations.map(({ pointer }) => pointer)).toEqual(['/name', '/[redacted]', '/secrets']);
  });

  test('of thousands of messages with thousands of tokens', { timeout: 30_000 }, () => {
    const COUNT = 1000;
    const token = (at: number) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${String(at).padStart(6, '0')}`;
    const entries = Array.from({ length: COUNT }, (_, at) =>
      authorized(token(at), JSON.stringify({ name: 7, [token(at)]: 1, [token(Math.max(at - 9, 0))]: 2 })),
    );
    const { messages } = judge(har(entries));
    const pointers = messages.map(({ violations }) => violations.map(({ pointer }) => pointer));
    expect(pointers).toHaveLength(COUNT);
    expect(new Set(pointers.slice(1).map(String))).toEqual(new Set(['/name,/[redacted],/[redacted]']));
  });
});

function authorized(token: string, text: string) {
  const headers = [{ name: 'authorization', value: `Bearer ${token}` }];
  return entry({ request: { headers }, response: { content: { text } } });
}
