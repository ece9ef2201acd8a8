import {
  assertConformance,
  type CheckOptions,
  checkConformance,
  exitCode,
  type Fields,
  type Level,
  planCheck,
  rules,
} from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startHandler } from './providers/handler.js';
import { startInFront } from './providers/in-front.js';

const token = 'token-of-these-tests';

describe('the options of a check', () => {
  test.each([
    [{ baseUrl: 'localhost:3000' }, 'must begin with http:// or https://'],
    [{ baseUrl: 'plants' }, 'must be an absolute URL'],
    [{ baseUrl: 'http://localhost?x=1' }, 'no query'],
    [{ baseUrl: 'http://user:secret@localhost' }, 'no user'],
    [{ token: '' }, 'the token must be'],
    [{ token: 'two words' }, 'the token must be'],
    [{ timeoutMs: 0 }, 'the time-out'],
    [{ concurrency: 1.5 }, 'the concurrency'],
    [{ only: ['auht'] }, '"auht" is no rule, no topic'],
    [{ only: ['auth'], skip: ['implied', 'documented'] }, 'no rule is left'],
    [{ levels: ['optional' as Level] }, 'there is no level "optional"'],
    [{ headers: [['Authorization', 'x']] as Fields }, 'the header "Authorization" cannot be set'],
    [{ headers: [['X-A', 'a\nb']] as Fields }, 'cannot be sent as it is'],
    [{ ca: 'certificate' }, 'the CA must be a certificate as PEM'],
    [
      { expectedFailures: [{ rule: 'success/x', reason: 'y' }] },
      'entry 1 of the expected failures names no rule',
    ],
  ])('%j is refused with a sentence that names it', async (wrong, sentence) => {
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
    ['all but topics', { skip: ['auth', 'unspecified', 'failure', 'state', 'request'] }, /^success\//],
    ['topics less a rule', { only: ['auth'], skip: ['auth/missing-token-is-refused'] }, /^auth\/(?!missing)/],
  ])('chooses %s', async (_what, chosen, pattern) => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, ...chosen });
    expect(report.conclusion).toBe('conforms');
    expect(report.rules.filter(({ id }) => !pattern.test(id))).toEqual([]);
    expect(report.rules.length).toBe(rules.filter(({ id }) => pattern.test(id)).length);
    const { requests } = planCheck(chosen);
    expect(report.exchanges.length).toBe(requests);
  });

  test('levels leaves the others out', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, levels: ['documented'] });
    expect(new Set(report.rules.map(({ level }) => level))).toEqual(new Set(['documented']));
  });

  test('a selection of one rule sends its probes and their controls, and no more', () => {
    const sent = (only: string) => planCheck({ only: [only] }).requests;
    expect(sent('request/body-is-required')).toBe(3);
    expect(sent('state/answers-do-not-mix')).toBeLessThan(15);
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
      message: 'no token could be had: the identity provider is down',
    });
  });

  test('further headers go out with every request', async () => {
    const seen = new Set<unknown>();
    await using provider = await startInFront({ token }, ({ request, pass }) => {
      seen.add(request.headers['x-tenant']);
      return pass();
    });
    await checkConformance({ baseUrl: provider.url, token, headers: [['X-Tenant', 'a']] });
    expect([...seen]).toEqual(['a']);
  });

  test('a signal ends the check with what is known', async () => {
    await using store = await startPlantStore({ token });
    const stop = new AbortController();
    const report = await checkConformance({
      ...{ baseUrl: store.url, token, signal: stop.signal },
      onExchange: ({ index }) => index === 20 && stop.abort(),
    });
    expect(report.conclusion).toBe('incomplete');
    expect(report.notes[0]).toContain('stopped before it had ended');
    expect(report.counts.pass).toBeGreaterThan(0);
    expect(report.counts.blocked).toBeGreaterThan(0);
    expect(report.counts.fail + report.counts.error).toBe(0);
  });

  test('what implements the interface is named in the report and the profile', async () => {
    await using store = await startPlantStore({ token });
    const implementation = { name: 'plants-go', version: '1.4.2' };
    const report = await checkConformance({ baseUrl: store.url, token, only: ['auth'], implementation });
    expect(report.implementation).toEqual(implementation);
    expect(report.profile.implementation).toEqual(implementation);
  });

  test('each exchange is told as it ends', async () => {
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
  test('gives the report where the provider conforms', async () => {
    await using store = await startPlantStore({ token });
    expect((await assertConformance({ baseUrl: store.url, token })).conclusion).toBe('conforms');
  });

  test('throws with the broken rules', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    await expect(assertConformance({ baseUrl: store.url, token })).rejects.toMatchObject({
      code: 'does-not-conform',
      message: expect.stringContaining('expected  the fields "name" and, when present, "tag"'),
    });
  });

  test('throws another code where nothing could be tested', async () => {
    await using store = await startPlantStore({ token });
    await expect(assertConformance({ baseUrl: store.url, token: 'wrong' })).rejects.toMatchObject({
      code: 'provider-not-testable',
    });
  });
});

test.each([
  ['conforms', 0],
  ['known-failures', 0],
  ['breaks-rules', 1],
  ['outdated-list', 1],
  ['not-testable', 2],
  ['incomplete', 2],
] as const)('the exit status of %s is %i', (conclusion, status) => {
  expect(exitCode(conclusion)).toBe(status);
});
