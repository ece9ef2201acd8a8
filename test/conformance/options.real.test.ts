import {
  assertConformance,
  type CheckOptions,
  checkConformance,
  type Fields,
  type Level,
  planCheck,
  rules,
} from 'plant-store-contract/conformance';
import { exitStatus } from 'plant-store-contract/reporters';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { startHandler } from './providers/handler.js';
import { startInFront } from './providers/in-front.js';

afterEach(() => vi.unstubAllGlobals());

const token = 'token-of-these-tests';

describe('the options of a check', () => {
  test.each([
    [{ baseUrl: 'localhost:3000' }, 'must begin with http:// or https://'],
    [{ baseUrl: 'plants' }, 'must be an absolute URL'],
    [{ baseUrl: 'http://localhost?x=1' }, 'not have a query'],
    [{ baseUrl: 'http://user:secret@localhost' }, 'not have a user'],
    [{ token: '' }, 'the token must be'],
    [{ token: 'two words' }, 'the token must be'],
    [{ timeoutMs: 0 }, 'the timeout'],
    [{ concurrency: 1.5 }, 'the concurrency'],
    [{ only: ['auht'] }, '"auht" is not a rule, a topic'],
    [{ only: ['auth'], skip: ['implied', 'documented'] }, 'the options select no rule'],
    [{ levels: ['optional' as Level] }, 'unknown level "optional"'],
    [{ headers: [['Authorization', 'x']] as Fields }, 'the header "Authorization" cannot be set'],
    [{ headers: [['X-A', 'a\nb']] as Fields }, 'cannot be sent as it is'],
    [{ ca: 'certificate' }, 'the CA must be a certificate in PEM format'],
    [
      { expectedFailures: [{ rule: 'success/x', reason: 'y' }] },
      'entry 1 of the expected failures names an unknown rule',
    ],
  ])('%j is rejected with a message that names it', async (wrong, sentence) => {
    const check = checkConformance({ baseUrl: 'http://127.0.0.1:1', token, ...wrong });
    await expect(check).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(sentence),
    });
    await expect(check).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });

  test('/plants is appended to the path of the base URL', async () => {
    const paths = new Set<string | undefined>();
    await using provider = await startHandler((request, response) => {
      paths.add(request.url);
      response.writeHead(404).end();
    });
    for (const base of ['', '/', '/api/v1', '/api/v1/'])
      await checkConformance({ baseUrl: provider.url + base, token });
    expect([...paths]).toEqual(['/plants', '/api/v1/plants']);
  });

  test.each([1, 3])('no more than %i requests are under way at once', async (concurrency) => {
    let now = 0;
    let most = 0;
    await using provider = await startInFront({ token, delayMs: 2 }, async ({ pass }) => {
      most = Math.max(most, ++now);
      await pass();
      now--;
    });
    const report = await checkConformance({ baseUrl: provider.url, token, concurrency });
    expect(report.conclusion).toBe('conforms');
    expect(most).toBe(concurrency);
  });

  test.each<[string, Partial<CheckOptions>, RegExp]>([
    ['only a topic', { only: ['auth'] }, /^auth\//],
    ['only a rule', { only: ['request/body-is-json'] }, /^request\/body-is-json$/],
    ['only a level', { only: ['unspecified'] }, /^unspecified\//],
    ['all except topics', { skip: ['auth', 'unspecified', 'failure', 'state', 'request'] }, /^success\//],
    [
      'a topic without a rule',
      { only: ['auth'], skip: ['auth/missing-token-is-refused'] },
      /^auth\/(?!missing)/,
    ],
  ])('select %s', async (_what, chosen, pattern) => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, ...chosen });
    expect(report.conclusion).toBe('conforms');
    expect(report.rules.filter(({ id }) => !pattern.test(id))).toEqual([]);
    expect(report.rules.length).toBe(rules.filter(({ id }) => pattern.test(id)).length);
    const { requests } = planCheck(chosen);
    expect(report.exchanges.length).toBe(requests);
  });

  test('levels leaves out the other levels', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, levels: ['documented'] });
    expect(new Set(report.rules.map(({ level }) => level))).toEqual(new Set(['documented']));
  });

  test('a selection of one rule sends its probes and their controls, and no more', () => {
    const sent = (only: string) => planCheck({ only: [only] }).requests;
    expect(sent('request/body-is-required')).toBe(4);
    expect(sent('state/answers-do-not-mix')).toBeLessThan(30);
    expect(sent('failure')).toBe(planCheck().requests);
  });

  test('a token can come from a function, which is called once', async () => {
    await using store = await startPlantStore({ token });
    let calls = 0;
    const report = await checkConformance({
      ...{ baseUrl: store.url, only: ['auth'] },
      token: async () => {
        calls++;
        return token;
      },
    });
    expect([report.conclusion, calls]).toEqual(['conforms', 1]);
    const failing = checkConformance({
      baseUrl: store.url,
      token: () => Promise.reject(new Error('the identity provider is down')),
    });
    await expect(failing).rejects.toMatchObject({
      code: 'invalid-option',
      message: 'the token function failed: the identity provider is down',
    });
  });

  test('further headers are sent with every request', async () => {
    const seen = new Set<unknown>();
    await using provider = await startInFront({ token }, ({ request, pass }) => {
      seen.add(request.headers['x-tenant']);
      return pass();
    });
    await checkConformance({ baseUrl: provider.url, token, headers: [['X-Tenant', 'a']] });
    expect([...seen]).toEqual(['a']);
  });

  test('a signal stops the check, and the report has what is known', async () => {
    await using store = await startPlantStore({ token });
    const stop = new AbortController();
    const report = await checkConformance({
      ...{ baseUrl: store.url, token, signal: stop.signal },
      onExchange: ({ index }) => index === 20 && stop.abort(),
    });
    expect(report.conclusion).toBe('incomplete');
    expect(report.notes[0]).toContain('stopped before its end');
    expect(report.counts.pass).toBeGreaterThan(0);
    expect(report.counts.blocked).toBeGreaterThan(0);
    expect(report.counts.fail + report.counts.error).toBe(0);
  });

  test('the report and the profile name the implementation', async () => {
    await using store = await startPlantStore({ token });
    const implementation = { name: 'plants-go', version: '1.4.2' };
    const report = await checkConformance({ baseUrl: store.url, token, only: ['auth'], implementation });
    expect(report.implementation).toEqual(implementation);
    expect(report.profile.implementation).toEqual(implementation);
  });

  test('onExchange is called after each exchange', async () => {
    await using store = await startPlantStore({ token });
    const seen: number[] = [];
    const report = await checkConformance({
      baseUrl: store.url,
      token,
      onExchange: (exchange, planned) => seen.push(exchange.index, planned),
    });
    expect(seen.length).toBe(report.exchanges.length * 2);
  });
});

