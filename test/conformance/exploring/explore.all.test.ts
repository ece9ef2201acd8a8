import { type CheckOptions, checkConformance, planCheck } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { refusals, tokenBucket } from '../providers/correct/limiters.js';
import { type Layer, startCorrect } from '../providers/correct/provider.js';
import { refuse, startInFront } from '../providers/in-front.js';

const token = 'a-token-of-these-tests';
const options = {
  token,
  prism: false,
  timeLimitMs: 300_000,
  explore: { runs: 400, seed: 11 },
} satisfies Partial<CheckOptions>;

/** A plant store that loses every plant whose tag is "succulent", but only from its 200th request on. */
function startLate() {
  let count = 0;
  return startInFront({ token }, ({ body, response, pass }) =>
    ++count > 200 && body.includes('"tag":"succulent"') ? refuse(response, 500) : pass(),
  );
}

describe('exploring', () => {
  test('finds nothing in the reference server, also a second time with the same seed', async () => {
    await using store = await startPlantStore({ token });
    for (let time = 0; time < 2; time++) {
      const report = await checkConformance({ ...options, baseUrl: store.url });
      expect(report).toConform();
      expect(report.exploration).toMatchObject({ seed: 11, draws: 400, failures: [], intermittent: 0 });
      expect(report.exploration?.requests).toBeGreaterThanOrEqual(400);
    }
  });

  test('fails the rule, with the smallest probe and a command that reproduces it', async () => {
    await using provider = await startLate();
    const report = await checkConformance({ ...options, baseUrl: provider.url });
    expect(report.conclusion).toBe('does-not-conform');
    const found = report.exploration?.failures[0];
    expect(JSON.stringify(found?.row)).toContain('succulent');
    const evidence = casesOf(report).flatMap((one) => one.evidence);
    const explored = evidence.filter(({ sent }) => sent === 'a plain plant with a tag');
    expect(explored.some(({ repeated, reproduce }) => repeated === 'steady' && reproduce !== undefined)).toBe(
      true,
    );
  });

  test('makes a value that fails small, also if others are rejected', async () => {
    const store = createPlantStore({ token });
    const fetch = async (request: Request) => {
      const [, name = '', id = ''] = (await request.clone().text()).match(/^\{"name":(.*),"id":(\d+)/) ?? [];
      // It checks the name first.
      if (name !== '' && !/^"[A-Za-z]+"$/.test(name))
        return Response.json({ error: 1, message: 'no' }, { status: 400 });
      return id !== '' && BigInt(id) > 2n ** 62n ? new Response(null, { status: 500 }) : store.fetch(request);
    };
    const only = ['success/valid-plant-is-processed', 'success/tag-is-optional'];
    const report = await checkConformance({ ...options, only, baseUrl: 'http://localhost', fetch });
    const rows = report.exploration?.failures.map(({ row }) => row) ?? [];
    const alone = rows.filter(({ requests }) => requests.length === 1);
    expect(alone.length).toBeGreaterThan(0);
    for (const { requests } of alone) expect(requests[0]?.body).toMatch(/^\{"name":"<NAME>","id":[^,]*\}$/);
  });

  test('counts what fails once and not again, by rule', async () => {
    const store = createPlantStore({ token });
    let count = 0;
    const fetch = async (request: Request) =>
      ++count > 250 && count % 25 === 0 ? new Response('{}', { status: 500 }) : store.fetch(request);
    const only = ['state/no-intermittent-failures', 'success/valid-plant-is-processed'];
    const report = await checkConformance({ ...options, only, baseUrl: 'http://localhost', fetch });
    expect(report.exploration?.intermittent).toBeGreaterThan(0);
    expect(report.exploration?.failures).toEqual([]);
  });

  test('ends when its time is over, or when it is stopped', async () => {
    const { fetch } = createPlantStore({ token });
    const stop = new AbortController();
    const timed = { ...options, baseUrl: 'http://localhost', fetch, signal: stop.signal };
    const report = await checkConformance({ ...timed, explore: { timeMs: 1_000 } });
    expect(report.exploration?.draws).toBeGreaterThan(0);
    let count = 0;
    const stopped = (request: Request) => {
      if (++count > 600) stop.abort();
      return fetch(request);
    };
    const explore = { timeMs: 3_600_000 };
    const { exploration } = await checkConformance({ ...timed, fetch: stopped, explore });
    expect(exploration?.draws).toBeGreaterThan(0);
  });

  test('ends when the provider stops responding', async () => {
    const store = createPlantStore({ token });
    let count = 0;
    const fetch = async (request: Request) => {
      if (count++ > 300) throw new TypeError('fetch failed');
      return store.fetch(request);
    };
    const explore = { timeMs: 3_600_000 };
    const report = await checkConformance({ ...options, baseUrl: 'http://localhost', fetch, explore });
    expect(report.conclusion).not.toBe('conforms');
  });
});

test('exploring waits for a limiter that says 503, and blames nobody for it', async () => {
  const limiter = tokenBucket(8, 4, refusals['503 of nginx']);
  const chosen = {};
  // It begins when the probes of the check are sent.
  let free = planCheck(chosen).requests;
  const layer: Layer = (call, next) => (free-- > 0 ? next() : limiter(call, next));
  await using provider = await startCorrect(token, { layers: () => [layer] });
  const explore = { runs: 40, seed: 11 };
  const report = await checkConformance({ ...options, ...chosen, explore, baseUrl: provider.url });
  expect(report.exploration).toMatchObject({ draws: 40, failures: [] });
  expect(report.exploration?.intermittent).toBe(0);
});

test('a row that exploring has found fails alone, and passes once the provider is fixed', async () => {
  await using store = await startPlantStore({ token, faults: ['leaks-id'] });
  const { exploration } = await checkConformance({ ...options, baseUrl: store.url });
  const [found] = exploration?.failures ?? [];
  const again = { token, prism: false, ...(found && { row: found.row }) };
  const broken = await checkConformance({ ...again, baseUrl: store.url });
  expect(broken.conclusion).toBe('does-not-conform');
  expect(broken.rules.find(({ id }) => id === found?.rule)?.verdict).toBe('fail');
  // Besides the two controls and the plain plant that shows what is served, only this row is sent, and once more.
  expect(broken.exchanges.length).toBe(5);
  await using fixed = await startPlantStore({ token });
  expect((await checkConformance({ ...again, baseUrl: fixed.url })).conclusion).toBe('conforms');
});
