import {
  type CheckOptions,
  type CheckReport,
  checkConformance,
  type HouseRule,
  headerValues,
  isAccepted,
  planCheck,
} from 'plant-store-contract/conformance';
import { casesOf, exitStatus, reporters } from 'plant-store-contract/reporters';
import { createPlantStore, type FaultName } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { schemaErrors } from '../../report/formats/schema.js';
import { plannedRows } from '../checks.js';

const token = 'token-of-these-tests';
const baseUrl = 'http://localhost';
const fast = { prism: false, only: ['house'] } as const;
/** Beside rules of the interface. */
const both = { only: ['success', 'house'] } as const;

async function check(
  houseRules: readonly HouseRule[],
  options: Partial<CheckOptions> = {},
  faults: readonly FaultName[] = [],
): Promise<CheckReport> {
  const { fetch } = createPlantStore({ token, faults });
  return await checkConformance({ ...{ baseUrl, token, fetch, ...fast }, houseRules, ...options });
}

/** Checks a provider that answers the requests of house probes itself. */
async function checkAnswering(
  answer: () => Response | Promise<Response>,
  houseRules: readonly HouseRule[],
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  const { fetch } = createPlantStore({ token });
  return await check(houseRules, {
    ...options,
    async fetch(request) {
      const isOurs = (await request.clone().text()).includes('"house"');
      return isOurs ? await answer() : await fetch(request);
    },
  });
}

const ofHouse = (report: CheckReport) => casesOf(report).filter(({ level }) => level === 'house');
const verdictsOf = (report: CheckReport) =>
  Object.fromEntries(ofHouse(report).map(({ id, verdict }) => [id, verdict]));

test('a rule that depends on a control has a plain plant as one, if its row names none', async () => {
  const rule: HouseRule = {
    id: 'house/rejects-green',
    title: 'A green plant is rejected.',
    control: 'for-a-pass',
    rows: [
      {
        name: 'house/green',
        title: 'a green plant',
        requests: [{ body: '{"name":"<NAME>","id":<ID>,"house":"green"}' }],
      },
    ],
    judge: ({ response }) =>
      response.status === 400 ? undefined : { expected: '400', actual: String(response.status) },
  };
  const rejects = () => Response.json({ error: 1, message: 'no' }, { status: 400 });
  expect(verdictsOf(await checkAnswering(rejects, [rule]))).toEqual({ 'house/rejects-green': 'pass' });
  // Only plants with a tag are accepted, and so the rejection proves nothing.
  const { fetch } = createPlantStore({ token });
  const report = await check([rule], {
    fetch: async (request) => ((await request.clone().text()).includes('"tag"') ? fetch(request) : rejects()),
  });
  expect(verdictsOf(report)).toEqual({ 'house/rejects-green': 'blocked' });
});

/** A rule that judges every response. */
const everywhere = (judge: HouseRule['judge']): HouseRule => ({
  id: 'house/every',
  title: 'Every response is right.',
  judge,
});

/** Such a rule, about one request. */
const every = (judge: HouseRule['judge'], more: Partial<HouseRule> = {}): HouseRule => ({
  ...everywhere((exchange, context) =>
    exchange.probe === 'plain-plant' ? judge(exchange, context) : 'nothing-to-judge',
  ),
  ...more,
});

const requestId = every(
  ({ response }) =>
    headerValues(response.headers, 'x-request-id').length === 1
      ? undefined
      : { expected: 'X-Request-Id', actual: 'no such header' },
  { id: 'house/request-id', fix: 'Set the header.', why: 'Support needs it.' },
);

const ownProbe = {
  name: 'house/with-tag',
  title: 'a plant with a tag of the house',
  requests: [{ body: '{"name":"<NAME>","id":<ID>,"tag":"house"}' }],
} as const satisfies NonNullable<HouseRule['rows']>[number];

