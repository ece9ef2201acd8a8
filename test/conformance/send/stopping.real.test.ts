import { checkConformance } from 'plant-store-contract/conformance';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { checkFetch, checkStore, token } from '../checks.js';
import { startInFront } from '../providers/in-front.js';

describe('a check that is stopped', () => {
  test('passes no rule for which not all was sent', async () => {
    const stop = new AbortController();
    const report = await checkStore([], {
      only: ['success/plant-fields-only'],
      signal: stop.signal,
      onExchange: ({ index }) => index === 5 && stop.abort(),
    });
    expect(report.conclusion).toBe('incomplete');
    expect(report.summary).toMatch(
      /^No rule failed\. As asked, the check left out \d+ other rules\. \d+ of \d+ requests were sent: the check was stopped\.$/,
    );
  });

  test('by a timer ends, although the provider is a function that waits for nothing', async () => {
    const { fetch } = createPlantStore({ token });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 1);
    const report = await checkFetch(fetch, { signal: stop.signal });
    expect(report.conclusion).toBe('incomplete');
  });

  test('counts what it sent, and lists every plant that was created', async () => {
    const stop = new AbortController();
    await using store = await startPlantStore({ token, delayMs: 30 });
    const report = await checkConformance({
      baseUrl: store.url,
      token,
      prism: false,
      signal: stop.signal,
      onExchange: ({ index }) => index === 300 && stop.abort(),
    });
    expect(report.conclusion).toBe('incomplete');
    expect(report.notes[0]).toContain('stopped before its end');
    expect(report.counts.blocked).toBeGreaterThan(0);
    expect(report.counts.fail + report.counts.error).toBe(0);
    const stored = store.plants().map(({ id }) => String(id));
    expect(report.createdIds.toSorted()).toEqual(stored.toSorted());
    const received = store.received().length;
    expect(received).toBeGreaterThan(301);
    expect(report.remarks[0]).toMatch(
      `The check sent ${received} requests and created ${stored.length} plants;`,
    );
  });

  test('lists the plants that may have been created, if it does not wait for the responses', async () => {
    const stop = new AbortController();
    await using provider = await startInFront({ token }, ({ body, pass }) => {
      if (!body.includes('"colour":"green"')) return pass();
      // It may have created the plant, and it never responds.
      stop.abort();
    });
    const report = await checkConformance({
      baseUrl: provider.url,
      token,
      prism: false,
      signal: stop.signal,
    });
    const open = report.exchanges.filter(({ failure }) => failure?.kind === 'stopped');
    const ids = open.flatMap(({ request }) => /"id":(\d+)/.exec(request.body.text)?.[1] ?? []);
    expect(ids.length).toBeGreaterThan(0);
    expect(report.createdIds).toEqual(expect.arrayContaining(ids));
    expect(report.remarks[0]).toMatch(/created at most \d+ plants;/);
  });
});

test('the report of a provider that dies counts what was sent', async () => {
  let received = 0;
  await using provider = await startInFront({ token }, ({ request, pass }) => {
    received++;
    return received <= 3 ? pass() : request.socket.destroy();
  });
  const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
  expect(report.conclusion).toBe('does-not-conform');
  expect(report.summary).toContain('requests were sent: the provider had stopped responding.');
  expect(report.remarks[0]).toContain(`The check sent ${received} requests and created at most `);
});
