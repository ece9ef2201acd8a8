import { describe, expect, test } from 'vitest';
import type { Fields } from '../../../src/http/fields.js';
import type { JudgedInteraction, JudgedPact } from '../../../src/pact/verification/judge.js';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { type Seen, type VerifyReport, verifyReport } from '../../../src/pact/verification/report.js';
import { casesOf } from '../../../src/report/frame.js';
import { expectToMatchSchema } from '../report-schema.js';

const settings = await verifySettings({
  baseUrl: 'http://store/v1',
  token: 'the-token-of-the-run',
  broker: { url: 'http://broker', token: 'the-token-of-the-broker' },
  headers: [['X-Key', 'key of the gateway']],
});

const message = (text: string, headers: Fields = []) => ({
  headers,
  body: Buffer.from(text),
  bodyLength: text.length,
  trailers: [],
  complete: true,
});

function exchange(status: number, body: string, sent = '{"name":"Aloe","id":7}') {
  return {
    request: { method: 'POST', target: '/plants', ...message(sent) },
    response: { status, reason: '', ...message(body) },
    durationMs: 4.4,
  };
}

const passed: JudgedInteraction = {
  index: 0,
  description: 'a creation',
  states: [],
  verdict: 'pass',
  pending: false,
  mismatches: [],
  violations: [],
  sentAt: new Date(20),
  exchange: exchange(200, '{"name":"Aloe"}'),
};

const failed: JudgedInteraction = {
  ...passed,
  verdict: 'fail',
  mismatches: [
    { part: 'status', expected: '200', actual: '201', message: 'expected 200 but was 201' },
    { part: 'body', path: '$.name', message: 'Expected null to be a string' },
  ],
  violations: [
    {
      severity: 'error',
      part: 'body',
      pointer: '/id',
      keyword: 'additionalProperties',
      message: 'a 200 has only the fields of Plant',
      expected: 'no such field',
      actual: '7',
    },
  ],
  exchange: exchange(201, '{"name":null,"id":7}'),
};

function reportOf(
  interactions: readonly JudgedInteraction[],
  further: Partial<JudgedPact> = {},
  published?: Seen['published'],
): VerifyReport {
  const source = { where: 'a.json', text: '{}' };
  const judged = [{ source, consumer: 'garden', interactions, errors: [], ...further }];
  const seen = { judged, untestable: undefined, leftOut: [], published, startedAt: new Date(0) };
  const report = verifyReport(seen, settings);
  expectToMatchSchema(report);
  return report;
}

test('a pact is a group, and an interaction is a case with its states and its place', () => {
  const report = reportOf([passed, { ...passed, index: 1, states: ['one', 'two'] }]);
  expect(report).toMatchObject({
    kind: 'verify',
    subject: 'plant-store at http://store/v1',
    startedAt: '1970-01-01T00:00:00.000Z',
    conclusion: 'conforms',
    summary: 'The provider satisfies 2 of 2 interactions.',
    groups: [
      {
        title: 'garden → plant-store',
        detail: 'a.json',
        cases: [
          { id: 'a creation', verdict: 'pass', place: { file: 'a.json', pointer: '/interactions/0' } },
          { id: 'a creation, given one and two', durationMs: 4 },
        ],
      },
    ],
    exchanges: [
      { name: 'a creation', role: 'judged', request: { url: 'http://store/v1/plants' }, startMs: 20 },
      { response: { status: 200, complete: true } },
    ],
  });
});

test('cases of one description have different ids', () => {
  const ids = casesOf(reportOf([passed, passed, passed])).map(({ id }) => id);
  expect(ids).toEqual(['a creation', 'a creation (2)', 'a creation (3)']);
});