describe('assertConformance', () => {
  test('returns the report if the provider conforms', async () => {
    await using store = await startPlantStore({ token });
    expect((await assertConformance({ baseUrl: store.url, token })).conclusion).toBe('conforms');
  });

  test('throws with the broken rules', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    await expect(assertConformance({ baseUrl: store.url, token })).rejects.toMatchObject({
      code: 'does-not-conform',
      message: expect.stringContaining('expected   only the fields "name" and "tag"'),
    });
  });

  test('throws another code if nothing could be tested', async () => {
    await using store = await startPlantStore({ token });
    await expect(assertConformance({ baseUrl: store.url, token: 'wrong' })).rejects.toMatchObject({
      code: 'provider-not-testable',
    });
  });
});

test.each([
  ['conforms', 0],
  ['expected-failures', 0],
  ['does-not-conform', 1],
  ['outdated-expectations', 1],
  ['not-testable', 2],
  ['incomplete', 2],
] as const)('the exit status of %s is %i', (conclusion, status) => {
  expect(exitStatus(conclusion)).toBe(status);
});

/** As in jsdom and happy-dom: Node does not accept its signals. */
class ForeignController {
  readonly signal = Object.assign(Object.create(null), {
    aborted: false,
    addEventListener() {},
    removeEventListener() {},
  });
  abort(): void {}
}

test('a check works with signals that are not those of Node', async () => {
  const { fetch } = createPlantStore({ token });
  const own = AbortController;
  vi.stubGlobal('AbortController', ForeignController);
  const started = checkConformance({
    baseUrl: 'http://localhost',
    fetch,
    token,
    only: ['success'],
    prism: false,
  });
  vi.stubGlobal('AbortController', own);
  expect((await started).conclusion).toBe('conforms');
});
