import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import {
  type CheckOptions,
  checkConformance,
  failuresText,
  planCheck,
  readFailures,
} from 'plant-store-contract/conformance';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { refusals, tokenBucket } from '../providers/correct/limiters.js';
import { type Layer, startCorrect } from '../providers/correct/provider.js';
import { refuse, startInFront } from '../providers/in-front.js';

const token = 'a-token-of-these-tests';
const options = { token, prism: false, explore: { runs: 400, seed: 11 } } satisfies Partial<CheckOptions>;

/** A plant store that loses every plant whose tag is "succulent", but only from its 200th request on. */
function startLate() {
  let count = 0;
  return startInFront({ token }, ({ body, response, pass }) =>
    ++count > 200 && body.includes('"tag":"succulent"') ? refuse(response, 500) : pass(),
  );
}

/** A plant store that serves so many connections at a time, each until it ends. */
async function startNarrow(width: number) {
  const store = await startPlantStore({ token });
  const waiting: Socket[] = [];
  let open = 0;
  const serveNext = (): void => {
    const socket = open < width ? waiting.shift() : undefined;
    if (socket === undefined) return;
    open++;
    socket.once('close', () => {
      open--;
      serveNext();
    });
    const inner = connect(store.port, '127.0.0.1');
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  };
  const outer = createServer((socket) => {
    waiting.push(socket);
    serveNext();
  });
  await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(outer.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      outer.close();
    },
  };
}

describe('exploring', () => {
  test.each([1, 3])('finds nothing in a provider that serves %i connections at a time', async (width) => {
    await using provider = await startNarrow(width);
    const explore = { runs: 60, seed: 11 };
    const report = await checkConformance({ ...options, explore, baseUrl: provider.url });
    expect(report.conclusion).toBe('conforms');
    expect(report.exploration).toMatchObject({ draws: 60, failures: [], intermittent: {} });
  });

  test('finds nothing in the reference server, also a second time with the same seed', async () => {
    await using store = await startPlantStore({ token });
    for (let time = 0; time < 2; time++) {
      const report = await checkConformance({ ...options, baseUrl: store.url });
      expect(report.conclusion).toBe('conforms');
      expect(report.exploration).toMatchObject({ seed: 11, draws: 400, failures: [], intermittent: {} });
      expect(report.exploration?.requests).toBeGreaterThanOrEqual(400);
    }
  });

  test('draws the same requests for the same seed, with new names and ids', async () => {
    const bodies = async (): Promise<string[]> => {
      const seen: string[] = [];
      const store = createPlantStore({ token });
      const fetch = async (request: Request) => {
        const text = (await request.clone().text()).replaceAll('\0', '');
        // Fresh names and ids change every byte of what is compressed.
        seen.push(text.includes('\ufffd') ? 'bytes' : text.replace(/\\u[0-9a-f]{4}|Aloe[a-z]{6}|\d+/g, '*'));
        return store.fetch(request);
      };
      const only = ['success/tag-is-optional'];
      const explore = { runs: 200, seed: 3 };
      await checkConformance({
        ...options,
        baseUrl: 'http://localhost',
        fetch,
        only,
        explore,
        concurrency: 1,
      });
      return seen.slice(-200).sort();
    };
    expect(await bodies()).toEqual(await bodies());
  });

  test('fails the rule, with the smallest probe and a command that reproduces it', async () => {
    await using provider = await startLate();
    const report = await checkConformance({ ...options, baseUrl: provider.url });
    expect(report.conclusion).toBe('does-not-conform');
    const found = report.exploration?.failures[0];
    expect(JSON.stringify(found?.row)).toContain('succulent');
    const evidence = report.groups.flatMap(({ cases }) => cases.flatMap((one) => one.evidence));
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
    expect(Object.keys(report.exploration?.intermittent ?? {})).toContain('success/valid-plant-is-processed');
    expect(report.exploration?.failures).toEqual([]);
  });

  test('ends when its time is over, or when it is stopped', async () => {
    const { fetch } = createPlantStore({ token });
    const stop = new AbortController();
    const timed = { ...options, baseUrl: 'http://localhost', fetch, signal: stop.signal };
    const report = await checkConformance({ ...timed, explore: { timeMs: 1_000 } });
    expect(report.exploration?.draws).toBeGreaterThan(0);
    const explore = { timeMs: 3_600_000, onProgress: () => stop.abort() };
    expect((await checkConformance({ ...timed, explore })).exploration?.draws).toBeGreaterThan(0);
  });

  test('ends when the provider stops responding', async () => {
    const store = createPlantStore({ token });
    let count = 0;
    const fetch = async (request: Request) => {
      if (count++ > 300) throw new Error('gone');
      return store.fetch(request);
    };
    const explore = { timeMs: 3_600_000 };
    const report = await checkConformance({ ...options, baseUrl: 'http://localhost', fetch, explore });
    expect(report.conclusion).not.toBe('conforms');
  });

  test('ends when no response ends any more', { timeout: 60_000 }, async () => {
    let count = 0;
    await using provider = await startInFront({ token }, ({ response, pass }) => {
      if (count++ < 500) return pass();
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(more)).on('error', () => {});
    });
    const explore = { runs: 2_000, seed: 11 };
    const report = await checkConformance({ ...options, baseUrl: provider.url, explore, timeoutMs: 200 });
    expect(report.conclusion).toBe('does-not-conform');
    expect(report.exploration?.draws).toBeLessThan(2_000);
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
  expect(report.exploration?.intermittent).toEqual({});
});

describe('a replay', () => {
  test('fails, and passes once the provider is fixed', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const { exploration } = await checkConformance({ ...options, baseUrl: store.url });
    const saved = readFailures(failuresText(exploration ?? { seed: 0, failures: [] }), 'saved.json');
    expect(saved).toEqual(exploration?.failures);
    expect(saved.length).toBeGreaterThan(0);
    const broken = await checkConformance({ baseUrl: store.url, token, prism: false, replay: saved });
    expect(broken.conclusion).toBe('does-not-conform');
    const judged = new Set(saved.map(({ rule }) => rule));
    expect(broken.rules.map(({ id, verdict }) => [id, verdict])).toEqual(
      [...judged].map((id) => [id, 'fail']),
    );
    // Besides the two controls, only what was saved is sent, and once more.
    expect(broken.exchanges.length).toBeLessThan(2 + 3 * saved.length + 2);
    await using fixed = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: fixed.url, token, prism: false, replay: saved });
    expect(report.conclusion).toBe('conforms');
  });

  test('needs something to send', async () => {
    const nothing = checkConformance({ baseUrl: 'http://localhost', token, replay: [] });
    await expect(nothing).rejects.toThrow('there are no saved failures to send again');
  });
});
