import { reporters } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { HOSTILE } from '../../report/formats/hostile.js';
import { schemaErrors } from '../../report/formats/schema.js';
import { elementsOf, parseXml } from '../../report/formats/xml.js';
import { entry, har, judge, raw, rawResponse, TOKEN } from './stored.js';

const LEAK = '{"name":7,"id":7}';
const mixed = har([
  entry(),
  entry({ response: { content: { text: LEAK } } }),
  entry({ response: { content: { size: 15 } } }),
  entry({ response: { content: { text: LEAK } } }),
]);

/** A report as text, with a time that does not change. */
function textOf({ messages: _messages, ...report }: ReturnType<typeof judge>): string {
  return reporters.text({ ...report, durationMs: 10 });
}

describe('the report', () => {
  test('has a case for each message, and a finding for each kind of violation', () => {
    const { groups, findings, counts, conclusion, violationKinds } = judge(mixed, 'response', {
      file: 'saved.har',
    });
    expect(conclusion).toBe('does-not-conform');
    expect(counts).toMatchObject({ pass: 1, fail: 2, blocked: 1 });
    const id = (at: number) => `200 to POST http://store/plants (/log/entries/${at}/response)`;
    const evidence = [
      { where: 'body /name', expected: 'a string', actual: '7', finding: 0 },
      { where: 'body /id', expected: 'only the fields "name" and "tag"', actual: '7', finding: 1 },
    ];
    expect(groups).toMatchObject([
      {
        title: 'saved.har',
        cases: [
          { id: id(0), verdict: 'pass' },
          { verdict: 'fail', evidence },
          { verdict: 'blocked', detail: 'its body is not in the HAR file, or not all of it' },
          { verdict: 'fail', evidence },
        ],
      },
    ]);
    // Its id has the pointer.
    expect(groups[0]?.cases[0]?.place).toEqual({ file: 'saved.har' });
    expect(findings).toMatchObject([
      { title: 'response /name: "name" must be a string; got 7', cases: [id(1), id(3)] },
      { title: 'response /id: a Plant has no field "id"; got 7', cases: [id(1), id(3)] },
    ]);
    expect(violationKinds).toMatchObject([
      { keyword: 'type', count: 2 },
      { keyword: 'additionalProperties' },
    ]);
  });

  test('of a message with warnings alone says that it conforms; with an error and a warning it has both', () => {
    const notFound = entry({ response: { status: 404, content: { text: 'no such plant' } } });
    const report = judge(har([notFound]));
    expect(report).toMatchObject({
      conclusion: 'conforms',
      messages: [{ verdict: 'warn' }],
      findings: [{ severity: 'warning' }],
    });
    expect(textOf(report)).toMatch(/conforms, with 1 warning: 1 warning in/);
    expect(textOf(report)).toContain('The response conforms, with warnings.');
    expect(judge(har([notFound]), 'response', { strict: true }).messages).toMatchObject([
      { verdict: 'fail' },
    ]);
    const accepted = entry({
      request: { postData: { text: '{"name":"Aloe","id":7,"tag":null}' } },
      response: { content: { text: '{"name":"Aloe","id":7}' } },
    });
    const { messages, findings } = judge(har([accepted]));
    expect(messages).toMatchObject([{ verdict: 'fail', keywords: ['accepted', 'additionalProperties'] }]);
    expect(findings.map(({ severity = 'error' }) => severity)).toEqual(['error', 'warning']);
  });

  test.for<readonly [summary: string, bytes: Buffer]>([
    ['The response conforms.', har([entry()])],
    ['All 2 responses conform.', har([entry(), entry(), entry({ response: { status: 0 } })])],
    ['The response does not conform.', rawResponse('{}')],
    ['2 of 4 responses do not conform.', mixed],
    ['The response could not be judged completely.', har([entry({ response: { content: { size: 15 } } })])],
  ])('"%s"', ([summary, bytes]) => {
    expect(judge(bytes).summary).toBe(summary);
  });

  test('follows the schema', () => {
    const body = Buffer.from('{"name":7}');
    const reports = [judge(mixed), judge(har([entry()])), judge(body, 'response', { as: 'plant' })];
    expect(reports.map(({ messages: _messages, ...report }) => schemaErrors(report))).toEqual([[], [], []]);
  });

  test('as text, of a body alone', () => {
    const bytes = Buffer.from('{"name":7,"id":9223372036854775808}');
    expect(textOf(judge(bytes, 'request', { file: '-', as: 'new-plant' }))).toMatchInlineSnapshot(`
      "requests in standard input (interface 1.0.0)

      1. request /name: "name" must be a string; got 7
         Case: the body as a NewPlant
           where      body /name
           expected   a string
           got        7

      2. request /id: "id" must be an integer in the range of int64; got
         9223372036854775808
         Case: the body as a NewPlant
           where      body /id
           expected   an integer in the range of int64
           got        9223372036854775808

      does not conform: 1 fail in 0.01 s
      The request does not conform.
      "
    `);
  });
});

