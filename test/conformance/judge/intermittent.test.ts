import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/conformance/exchange.js';
import { Facts } from '../../../src/conformance/judge/facts.js';
import type { Probe } from '../../../src/conformance/row.js';
import { answer, brokenIn as brokenRules, checkBehind, evidenceOf, type Passing } from '../checks.js';
import { creation, exchange, probe, response } from '../recorded.js';

function plant(given: Partial<Exchange> = {}): Exchange {
  return exchange({
    request: creation,
    response: 'failure' in given ? undefined : response(200, [], '{"name":"Aloeaaaaaa"}'),
    startMs: 100,
    ...given,
  });
}

const gets = (status: number, body?: string): Exchange => plant({ response: response(status, [], body) });
const lacks = (kind: NonNullable<Exchange['failure']>['kind'], given: Partial<Exchange> = {}): Exchange =>
  plant({ failure: { kind, message: '' }, startMs: 0, ...given });
const { id: _id, ...withoutId } = creation;
const superseded = (one: Exchange): Exchange => ({ ...one, role: 'superseded' });
const invalid = (one: Exchange): Exchange => ({ ...one, expectation: 'rejected' });
const next = (one: Exchange): Exchange => ({ ...one, step: 1 });

const fine = plant();
const broken = gets(500);
const rejected = gets(400);
const wrong = gets(200, '{"name":"Aloe"}');
const reset = lacks('reset');
const timeout = lacks('timeout', { shared: true });

function countOf(exchanges: readonly Exchange[], probes: readonly Probe[] = [probe()]): number {
  return new Facts(probes, exchanges).intermittent.failed.size;
}

describe('an earlier attempt of a valid plant', () => {
  test.each<[string, number, Exchange, Exchange?]>([
    ['counts with a 500', 1, broken],
    ['counts with a 500 without an id', 1, { ...broken, request: withoutId }],
    ['counts with a wrong plant', 1, wrong],
    ['counts with a reset while it was alone', 1, reset],
    ['counts with a malformed response', 1, lacks('malformed')],
    ['counts if the last one fails less badly', 1, broken, rejected],
    ['does not count with a single rejection: the id may exist', 0, rejected],
    ['does not count with a reset of an idle connection', 0, { ...reset, reusedConnection: true }],
    ['does not count with a timeout', 0, timeout],
    ['does not count with a 503', 0, gets(503)],
    ['does not count with a 429', 0, gets(429)],
    ['does not count with a 403, as of a firewall that limits the rate', 0, gets(403)],
    ['does not count if the request was invalid', 0, invalid(broken)],
    ['does not count if the last one was throttled', 0, broken, gets(429)],
    ['does not count if only another request of the probe is fine', 0, broken, next(fine)],
  ])('%s', (_what, count, first, last = fine) => {
    expect(countOf([superseded(first), { ...last, index: 1 }])).toBe(count);
  });

  test('does not count if its probe belongs to a house rule', () => {
    const probed = 'house/own' as const;
    const sent = [superseded({ ...broken, probe: probed }), { ...fine, probe: probed }];
    expect(countOf(sent, [probe({ name: probed })])).toBe(0);
  });

  test('does not count if its plant is that of another request: another rule says so', () => {
    const mixed = superseded(gets(200, '{"name":"Aloebbbbbb"}'));
    const request = { ...creation, plant: { name: 'Aloebbbbbb', id: 8 } };
    const owner = exchange({ probe: 'wrong-token', request, expectation: 'rejected' });
    expect(countOf([mixed, fine])).toBe(1);
    expect(countOf([mixed, fine, owner])).toBe(0);
  });

  test.each([
    [1, 1],
    [2, 0],
  ])('that was reset beside %d others counts %d times', (many, count) => {
    const others = [4, 5].slice(0, many).map((index) => exchange({ index, probe: 'wrong-token' }));
    expect(countOf([superseded(reset), fine, ...others])).toBe(count);
  });
});

