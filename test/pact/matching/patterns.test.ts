import { auditPact } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { longestText, Patterns } from '../../../src/pact/matching/patterns.js';
import { matchers, pactOf } from '../audit/one-interaction.js';
import { expectToMatchSchema } from '../report-schema.js';

/** Each takes longer than anybody waits, in engines that backtrack. It takes 0.3 s until the limit. */
const ENDLESS = ['^(([a-zA-Z])+)+!$', '^(a+)*\\1!'];
const LONG = 'a'.repeat(50);

test('a pattern matches a whole text', () => {
  const patterns = new Patterns();
  expect(patterns.matchesWhole('Al', 'Aloe')).toBe(false);
  expect(patterns.matchesWhole('Al.*', 'Aloe')).toBe(true);
  expect(patterns.matchesWhole('(A|B)(l|m)(o|p)e', 'Aloe')).toBe(true);
  expect(patterns.matchesWhole('(A|B)(l|m)(o|p)f', 'Aloe')).toBe(false);
  expect(patterns.matchesWhole('(?i)aloe', 'Aloe')).toBe(true);
  expect(patterns.isOverLimit('Al')).toBe(false);
});

test.each(ENDLESS)('%s ends, and its result is unknown', (pattern) => {
  const patterns = new Patterns();
  expect(patterns.matchesWhole(pattern, LONG)).toBe(true);
  expect(patterns.isOverLimit(pattern)).toBe(true);
  expect(patterns.matchesWhole('Al.*|B+|C+', 'Aloe')).toBe(true);
  expect(patterns.isOverLimit('Al.*|B+|C+')).toBe(false);
});

describe('an audit', () => {
  const regex = (pattern: string) => matchers({ match: 'regex', regex: pattern });
  const withPattern = (pattern: string) => ({
    request: { body: { name: LONG, id: 7 } },
    response: { body: { name: 'Fern' }, matchingRules: { body: { '$.name': regex(pattern) } } },
  });

  test('of a pact with such a pattern ends, says where the limit was hit, and does not pass', () => {
    const report = auditPact(pactOf(withPattern(ENDLESS[0] ?? '')), { where: 'shop.json' });
    expectToMatchSchema(report);
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toBe(
      'No problem was found in 1 interaction. 1 interaction could not be audited completely.',
    );
    const [interaction] = report.pacts[0]?.interactions ?? [];
    expect(interaction?.problems).toEqual([]);
    expect(interaction?.unknown).toEqual([
      {
        kind: 'unusable-rule',
        ...{ side: 'response', part: 'matchingRules', field: 'body $.name' },
        message: 'The pattern takes too long, so what it accepts is not known.',
        pointer: '/interactions/0/response/matchingRules/body/$.name/matchers/0',
        line: 1,
      },
    ]);
    expect(report.groups[0]?.cases[0]).toMatchObject({
      verdict: 'blocked',
      detail:
        'response matchingRules "body $.name", line 1: The pattern takes too long, so what it accepts is not known.',
    });
  });

  test('keeps the other problems of the interaction', () => {
    const { request, response } = withPattern(ENDLESS[0] ?? '');
    const report = auditPact(pactOf({ request, response: { ...response, status: 201 } }));
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.pacts[0]?.interactions[0]?.unknown).toHaveLength(1);
  });
});

describe('the longest text that Pact makes of a pattern', () => {
  test.each([
    ['', 0],
    ['Aloe', 4],
    ['a|bcd|', 3],
    ['a?b{3}c{1,5}d{ 7 }', 16],
    ['a*', 21],
    ['a+', 21],
    ['a{5,}', 25],
    ['a{3}{4}*?', 252],
    ['(ab|c){10}d', 21],
    ['((a{1000}){1000}){1000}', 1e9],
    ['(a{30000}){30000}', 9e8],
    ['(|){9}', 9],
    ['[0-9a-f]{8}-[0-9a-f]{4}', 13],
    ['[](a{9}]{2}', 2],
    ['[^]({9}]{2}', 2],
    ['[[:alpha:](]{3}', 3],
    ['[a[b{9}]c{9}]{3}', 3],
    ['[\\]{9}]{3}', 3],
    ['\\[a{3}\\]', 5],
    ['\\(a{3}\\)', 5],
    ['\\d{3}', 3],
    ['\\p{Lu}{3}\\x{41}{2}', 5],
    ['a{99999999999999999999}', 2 ** 32],
    ['(?x)a{1 000 000}', Number.POSITIVE_INFINITY],
  ])('%s', (pattern, length) => {
    expect(longestText(pattern)).toBe(length);
  });

  test('is not known of a long pattern', () => {
    expect(longestText('a|'.repeat(16_384))).toBe(1);
    expect(longestText('a|'.repeat(16_385))).toBe(Number.POSITIVE_INFINITY);
  });
});
