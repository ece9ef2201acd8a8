import { auditPact } from 'plant-store-contract/pact';
import type { Report } from 'plant-store-contract/reporters';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../../src/pact/audit/interaction.js';
import { schemaErrors } from '../../report/formats/schema.js';
import { pactOf as sketchedPact } from '../verification/pacts.js';
import { ANY_REJECTION, type InteractionPatch, matchers, pactOf, problemsIn } from './one-interaction.js';
import { rows } from './rows.js';

const foundIn = (report: Report, at = 0): readonly string[] => problemsIn(report, at).toSorted();

test('integers beyond 2^53 in the parameters of states are named: Pact rounds them', () => {
  const remarksOf = (id: string) =>
    auditPact(sketchedPact([{ description: 'd', given: { 'no plant with id': `{"id":${id}}` } }])).remarks;
  expect(remarksOf('9223372036854775807')).toEqual([
    'Pact rounds integers beyond 2^53 in the parameters of states: "id" of "no plant with id". Write them as strings.',
  ]);
  for (const id of ['"9223372036854775807"', '9007199254740991', '7']) expect(remarksOf(id)).toEqual([]);
});

describe('a pact of one interaction', () => {
  test.for(rows)('%s', ([_title, patch, problems]) => {
    const audit = auditPact(pactOf(patch));
    expect(foundIn(audit)).toEqual([...problems].sort());
    expect(schemaErrors(audit)).toEqual([]);
    expect(audit.conclusion).toBe(problems.length === 0 ? 'conforms' : 'does-not-conform');
  });

  test('exists for every kind of problem', () => {
    const kinds = new Set(rows.flatMap(([, , problems]) => problems.map((problem) => problem.split(' ')[0])));
    // Another interaction shows that a token is right: see the tests of several.
    const all = Object.keys(KINDS).filter((kind) => kind !== 'rejected-valid-request');
    expect([...kinds].sort()).toEqual(all.sort());
  });
});

describe('a problem', () => {
  test('says what is wrong, where, and which section of the interface says so', () => {
    const { groups } = auditPact(pactOf({ request: { body: { name: 'Aloe', id: '7' } } }));
    expect(groups[0]?.cases[0]?.evidence).toEqual([
      {
        where: 'request body "id"',
        actual:
          'Success is expected, but "id" must be an integer in the range of int64; got the string "7". (openapi.yaml#/components/schemas/NewPlant)',
        finding: 0,
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
    expect(foundIn(report)).toEqual(stillWrong.map((field) => `invalid-request request body "${field}"`));
  });
});

describe('several interactions', () => {
  const success: InteractionPatch = { version: '4.0', request: { headers: { Authorization: 'Bearer abc' } } };

  test('a token with which success is expected explains no rejection, but another one and an unknown state do', () => {
    const rejection = { ...success, description: 'a wrong token', response: ANY_REJECTION };
    expect(foundIn(auditPact(pactOf(success, rejection)), 1)).toEqual([
      'rejected-valid-request response status',
    ]);
    const plants = [
      { name: 'Aloe', id: 3_000_000_000 },
      { name: 'Aloe', id: 9223372036854775807n },
      { name: 'Aloe', id: 7, tag: 'succulent' },
      { name: '', id: -1 },
    ];
    for (const body of plants)
      expect(
        foundIn(auditPact(pactOf(success, { ...rejection, request: { ...success.request, body } })), 1),
      ).toHaveLength(1);
    const explained = { ...rejection, states: [{ name: 'the store is closed' }] };
    expect(foundIn(auditPact(pactOf(success, explained)), 1)).toEqual([]);
    const another = { ...rejection, request: { headers: { Authorization: 'Bearer abcd' } } };
    expect(foundIn(auditPact(pactOf(success, another)), 1)).toEqual([]);
  });
});

type Matcher = Record<string, string>;

describe('a pattern is tried on what the interface allows', () => {
  const created = (rule: Matcher, name = 'Aloe') => ({
    request: { body: { name, id: 7 } },
    response: { body: { name: 'Aloe' }, matchingRules: { body: { '$.name': matchers(rule) } } },
  });
  const failed = (rules: Record<string, Matcher>): InteractionPatch => ({
    version: '4.0',
    request: { body: { id: 7 } },
    response: {
      status: 400,
      body: { error: 31, message: 'no name' },
      matchingRules: {
        body: Object.fromEntries(
          Object.entries({ error: { match: 'integer' }, message: { match: 'type' }, ...rules }).map(
            ([name, rule]) => [`$.${name}`, matchers(rule)],
          ),
        ),
      },
    },
  });
  test.each<[string, InteractionPatch, readonly string[]]>([
    [
      'an error by one number',
      failed({ error: { match: 'regex', regex: '^31$' } }),
      ['response body "error"'],
    ],
    ['an error by any number', failed({ error: { match: 'regex', regex: '-?\\d+' } }), []],
    [
      'a message by its words',
      failed({ message: { match: 'regex', regex: 'no .*' } }),
      ['response body "message"'],
    ],
    [
      'a message by a part',
      failed({ message: { match: 'include', value: 'name' } }),
      ['response body "message"'],
    ],
    ['any message', failed({ message: { match: 'regex', regex: '(?i).*' } }), []],
    ['the name that was sent', created({ match: 'regex', regex: 'A\\w+' }), []],
    ['another name', created({ match: 'regex', regex: 'A\\w+' }, 'Rose'), ['response body "name"']],
    ['a pattern that takes for ever', created({ match: 'regex', regex: '(a+)+b' }, 'a'.repeat(50)), []],
    ['a pattern of Rust', created({ match: 'regex', regex: '(?P<n>A).*' }), []],
  ])('%s', (_what, patch, places) => {
    expect(placesIn(patch)).toEqual(places);
  });

  test('although an earlier audit has used up its time', () => {
    const slow = created({ match: 'regex', regex: '(a+)+b' }, 'a'.repeat(50));
    for (let audits = 0; audits < 12; audits++) placesIn(slow);
    const other = created({ match: 'regex', regex: 'A\\w+' }, 'Rose');
    expect(placesIn(other)).toEqual(['response body "name"']);
  });

  function placesIn(patch: InteractionPatch) {
    const { groups } = auditPact(pactOf(patch));
    return groups[0]?.cases[0]?.evidence.map(({ where }) => where);
  }
});
