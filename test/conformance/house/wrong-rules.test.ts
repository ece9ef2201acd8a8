import { creation, type HouseRule, planCheck } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';

const right = { id: 'house/right', title: 'It is right.', judge: () => undefined };
const noRequests: unknown = () => [];
const probe = { name: 'house/probe', title: 'a plant', requests: noRequests };

const problemOf = (houseRules: unknown): string => {
  try {
    planCheck({ houseRules: houseRules as HouseRule[] });
    return '';
  } catch (cause) {
    return String((cause as Error).message);
  }
};

test('what is right has no problem', () => {
  expect(problemOf([right, { ...right, id: 'house/other', probes: [probe] }])).toBe('');
  expect(
    problemOf([
      { ...right, probes: [probe] },
      { ...right, id: 'house/probe', probes: [probe] },
    ]),
  ).toBe('');
});

describe('a wrong name', () => {
  const name = 'it must be "house/", then lower-case letters, digits and hyphens';
  test.for([
    ['text', 'the house rules must be a list'],
    [[{}], `a house rule or its probe has the name undefined: ${name}`],
    [[{ ...right, id: 'success/mine' }], `a house rule or its probe has the name "success/mine": ${name}`],
    [[{ ...right, id: 'house/Mine' }], `a house rule or its probe has the name "house/Mine": ${name}`],
    [
      [{ ...right, id: 'house/max-response-time' }],
      'house/max-response-time is the rule of --max-response-time',
    ],
    [[right, right], 'two house rules or two of their probes have the name house/right'],
    [
      [{ ...right, probes: [{ ...probe, name: 'plain-plant' }] }],
      `a house rule or its probe has the name "plain-plant": ${name}`,
    ],
    [
      [{ ...right, probes: [probe, { ...probe }] }],
      'two house rules or two of their probes have the name house/probe',
    ],
  ] as const)('%j', ([rules, problem]) => {
    expect(problemOf(rules)).toBe(problem);
  });
});

test.for<[string, () => unknown, RegExp]>([
  ['throws', () => creation(undefined as never), /Cannot read properties of undefined/],
  ['returns no list', () => 7, /is not iterable/],
  ['has a header that Node cannot send', () => [{ headers: [['X Y', 'z']] }], /the header "X Y"/],
])('a probe that %s', ([, requests, why]) => {
  const problem = problemOf([{ ...right, probes: [{ ...probe, requests }] }]);
  expect(problem).toMatch(/^the probe house\/probe cannot make its requests: /);
  expect(problem).toMatch(why);
});