const accepted: HouseRule = {
  id: 'house/tag-is-accepted',
  title: 'A plant with a tag of the house is accepted.',
  rows: [ownProbe],
  judge: (exchange) =>
    isAccepted(exchange) ? undefined : { expected: '200', actual: String(exchange.response.status) },
};

test('a provider that breaks only house rules conforms to the interface', async () => {
  const [plain, report] = [await check([], { only: ['success'] }), await check([requestId, accepted], both)];
  expect(report.conclusion).toBe('breaks-house-rules');
  expect(exitStatus(report.conclusion)).toBe(1);
  expect(verdictsOf(report)).toEqual({ 'house/request-id': 'fail', 'house/tag-is-accepted': 'pass' });
  expect(report.rules.map(({ id, verdict }) => [id, verdict])).toEqual(
    plain.rules.map(({ id, verdict }) => [id, verdict]),
  );
  expect(report.profile.demands).toEqual(plain.profile.demands);
  expect(report.summary).toMatch(/^The provider breaks 1 of \d+ judged rules\. /);
  expect(schemaErrors(report)).toEqual([]);
  const [finding] = report.findings;
  expect(finding).toMatchObject({ id: 'house/request-id', fix: 'Set the header.', impact: 'house' });
  const failing = casesOf(report).find(({ id }) => id === 'house/request-id');
  expect(failing).toMatchObject({ verdict: 'fail', level: 'house' });
  expect(failing?.evidence[0]).toMatchObject({ expected: 'X-Request-Id', repeated: 'steady' });
  for (const name of ['text', 'json', 'markdown', 'html', 'junit', 'github'] as const)
    expect(reporters[name](report), name).toContain('house/request-id');
});

test('its probes are planned, listed, sent once for all rules, and last but for wrong tokens', async () => {
  const other: HouseRule = { ...accepted, id: 'house/other' };
  const late = { ...ownProbe, name: 'house/late', phase: 'wrong-token' } as const;
  const lateRule: HouseRule = { ...accepted, id: 'house/late-rule', rows: [late] };
  const houseRules = [accepted, other, lateRule];
  const [without, all] = [planCheck(), planCheck({ houseRules })];
  // A plain plant more may show whether the wrong tokens prove anything.
  expect([2, 3]).toContain(all.requests - without.requests);
  const planned = plannedRows({ houseRules });
  expect(planned.filter((name) => name === 'house/with-tag')).toHaveLength(1);
  expect(planned.indexOf('house/with-tag')).toBeGreaterThan(planned.indexOf('repeated-id'));
  expect(planned.indexOf('house/with-tag')).toBeLessThan(planned.indexOf('longer-token'));
  expect(planned.indexOf('house/late')).toBeGreaterThan(planned.indexOf('longer-token'));
  const report = await check(houseRules);
  expect(report.exchanges.filter(({ name }) => name === 'house/with-tag')).toHaveLength(1);
  expect(report).toMatchObject({ conclusion: 'conforms', rules: [] });
});