describe('a failure', () => {
  test('has evidence from Pact and from the interface, and a finding that says what is wrong', () => {
    const { findings, groups } = reportOf([passed, { ...failed, hint: 'Check the token.' }]);
    expect(findings).toEqual([
      {
        id: 'interaction-1',
        title: 'The response does not match the pact: expected 200 but was 201.',
        fix: 'Check the token.',
        cases: ['a creation (2)'],
      },
    ]);
    const [, failing] = groups[0]?.cases ?? [];
    const shared = { finding: 0, exchanges: [1] };
    expect(failing?.evidence).toEqual([
      {
        sent: 'POST http://store/v1/plants {"name":"Aloe","id":7}',
        where: 'pact: status',
        expected: 'the status 200',
        actual: 'the status 201',
        ...shared,
      },
      { where: 'pact: body $.name', actual: 'Expected null to be a string', ...shared },
      { where: 'interface: body /id', expected: 'no such field', actual: '7', ...shared },
    ]);
    expect(failing?.notes).toEqual(['Response: 201 {"name":null,"id":7}']);
  });

  test('of the interface alone names the interface; a body that is not UTF-8 is not quoted', () => {
    const response = { ...failed.exchange?.response, body: Buffer.from([0xff]) };
    const { findings, groups } = reportOf([
      passed,
      { ...failed, mismatches: [], exchange: { ...exchange(200, ''), response } as never },
    ]);
    expect(findings[0]?.title).toBe(
      'The response does not conform to the interface: a 200 has only the fields of Plant.',
    );
    expect(groups[0]?.cases[1]?.notes).toEqual(['Response: 201 (the body is not UTF-8)']);
  });

  test.each([
    [false, 'the pact marks it as pending'],
    [true, 'the broker marks it as pending'],
  ])('that is pending is excused (by a broker: %s)', (pending, reason) => {
    const source = { where: 'http://broker/1', text: '{}', pending };
    const report = reportOf([passed, { ...failed, pending: true }], { source });
    const { groups, conclusion, summary, counts } = report;
    expect(groups[0]?.cases[1]?.excuse).toEqual({ kind: 'pending', reason });
    expect(conclusion).toBe('conforms');
    expect(summary).toBe('The provider satisfies 1 of 2 interactions; 1 pending failure does not count.');
    expect(counts).toMatchObject({ pass: 1, fail: 1 });
  });
});

const blocked: JudgedInteraction = { ...passed, verdict: 'blocked', reason: 'the key is lost' };

test.each<[string, readonly JudgedInteraction[], Parameters<typeof reportOf>[1], string, string]>([
  ['fails', [passed, failed], {}, 'does-not-conform', 'The provider fails 1 of 2 interactions.'],
  [
    'fails, blocks and is pending',
    [passed, failed, blocked, { ...failed, pending: true }],
    {},
    'does-not-conform',
    'The provider fails 1 of 4 interactions; 1 pending failure does not count; 1 could not be verified.',
  ],
  [
    'is blocked',
    [passed, blocked],
    {},
    'incomplete',
    'The provider satisfies 1 of 2 interactions; 1 could not be verified.',
  ],
  [
    'has an error of Pact',
    [passed],
    { errors: ['Pact found no file'] },
    'incomplete',
    'The provider satisfies 1 of 1 interaction; Pact found no file.',
  ],
])('a provider that %s', (_what, interactions, further, conclusion, summary) => {
  const report = reportOf(interactions, further);
  expect([report.conclusion, report.summary]).toEqual([conclusion, summary]);
});

test('no secret is in the report, and no description is changed', () => {
  const secrets = 'the-token-of-the-run key of the gateway';
  const report = reportOf(
    [
      {
        ...failed,
        mismatches: [{ part: 'header', actual: secrets, message: secrets }],
        violations: [
          { ...(failed.violations[0] as never as object), actual: secrets, message: secrets } as never,
        ],
        reason: secrets,
        exchange: exchange(200, secrets, secrets),
      },
    ],
    {
      errors: ['the-token-of-the-broker'],
      source: { where: 'http://broker', text: '' },
    },
  );
  const text = JSON.stringify(report);
  for (const secret of ['the-token-of-the-run', 'key of the gateway', 'the-token-of-the-broker'])
    expect(text).not.toContain(secret);
  expect(text).toContain('$PLANT_STORE_TOKEN');
  expect(text).toContain('$PACT_BROKER_TOKEN');
});
