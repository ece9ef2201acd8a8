import { checkConformance, dryRun, planCheck, probes } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const token = 'a-token-of-these-tests';
const generated = probes.filter(({ name }) => name.includes('/'));

describe('a quick check', () => {
  test('sends at most 150 requests, as planned, and judges every rule that it keeps', async () => {
    await using store = await startPlantStore({ token });
    const planned = planCheck({ quick: true });
    const report = await checkConformance({ baseUrl: store.url, token, quick: true, prism: false });
    expect(report.conclusion).toBe('conforms');
    expect(report.counts).toMatchObject({ blocked: 0, 'not-applicable': 0, error: 0 });
    expect(planned.requests).toBeLessThanOrEqual(150);
    expect(report.exchanges.length).toBe(planned.requests);
    expect(report.exchanges.filter(({ name }) => name.includes('/'))).toEqual([]);
  });

  test('says what it leaves out', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token, quick: true, prism: false });
    const all = planCheck();
    const left = all.requests - planCheck({ quick: true }).requests;
    const sentence = `${left} requests of ${all.requests} were left out: this is a quick check.`;
    expect(report.summary).toContain(sentence);
    expect(report.notes[0]).toContain(sentence);
    const whole = await checkConformance({ baseUrl: store.url, token, prism: false });
    for (const { id } of whole.rules)
      if (!report.rules.some((rule) => rule.id === id)) expect(report.notes[0]).toContain(id);
  });

  test('lists in a dry run what it sends', () => {
    const names = dryRun({ baseUrl: 'http://localhost', quick: true }).map(({ probe }) => probe);
    expect(names).toHaveLength(probes.length - generated.length);
  });
});

test('a whole check says nothing about requests that were left out', async () => {
  await using store = await startPlantStore({ token });
  const report = await checkConformance({ baseUrl: store.url, token, prism: false });
  expect(report.summary).not.toContain('left out');
  expect(report.exchanges.length).toBe(planCheck().requests);
});
