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
});

describe('a wrong rule', () => {
  const id = 'it must be "house/", then lower-case letters, digits and hyphens';
  test.for([
    ['text', 'the house rules must be a list'],
    [[7], 'house rule 1 must be an object; got 7'],
    [[right, null], 'house rule 2 must be an object; got null'],
    [[{}], `house rule 1 has the id undefined: ${id}`],
    [[{ ...right, id: 'success/mine' }], `house rule 1 has the id "success/mine": ${id}`],
    [[{ ...right, id: 'house/Mine' }], `house rule 1 has the id "house/Mine": ${id}`],
    [
      [{ ...right, id: 'house/max-response-time' }],
      'the house rule house/max-response-time has the id of a rule that there is: --max-response-time',
    ],
    [[right, right], 'the house rule house/right is there twice: give each an id of its own'],
    [[{ ...right, title: undefined }], 'the house rule house/right has no "title"'],
    [[{ ...right, title: ' ' }], 'the house rule house/right has a wrong "title": " "'],
    [[{ ...right, judge: undefined }], 'the house rule house/right has no "judge"'],
    [[{ ...right, judge: 'x' }], 'the house rule house/right has a wrong "judge": "x"'],
    [[{ ...right, control: 'maybe' }], 'the house rule house/right has a wrong "control": "maybe"'],
    [[{ ...right, judges: 'all' }], 'the house rule house/right has a wrong "judges": "all"'],
    [[{ ...right, probes: {} }], 'the house rule house/right has a wrong "probes": an object with nothing'],
    [
      [{ ...right, jugdes: [] }],
      'the house rule house/right has the unknown member "jugdes"; did you mean "judges"?',
    ],
    [
      [{ ...right, judges: ['plain-plnat'] }],
      'the house rule house/right names "plain-plnat", which is no probe; did you mean "plain-plant"?',
    ],
    [
      [{ ...right, sends: ['zzzzzzzzzzz'] }],
      'the house rule house/right names "zzzzzzzzzzz", which is no probe',
    ],
    [
      [{ ...right, dependsOn: ['house/prob'], probes: [probe] }],
      'the house rule house/right names "house/prob", which is no probe; did you mean "house/probe"?',
    ],
  ] as const)('%j', ([rules, problem]) => {
    expect(problemOf(rules)).toBe(problem);
  });
});

describe('a wrong probe', () => {
  const request = { headers: [['Content-Type', 'application/json']], body: Buffer.from('{}') };
  const seven: unknown = () => 7;
  const promise: unknown = async () => [];
  const making =
    (...made: unknown[]): unknown =>
    () =>
      made;
  const requests = (...made: unknown[]) => ({ requests: making(...made) });
  test.for([
    [7, 'probe 1 of the house rule house/right must be an object; got 7'],
    [
      { ...probe, name: 'plain-plant' },
      'probe 1 of the house rule house/right has the name "plain-plant": it must be "house/", then lower-case letters, digits and hyphens',
    ],
    [{ name: 'house/probe' }, 'the probe house/probe has no "title"'],
    [{ ...probe, phase: 'control' }, 'the probe house/probe has a wrong "phase": "control"'],
    [{ ...probe, expectation: 'yes' }, 'the probe house/probe has a wrong "expectation": "yes"'],
    [{ ...probe, together: 1 }, 'the probe house/probe has a wrong "together": 1'],
    [
      { ...probe, request: 1 },
      'the probe house/probe has the unknown member "request"; did you mean "requests"?',
    ],
    [{ ...probe, requests: seven }, 'the probe house/probe must return a list of requests; it returns 7'],
    [
      { ...probe, requests: promise },
      'the probe house/probe must return a list of requests; it returns a promise',
    ],
    [
      { ...probe, ...requests(...Array(51).fill(request)) },
      'the probe house/probe has 51 requests; a probe may have 50',
    ],
    [{ ...probe, ...requests(request, 7) }, 'request 2 of the probe house/probe must be an object; got 7'],
    [
      { ...probe, ...requests({ ...request, body: '{}' }) },
      'request 1 of the probe house/probe has a wrong "body": "{}"',
    ],
    [
      { ...probe, ...requests({ ...request, headers: [['X Y', 'z']] }) },
      'request 1 of the probe house/probe has a wrong "headers": a list',
    ],
    [
      { ...probe, ...requests({ ...request, headers: [['X']] }) },
      'request 1 of the probe house/probe has a wrong "headers": a list',
    ],
    [
      { ...probe, ...requests({ ...request, headers: { a: 'b' } }) },
      'request 1 of the probe house/probe has a wrong "headers": an object with a',
    ],
    [
      { ...probe, ...requests({ ...request, query: 'a b' }) },
      'request 1 of the probe house/probe has a wrong "query": "a b"',
    ],
    [
      { ...probe, ...requests({ ...request, otherOperation: { method: 'GET', path: 'x' } }) },
      'request 1 of the probe house/probe has a wrong "otherOperation": an object with method, path',
    ],
    [
      { ...probe, ...requests({ ...request, id: 1.5 }) },
      'request 1 of the probe house/probe has a wrong "id": 1.5',
    ],
    [
      { ...probe, ...requests({ ...request, plant: 'Aloe' }) },
      'request 1 of the probe house/probe has a wrong "plant": "Aloe"',
    ],
  ] as const)('%#: %j', ([wrong, problem]) => {
    expect(problemOf([{ ...right, probes: [wrong] }])).toBe(problem);
  });

  test('throws', () => {
    const wrong = { ...probe, requests: () => creation(undefined as never) };
    expect(problemOf([{ ...right, probes: [wrong] }])).toMatch(
      /^the probe house\/probe throws when it makes its requests: TypeError: Cannot read properties of undefined/,
    );
  });

  test('has the name of another', () => {
    expect(problemOf([{ ...right, probes: [probe, { ...probe }] }])).toBe(
      'two probes of house rules have the name house/probe',
    );
  });
});
