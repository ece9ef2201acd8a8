import {
  type CheckOptions,
  type CheckReport,
  checkConformance,
  rules,
} from 'plant-store-contract/conformance';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { brokenIn, checkFetch, token } from './checks.js';
import { startHandler } from './providers/handler.js';

const verdictsIn = (report: CheckReport) =>
  Object.fromEntries(report.rules.map(({ id, verdict }) => [id, verdict]));

describe('the reference server', () => {
  test('conforms, every rule is judged, and it has the plants that the report lists as created', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token });
    expect(report).toConform();
    const demands = rules.filter(({ level }) => level !== 'unspecified').length;
    expect(report.counts).toEqual({
      // Every failure is a 400, so two rules about another 4xx do not apply.
      pass: demands - 2,
      observed: rules.length - demands,
      'not-applicable': 2,
      fail: 0,
      warn: 0,
      blocked: 0,
      error: 0,
    });
    expect(report.exchanges.length).toBeLessThanOrEqual(500);
    // An id that was sent as 7.0 is listed as 7.0.
    const listed = report.createdIds.map((id) => id.replace(/\.0$/, ''));
    const stored = store.plants().map(({ id }) => String(id));
    expect(listed.sort()).toEqual(stored.sort());
  });

  test('conforms with every other option where the interface is silent', async () => {
    const { fetch } = createPlantStore({
      token,
      authenticationFailureStatus: 403,
      duplicateId: 'replace',
      unknownFields: 'reject',
      cors: true,
    });
    expect(await checkFetch(fetch)).toConform();
  });
});

describe('a provider that cannot be tested', () => {
  test.each<[string, (url: string) => Partial<CheckOptions>, RegExp]>([
    [
      'nothing listens there',
      () => ({ baseUrl: 'http://127.0.0.1:9' }),
      /cannot be reached: nothing listens on 127\.0\.0\.1:9 \(ECONNREFUSED\)\. Start the provider .*--start/,
    ],
    [
      'there is no such host',
      () => ({ baseUrl: 'http://no-such-host.invalid' }),
      /cannot be reached: .*(ENOTFOUND|EAI_AGAIN).*Is the base URL right\?/,
    ],
    ['it never responds', (baseUrl) => ({ baseUrl, timeoutMs: 50 }), /no response within 50 ms/],
    [
      'it does not speak TLS',
      (url) => ({ baseUrl: url.replace('http:', 'https:') }),
      /the server does not use TLS; write http:\/\/ instead of https:\/\//,
    ],
  ])('because %s', async (_why, options, why) => {
    await using provider = await startHandler(() => {});
    const report = await checkConformance({ baseUrl: provider.url, token, ...options(provider.url) });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(why);
  });
});

describe('a provider that does one thing with every request', () => {
  test('that accepts everything passes no rule about a rejection', async () => {
    const report = await checkFetch(() => Response.json({ name: 'Aloe' }));
    const refusals = report.rules.filter(({ id }) =>
      /-refused$|-required$|request\/.*-is-|failure\//.test(id),
    );
    const passed = refusals.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    // That is what it does: it accepts, and its responses contain nothing of the requests.
    expect(passed).toEqual([
      'request/spelling-of-json-is-ignored',
      'request/media-type-case-is-ignored',
      'failure/everyday-request-is-answered',
      'failure/rare-input-is-answered',
      'failure/text-stays-in-the-body',
    ]);
    expect(report.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['response-is-an-example', 'nothing-is-authenticated', 'nothing-is-checked']),
    );
  });

  test('that returns 500 is judged, and passes no rule about a rejection', async () => {
    const report = await checkFetch(() => Response.json({ error: 1, message: 'oops' }, { status: 500 }));
    expect(report.conclusion).toBe('does-not-conform');
    expect(brokenIn(report)).toEqual(['success/status-is-200']);
    const ofRequests = report.rules.filter(({ id }) => id.startsWith('request/'));
    expect(ofRequests.filter(({ verdict }) => verdict === 'pass')).toEqual([]);
  });

  test('that returns 201 with the id for a creation fails for both, and its body is judged', async () => {
    await using store = await startPlantStore({ token, faults: ['answers-201', 'leaks-id'] });
    const report = await checkConformance({ baseUrl: store.url, token, prism: false });
    expect(brokenIn(report)).toEqual(['success/status-is-200', 'success/plant-fields-only']);
    expect(verdictsIn(report)).toMatchObject({
      'success/body-is-a-plant': 'pass',
      'success/texts-come-back': 'pass',
      'state/bad-request-spoils-nothing': 'blocked',
    });
    expect(report.counts['not-applicable']).toBe(2);
  });
});