describe('of the failures that did not repeat', () => {
  const names = ['plain-plant', 'id-zero', 'plain-plant-with-tag'] as const;
  const factsOf = (failed: readonly Exchange[], phase: Probe['phase'] = 'valid'): Facts =>
    new Facts(
      names.map((name) => probe({ name, phase })),
      failed.flatMap((one, at) => {
        const name = names[at] ?? 'plain-plant';
        return [superseded({ ...one, probe: name }), { ...fine, probe: name }];
      }),
    );
  const countOfTwo = (one: Exchange, phase?: Probe['phase']): number =>
    factsOf([one, one], phase).intermittent.failed.size;

  test.each<[number, readonly number[]]>([
    [2, [400, 401, 409, 422]],
    [0, [403, 404]],
  ])('two rejections count %d times with %j: only some say that the request is wrong', (count, statuses) => {
    expect(statuses.map((status) => countOfTwo(gets(status)))).toEqual(statuses.map(() => count));
  });

  test.each<[number, readonly (number | bigint | undefined)[]]>([
    [2, [1, 2 ** 31 - 1, 7n]],
    [0, [2 ** 31, 0, -1, undefined]],
  ])('two rejections count %d times with the ids %s: others may be out of range', (count, ids) => {
    const of = (id: number | bigint | undefined) =>
      countOfTwo({ ...rejected, request: { ...withoutId, ...(id !== undefined && { id }) } });
    expect(ids.map(of)).toEqual(ids.map(() => count));
  });

  test.each([
    [2, 2 ** 32],
    [2, 2 ** 31 + 1],
    [0, 2 ** 31],
  ])('two rejections of larger ids count %d times if the id %d is accepted', (count, accepted) => {
    const large = { ...rejected, request: { ...creation, id: 2 ** 31 + 1 } };
    const other = exchange({ probe: 'wrong-token', request: { ...creation, id: accepted } });
    const { all, probes } = factsOf([large, large]);
    expect(new Facts([...probes.values()], [...all, other]).intermittent.failed.size).toBe(count);
  });

  test.each<[Probe['phase'], number]>([
    ['invalid', 2],
    ['wrong-token', 0],
  ])('in the phase %s two rejections count %d times: wrong tokens may lock a client out', (phase, count) => {
    expect(countOfTwo(rejected, phase)).toBe(count);
  });
});

const rule = 'state/no-intermittent-failures';
const only = ['success', rule];

/** Handles every n-th valid plant in another way. */
function everySoMany(many: number, handle: (passing: Passing) => Response | Promise<Response>) {
  let seen = 0;
  return (passing: Passing) => {
    const isValid = passing.isAuthorised && /^\{"name":"Aloe[a-z]{6}","id":\d{1,18}\}$/.test(passing.body);
    return isValid && ++seen % many === 0 ? handle(passing) : passing.pass();
  };
}

const taken = { error: 40, message: 'a plant with the "id" 7 exists already' };
const lose = (): never => {
  throw new TypeError('fetch failed');
};

describe('a provider that fails now and then breaks one rule', () => {
  test.each<[string, () => Response, RegExp]>([
    ['with a 500', () => answer(500), /^500 .*; intermittent \(\d+ of \d+ valid requests\)$/],
    ['with a fresh id rejected as a duplicate', () => answer(400, taken), /^400 /],
    ['with a reset while it is alone', lose, /^the connection ended without a response/],
  ])('%s', async (_what, handle, actual) => {
    const report = await checkBehind(everySoMany(19, handle), { only, concurrency: 1 });
    expect(brokenRules(report)).toEqual([rule]);
    const [failure] = evidenceOf(report, rule);
    expect(failure?.actual).toMatch(actual);
    expect(failure?.repeated).toBe('intermittent');
    const title = expect.stringMatching(/^Valid plants fail intermittently \(\d+ of \d+ requests\)\.$/);
    expect(report.findings).toMatchObject([{ title, impact: 'clients' }]);
    expect(report.findings[0]).not.toHaveProperty('cause');
  });
});

describe('a provider breaks no rule', () => {
  test('if one random id exists', async () => {
    let seen = 0;
    const handle = everySoMany(9, ({ pass }) => (++seen === 1 ? answer(400, taken) : pass()));
    expect((await checkBehind(handle, { only })).conclusion).toBe('conforms');
    expect(seen).toBeGreaterThan(0);
  });
});

test('a wrong id that is accepted once, and exists from then on, is not called intermittent', async () => {
  let exists = false;
  const handle = ({ body, isAuthorised, pass }: Passing) => {
    if (!isAuthorised || exists || !body.includes('"id":true')) return pass();
    exists = true;
    return answer(200, { name: JSON.parse(body).name });
  };
  const report = await checkBehind(handle, { only: ['request/id-is-an-integer'] });
  const evidence = evidenceOf(report, 'request/id-is-an-integer');
  expect(evidence.map(({ repeated }) => repeated)).toEqual(['not-tried']);
});