test('what its probes show says nothing about the interface', async () => {
  // The rules of the interface would object to each: the first is no plant, and the second gets a 500.
  const probes = [
    { ...ownProbe, name: 'house/no-plant', expectation: 'created', requests: [{ body: '[]' }] },
    { ...ownProbe, name: 'house/fails', expectation: 'created' },
  ] as const;
  const failing = () => new Response('broken', { status: 500 });
  const report = await checkAnswering(failing, [{ ...accepted, rows: probes }], both);
  expect(report.conclusion).toBe('breaks-house-rules');
  expect(report.rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
});

describe('a rule that cannot judge is never a pass', () => {
  const wrong =
    'its judge returned no judgement for a plain plant without a tag; it must return undefined, "nothing-to-judge", or an object such as { expected, actual }';
  const cases = [
    [
      'throws',
      () => {
        throw new TypeError('there is no colour');
      },
      'its judge threw at a plain plant without a tag: there is no colour',
    ],
    ['is missing', undefined, /^its judge threw at .*is not a function/],
    ['returns true', () => true, wrong],
    ['is asynchronous', async () => undefined, wrong],
    ['forgets what was expected', () => ({ actual: 'x' }), wrong],
    ['forgets what came', () => ({ expected: 'x' }), wrong],
  ] as const;

  test('but an error that says why', async () => {
    const rules = cases.map(([, judge], at) =>
      every(judge as unknown as HouseRule['judge'], { id: `house/${at}` }),
    );
    const report = await check(rules, both);
    expect(ofHouse(report)).toMatchObject(
      cases.map(([, , reason]) => ({
        verdict: 'error',
        detail: typeof reason === 'string' ? reason : expect.stringMatching(reason),
      })),
    );
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toContain('No rule failed, but 6 rules could not be judged.');
    expect(report.rules.some(({ verdict }) => verdict === 'error')).toBe(false);
  });

  test('gets no response to its own request', async () => {
    const report = await checkAnswering(() => Promise.reject(new TypeError('fetch failed')), [accepted]);
    const detail = expect.stringMatching(/^a plant with a tag of the house got no /);
    expect(ofHouse(report)).toMatchObject([{ verdict: 'blocked', detail }]);
  });
});

test('requests to other paths, and what is no HTTP, are not judged', async () => {
  const steps = new Map<string, number>();
  const rule = everywhere(({ probe, request }) => {
    if (request.otherOperation !== undefined || request.isUnusual === true) steps.set(probe, 1);
    return undefined;
  });
  const report = await check([rule], { only: ['house'] });
  expect(report.exchanges.some(({ request }) => request.method !== 'POST')).toBe(true);
  expect([...steps]).toEqual([]);
  expect(verdictsOf(report)).toEqual({ 'house/every': 'pass' });
});

test('what a rule says has no token', async () => {
  const rule = every(() => ({ expected: 'little', actual: token }));
  const thrown = every(
    () => {
      throw new Error(token);
    },
    { id: 'house/thrown' },
  );
  expect(JSON.stringify(await check([rule, thrown]))).not.toContain(token);
});

test('words select house rules: an id, the topic, the level', async () => {
  const houseRules = [requestId, accepted];
  const idsOf = async (options: Partial<CheckOptions>) =>
    Object.keys(verdictsOf(await check(houseRules, { ...both, ...options })));
  expect(await idsOf({ only: ['house/request-id'] })).toEqual(['house/request-id']);
  expect(await idsOf({ skip: ['house/request-id'] })).toEqual(['house/tag-is-accepted']);
  expect(await idsOf({ only: ['house'] })).toHaveLength(2);
  expect(await idsOf({ only: ['documented'] })).toHaveLength(0);
  expect(() => planCheck({ houseRules, only: ['house/reqest-id'] })).toThrow(
    'did you mean "house/request-id"?',
  );
  expect(() => planCheck({ only: ['house'] })).toThrow('"house" is not a rule');
});

test('a house rule may be expected to fail', async () => {
  const expectedFailures = [{ rule: 'house/request-id', reason: 'planned' }];
  const report = await check([requestId], { expectedFailures });
  expect(report.conclusion).toBe('expected-failures');
  expect(report.summary).toContain('Expected failures: 1.');
  expect(ofHouse(report)[0]?.excuse).toMatchObject({ reason: 'planned' });
  const outdated = [{ rule: 'house/tag-is-accepted', reason: 'old' }];
  const passing = await check([accepted], { expectedFailures: outdated });
  expect(passing).toMatchObject({
    conclusion: 'outdated-expectations',
    summary: expect.stringContaining('Expected failures now pass: house/tag-is-accepted.'),
  });
  await expect(check([], { only: ['success'], expectedFailures })).rejects.toThrow(
    'names an unknown rule: "house/request-id"',
  );
});
