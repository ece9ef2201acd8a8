import { checkConformance } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';

const token = 'token-of-these-tests';

/** What differs from run to run. */
function settled(text: string): string {
  return text
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/\bAloe[a-z]{6}\b/g, 'AloeNAME')
    .replaceAll(/exchange \d+, \d+ ms/g, 'exchange N, N ms')
    .replaceAll(/\b\d{5,}\b/g, 'ID')
    .replace(/in \d+\.\d\d s/, 'in N s');
}

test('what a person reads of a provider that conforms', async () => {
  await using store = await startPlantStore({ token });
  const report = await checkConformance({ baseUrl: store.url, token });
  await expect(settled(reporters.text(report))).toMatchFileSnapshot('conforms.txt');
});

test('what a person reads of a provider that breaks rules', async () => {
  await using store = await startPlantStore({ token, faults: ['leaks-id', 'accepts-null-tag'] });
  const report = await checkConformance({ baseUrl: store.url, token });
  await expect(settled(reporters.text(report))).toMatchFileSnapshot('breaks-rules.txt');
});

test('what a person reads where nothing could be tested', async () => {
  await using store = await startPlantStore({ token });
  const report = await checkConformance({ baseUrl: store.url, token: 'another' });
  const text = settled(reporters.text(report));
  expect(text).toContain(`could not be tested: ${report.rules.length} blocked`);
  expect(text).toContain(
    'every plain, valid plant is answered with 400 ("the token is not one that this server accepts"); is the token right, and the base URL?',
  );
  // Every rule is blocked for that one reason: nobody reads it so often.
  expect(text.split('\n').length).toBeLessThan(8);
});

test('colour comes only when asked for', async () => {
  await using store = await startPlantStore({ token });
  const report = await checkConformance({ baseUrl: store.url, token });
  expect(reporters.text(report)).not.toContain('\u001b[');
  expect(reporters.text(report, { color: true })).toContain('\u001b[32m✓');
});

test('json is the report itself, and nothing else', async () => {
  await using store = await startPlantStore({ token });
  const report = await checkConformance({ baseUrl: store.url, token });
  expect(JSON.parse(reporters.json(report))).toEqual(report);
});