/** A report in every format. */
function everyText(report: ReturnType<typeof judge>): string {
  return Object.values(reporters)
    .map((reporter) => reporter(report))
    .join('\n');
}

test('text that means something to a format stays text', () => {
  const forged = 'x\n::error::forged\r::warning::forged\u2028::notice::forged';
  const url = 'http://h/\n::warning::x\n/plants';
  const text = JSON.stringify({ name: 7, [forged]: forged, [HOSTILE]: HOSTILE, '\u001b[31m': 1 });
  const stored = har([
    entry({ request: { url }, response: { content: { text } } }),
    entry({ request: { url }, response: { status: 0 } }),
  ]);
  const report = judge(stored, 'response', { file: 'a\n::error::b.har' });
  const shown = reporters.text(report);
  expect(shown).toContain('\\n::error::forged\\r::warning::forged\\u2028');
  expect(shown).not.toMatch(/^\s*::/mu);
  expect(shown).not.toContain('\u001b');
  const lines = reporters.github(report).split(/[\r\n]/);
  expect(lines.filter((line) => line.startsWith('::'))).toHaveLength(1);
  expect(lines.some((line) => !line.startsWith('::') && line.includes('##['))).toBe(false);
  const xml = parseXml(reporters.junit(report));
  expect([elementsOf(xml, 'testcase').length, elementsOf(xml, 'script')]).toEqual([2, []]);
});

describe('no report contains a token', () => {
  const body = JSON.stringify({ name: 7, tag: [TOKEN], id: TOKEN, [TOKEN]: 1 });
  const sent = JSON.stringify({ name: 7, [TOKEN]: `the ${TOKEN}`, long: `${'x'.repeat(45)}${TOKEN}` });

  test('of a HAR', () => {
    const request = {
      url: `http://store/${TOKEN}/plants?t=${TOKEN}`,
      postData: { mimeType: 'application/json', text: body },
      bodySize: -1,
    };
    const bytes = har([entry({ request, response: { content: { text: sent } } })]);
    for (const kind of ['request', 'response'] as const) {
      const text = everyText(judge(bytes, kind));
      expect(text).not.toContain(TOKEN.slice(0, 12));
      expect(text).toContain('must be a');
    }
  });

  test.for([
    ['right', `Bearer ${TOKEN}`],
    ['of another scheme', `Basic ${TOKEN}, "${TOKEN}"`],
  ])('of a raw request whose credentials are %s', ([, authorization]) => {
    const line = `POST /${TOKEN}/plants?t=${TOKEN} HTTP/1.1`;
    const text = everyText(judge(raw([line, `Authorization: ${authorization}`], body), 'request'));
    expect(text).not.toContain(TOKEN);
    expect(text).toContain('must be a');
  });

  test('in UTF-8', () => {
    const fields = Buffer.from('POST /plants HTTP/1.1\r\nAuthorization: Bearer gänseblümchen\r\n\r\n');
    const bytes = Buffer.concat([fields, Buffer.from('{"name":"Aloe","gänseblümchen":1}')]);
    expect(JSON.stringify(judge(bytes, 'request'))).not.toContain('blümchen');
  });

  test('of many messages with a token each', () => {
    const token = (at: number) => `eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.${String(at).padStart(6, '0')}`;
    const entries = Array.from({ length: 300 }, (_, at) => {
      const headers = [{ name: 'authorization', value: `Bearer ${token(at)}` }];
      const text = JSON.stringify({ name: 7, [token(at)]: 1, [token(Math.max(at - 9, 0))]: 2 });
      return entry({ request: { headers }, response: { content: { text } } });
    });
    expect(JSON.stringify(judge(har(entries)))).not.toContain('eyJ');
  });
});
