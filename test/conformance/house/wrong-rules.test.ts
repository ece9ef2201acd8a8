import { type HouseRule, planCheck } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';

const right = { id: 'house/right', title: 'It is right.', judge: () => undefined };
const probe = { name: 'house/probe', title: 'a plant', requests: [] };

const problemOf = (houseRules: unknown): string => {
  try {
    planCheck({ houseRules: houseRules as HouseRule[] });
    return '';
  } catch (cause) {
    return String((cause as Error).message);
  }
};

test('what is right has no problem', () => {
  expect(problemOf([right, { ...right, id: 'house/other', rows: [probe] }])).toBe('');
  expect(
    problemOf([
      { ...right, rows: [probe] },
      { ...right, id: 'house/probe', rows: [probe] },
    ]),
  ).toBe('');
});

describe('a wrong name', () => {
  const name = 'it must be "house/", then lower-case letters, digits and hyphens';
  test.for([
    ['text', 'the house rules must be a list'],
    [[{}], `a house rule or its row has the name undefined: ${name}`],
    [[{ ...right, id: 'success/mine' }], `a house rule or its row has the name "success/mine": ${name}`],
    [[{ ...right, id: 'house/Mine' }], `a house rule or its row has the name "house/Mine": ${name}`],
    [[right, right], 'two house rules or two of their rows have the name house/right'],
    [
      [{ ...right, rows: [{ ...probe, name: 'plain-plant' }] }],
      `a house rule or its row has the name "plain-plant": ${name}`,
    ],
    [
      [{ ...right, rows: [probe, { ...probe }] }],
      'two house rules or two of their rows have the name house/probe',
    ],
  ] as const)('%j', ([rules, problem]) => {
    expect(problemOf(rules)).toBe(problem);
  });
});

test.for<[string, unknown, RegExp]>([
  ['has no list of requests', 7, /is not iterable/],
  ['has no body', [{}], /needs a text as "body"/],
  ['has a header that Node cannot send', [{ headers: [['X Y', 'z']], body: '{}' }], /the header "X Y"/],
])('a row that %s', ([, requests, why]) => {
  const problem = problemOf([{ ...right, rows: [{ ...probe, requests }] }]);
  expect(problem).toMatch(/^the row house\/probe cannot make its requests: /);
  expect(problem).toMatch(why);
});
