import { createRequire } from 'node:module';
import {
  auditExitCode,
  auditPact,
  auditText,
  type PactAudit,
  pactProblemKinds,
} from 'plant-store-contract/pact';
import { openApiDocument } from 'plant-store-contract/spec';
import { describe, expect, test } from 'vitest';
import { ANY_REFUSAL, type InteractionPatch, pactOf } from './one-interaction.js';
import { type Row, rows } from './rows.js';

interface Reported {
  readonly code: string;
}

const { Comparator } = createRequire(import.meta.url)('@pactflow/openapi-pact-comparator');
const oas = structuredClone(openApiDocument);
const comparator = new Comparator({ ...oas, oas });

/** The comparator as its own users have it: the pact as `JSON.parse` gives it. */
async function comparatorAlone(pact: string): Promise<readonly Reported[]> {
  const reported: Reported[] = [];
  for await (const difference of comparator.compare(JSON.parse(pact))) reported.push(difference);
  return reported;
}

function opinion(reported: readonly Reported[], { problems }: Row): Row['comparator'] {
  if (problems.length === 0) return reported.length === 0 ? 'agrees' : 'false alarm';
  return reported.length === 0 ? 'misses' : 'finds';
}

function foundIn({ interactions }: PactAudit): string[] {
  return interactions
    .flatMap(({ problems }) => problems.map(({ kind, pointer }) => `${kind} ${pointer}`))
    .sort();
}

describe('a pact of one interaction', () => {
  test.for(rows)('$title', async (row) => {
    const pact = pactOf(row.patch);
    const audit = await auditPact(pact);
    const expected = row.problems.map((problem) => problem.replace(' ', ' /interactions/0'));
    expect(foundIn(audit)).toEqual(expected.sort());
    expect(audit.conclusion).toBe(row.problems.length === 0 ? 'within-the-interface' : 'asks-for-more');
    const reported = await comparatorAlone(pact);
    expect(opinion(reported, row), JSON.stringify(reported)).toBe(row.comparator);
    const problems = audit.interactions.flatMap((one) => one.problems);
    // What the comparator finds is not said twice, and is known to be its finding as well.
    expect(problems.some(({ foundBy }) => foundBy === 'comparator')).toBe(row.comparator === 'finds');
    for (const { comparatorCode, foundBy } of problems)
      expect(foundBy).toBe(comparatorCode === undefined ? 'own' : 'comparator');
  });

  test('is there for every kind of problem', () => {
    const kinds = new Set(rows.flatMap(({ problems }) => problems.map((problem) => problem.split(' ')[0])));
    kinds.add('other-difference');
    expect([...kinds].sort()).toEqual(Object.keys(pactProblemKinds).sort());
  });
});

describe('a problem', () => {
  test('says what, where, and where the interface says it', async () => {
    const { interactions } = await auditPact(pactOf({ request: { body: { name: 'Aloe', id: '7' } } }));
    expect(interactions[0]?.problems).toEqual([
      {
        kind: 'invalid-request',
        ...{ side: 'request', part: 'body', field: 'id' },
        message:
          'Success is expected, but "id" must be an integer in the range of int64; got the string "7".',
        pointer: '/interactions/0/request/body/id',
        section: 'Resources and their fields, NewPlant',
        foundBy: 'comparator',
        comparatorCode: 'request.body.incompatible',
      },
    ]);
  });

  test('is found by the comparator as well, or by nobody else', async () => {
    const { interactions } = await auditPact(
      pactOf({ request: { body: { id: '7', colour: 1 }, query: { a: ['1'] } } }),
    );
    expect(interactions[0]?.problems.map(({ field, foundBy }) => [field, foundBy])).toEqual([
      // The comparator merges the required fields of an allOf, and loses one.
      ['name', 'own'],
      ['id', 'comparator'],
      ['a', 'comparator'],
      ['colour', 'own'],
    ]);
  });

  test('has the section that is about it, where that is not the one of its kind', async () => {
    const { interactions } = await auditPact(
      pactOf({ states: [{ name: 'a plant with id exists' }], request: { body: '{"id":7e0,"name":"Aloe"}' } }),
    );
    expect(interactions[0]?.problems.map(({ kind, section }) => [kind, section])).toEqual([
      ['not-shown', 'Resources and their fields, rule 2'],
      ['not-shown', 'Endpoints, rule 3'],
    ]);
  });

  test('holds no token, whatever is wrong with it', async () => {
    const Authorization = ['Secret', 'Basic Secret', 'Bearer', ''];
    for (const value of Authorization) {
      const audit = await auditPact(pactOf({ request: { headers: { Authorization: value } } }));
      expect(audit.conclusion).toBe('asks-for-more');
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
  ])('by %s is not judged', async ([path, stillWrong]) => {
    const generators = { body: { [path]: { type: 'RandomInt' } } };
    const { interactions } = await auditPact(
      pactOf({ request: { body: wrong, generators }, response: { body: undefined } }),
    );
    expect(interactions[0]?.problems.map(({ field }) => field).sort()).toEqual(stillWrong);
  });
});

describe('as text', () => {
  test('there is no colour unless it is asked for, and the summary has that of the conclusion', async () => {
    const good = await auditPact(pactOf({}));
    const bad = await auditPact(pactOf({ request: { method: 'PUT' } }));
    expect(auditText([good, bad])).not.toContain('\u001b');
    expect(auditText([good], { color: true })).toContain(`\u001b[32m${good.summary}`);
    expect(auditText([bad], { color: true })).toContain(`\u001b[31m${bad.summary}`);
  });
});

describe('several interactions', () => {
  const success: InteractionPatch = { version: '4.0', request: { headers: { Authorization: 'Bearer abc' } } };

  test('a token with which success is expected is not refused, whatever the description says', async () => {
    const refusal = { ...success, description: 'a wrong token', response: ANY_REFUSAL };
    expect(foundIn(await auditPact(pactOf(success, refusal)))).toEqual([
      'refused-valid-request /interactions/1/response/status',
    ]);
    const explained = { ...refusal, states: [{ name: 'the store is closed' }] };
    expect(foundIn(await auditPact(pactOf(success, explained)))).toEqual([]);
    const another = { ...refusal, request: { headers: { Authorization: 'Bearer abcd' } } };
    expect(foundIn(await auditPact(pactOf(success, another)))).toEqual([]);
    const [problem] = (await auditPact(pactOf(success, refusal))).interactions[1]?.problems ?? [];
    expect(problem?.message).toContain('with the same token, success is expected elsewhere');
  });

  test('a state that calls the token invalid explains its refusal, and another token not', async () => {
    const refusal = (token: string): InteractionPatch => ({
      ...success,
      description: 'a creation',
      states: [{ name: 'the token is not valid', params: { token } }],
      response: ANY_REFUSAL,
    });
    expect(foundIn(await auditPact(pactOf(success, refusal('abc'))))).toEqual([]);
    expect(foundIn(await auditPact(pactOf(success, refusal('xyz'))))).toHaveLength(1);
  });
});

test('the exit status is 1 where one of several pacts asks for more', async () => {
  const [good, bad] = await Promise.all([
    auditPact(pactOf({})),
    auditPact(pactOf({ request: { method: 'PUT' } })),
  ]);
  expect(auditExitCode([good])).toBe(0);
  expect(auditExitCode([good, bad])).toBe(1);
});
