import { type AuditReport, auditPact, type PactProblem, pactProblemKinds } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { expectToMatchSchema } from '../report-schema.js';
import { ANY_REJECTION, type InteractionPatch, pactOf } from './one-interaction.js';
import { rows } from './rows.js';

function problemsIn({ pacts }: AuditReport): PactProblem[] {
  return pacts.flatMap(({ interactions }) => interactions.flatMap(({ problems }) => problems));
}

function foundIn(report: AuditReport): string[] {
  return problemsIn(report)
    .map(({ kind, pointer }) => `${kind} ${pointer}`)
    .sort();
}

describe('a pact of one interaction', () => {
  test.for(rows)('%s', ([_title, patch, problems]) => {
    const audit = auditPact(pactOf(patch));
    const expected = problems.map((problem) => problem.replace(' ', ' /interactions/0'));
    expect(foundIn(audit)).toEqual(expected.sort());
    expectToMatchSchema(audit);
    expect(audit.conclusion).toBe(problems.length === 0 ? 'conforms' : 'does-not-conform');
  });

  test('exists for every kind of problem', () => {
    const kinds = new Set(rows.flatMap(([, , problems]) => problems.map((problem) => problem.split(' ')[0])));
    // Another interaction shows that a token is right: see the tests of several.
    const all = Object.keys(pactProblemKinds).filter((kind) => kind !== 'rejected-valid-request');
    expect([...kinds].sort()).toEqual(all.sort());
  });
});

describe('a problem', () => {
  test('says what is wrong, and where', () => {
    const report = auditPact(pactOf({ request: { body: { name: 'Aloe', id: '7' } } }));
    expect(problemsIn(report)).toEqual([
      {
        kind: 'invalid-request',
        where: 'request body "id"',
        message:
          'Success is expected, but "id" must be an integer in the range of int64; got the string "7".',
        pointer: '/interactions/0/request/body/id',
        line: 1,
      },
    ]);
  });

  test('contains no token', () => {
    const Authorization = ['Secret', 'Basic Secret', 'Bearer', ''];
    for (const value of Authorization) {
      const audit = auditPact(pactOf({ request: { headers: { Authorization: value } } }));
      expect(audit.conclusion).toBe('does-not-conform');
      expect(JSON.stringify(audit)).not.toContain('Secret');
    }
  });
});

describe('a value that is generated', () => {
  const wrong = { name: 7, id: '7', tag: null };

  test.for<readonly [path: string, stillWrong: readonly string[]]>([
    ['$.id', ['name', 'tag']],
    ["$['id']", ['name', 'tag']],
    ['$.id[0]', ['name', 'tag']],
    ['$.*', []],
    ['$', []],
    ['$.other', ['id', 'name', 'tag']],
  ])('by %s is not judged', ([path, stillWrong]) => {
    const generators = { body: { [path]: { type: 'RandomInt' } } };
    const report = auditPact(pactOf({ request: { body: wrong, generators }, response: { body: undefined } }));
    expect(
      problemsIn(report)
        .map(({ where }) => where)
        .sort(),
    ).toEqual(stillWrong.map((field) => `request body "${field}"`));
  });
});

describe('several interactions', () => {
  const success: InteractionPatch = { version: '4.0', request: { headers: { Authorization: 'Bearer abc' } } };

  test('a token with which success is expected explains no rejection, but another one and an unknown state do', () => {
    const rejection = { ...success, description: 'a wrong token', response: ANY_REJECTION };
    expect(foundIn(auditPact(pactOf(success, rejection)))).toEqual([
      'rejected-valid-request /interactions/1/response/status',
    ]);
    const plants = [
      { name: 'Aloe', id: 3_000_000_000 },
      { name: 'Aloe', id: 9223372036854775807n },
      { name: 'Aloe', id: 7, tag: 'succulent' },
      { name: '', id: -1 },
    ];
    for (const body of plants)
      expect(
        foundIn(auditPact(pactOf(success, { ...rejection, request: { ...success.request, body } }))),
      ).toHaveLength(1);
    const explained = { ...rejection, states: [{ name: 'the store is closed' }] };
    expect(foundIn(auditPact(pactOf(success, explained)))).toEqual([]);
    const another = { ...rejection, request: { headers: { Authorization: 'Bearer abcd' } } };
    expect(foundIn(auditPact(pactOf(success, another)))).toEqual([]);
  });

  test('a state that calls the token invalid explains its rejection, but not that of another token', () => {
    const rejection = (token: string): InteractionPatch => ({
      ...success,
      description: 'a creation',
      states: [{ name: 'the token is not valid', params: { token } }],
      response: ANY_REJECTION,
    });
    expect(foundIn(auditPact(pactOf(success, rejection('abc'))))).toEqual([]);
    expect(foundIn(auditPact(pactOf(success, rejection('xyz'))))).toHaveLength(1);
  });
});

test('a report has a case for each interaction, and a finding for each kind of problem', () => {
  const report = auditPact(
    pactOf(
      { states: [{ name: 'no plant with id' }] },
      {
        description: 'wrong',
        request: { headers: { Authorization: undefined }, body: { id: '7', colour: 1 } },
      },
    ),
    'shop.json',
  );
  expectToMatchSchema(report);
  expect(report.subject).toBe('shop → plant-store');
  expect(report.summary).toBe(
    '4 problems in 1 of 2 interactions: they rely on more than the interface promises.',
  );
  expect(report.findings.map(({ id, cases }) => [id, cases])).toEqual([
    ['unknown-field', ['wrong (1)']],
    ['no-valid-token', ['wrong (1)']],
    ['invalid-request', ['wrong (1)']],
  ]);
  expect(report.groups).toMatchObject([
    {
      title: 'shop → plant-store',
      detail: 'shop.json',
      cases: [
        { id: 'a creation, given no plant with id', verdict: 'pass', evidence: [] },
        {
          id: 'wrong (1)',
          verdict: 'fail',
          place: { file: 'shop.json', line: 1, pointer: '/interactions/1' },
          evidence: [
            {
              where: 'request header "authorization", line 1',
              actual:
                'Success is expected, but the Authorization header is missing. (interface: Authentication, rule 2)',
              finding: 1,
            },
            { finding: 2 },
            { finding: 2 },
            { where: 'request body "colour", line 1', finding: 0 },
          ],
        },
      ],
    },
  ]);
});

test('a problem has the line of its value', () => {
  const pact = JSON.stringify(JSON.parse(pactOf({ response: { body: { name: 'Aloë', id: 7 } } })), null, 2);
  const [problem] = problemsIn(auditPact(pact)).filter(({ kind }) => kind === 'unknown-field');
  const lines = pact.split('\n');
  expect(lines[(problem?.line ?? 0) - 1]).toContain('"id": 7');
  expect(lines.findLastIndex((line) => line.includes('"id": 7'))).toBe((problem?.line ?? 0) - 1);
});
