import { type Profile, rules } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { startInFront } from '../conformance/providers/in-front.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const demands = rules.filter(({ level }) => level !== 'unspecified').length;

test('a whole check of a provider that conforms: status 0, a report, and a profile on its own', async () => {
  await using store = await startPlantStore({ token });
  const argv = ['check', store.url, '--token', token, '--profile', 'profile.json'];
  const { status, stdout, stderr, files } = await plantStore(argv);
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^checking \S+ with \d+ requests \(up to \d+ retries\); creates \d+ to \d+ plants, .*\n/,
  );
  // Every failure of the server is a 400, so two rules about another 4xx do not apply.
  expect(stdout).toContain(`conforms: ${demands - 2} pass, ${rules.length - demands} observed`);
  const profile: Profile = JSON.parse(files['profile.json'] ?? '');
  expect(profile.behaviours.length).toBeGreaterThanOrEqual(20);
  expect(profile.behaviours).toContainEqual(
    expect.objectContaining({
      rule: 'unspecified/repeated-id',
      sentence: 'A duplicate id returns 400.',
      value: '400',
    }),
  );
});

test('a whole check of a provider that breaks a rule: status 1, with a header of its own', async () => {
  await using provider = await startInFront({ token, faults: ['leaks-id'] }, async ({ request, pass }) => {
    if (request.headers['x-tenant'] === 'a: b') await pass();
  });
  const flags = ['--header', 'X-Tenant: a: b', '--timeout', '4000'];
  const { status, stdout } = await plantStore(['check', provider.url, '--token', token, ...flags]);
  expect(status).toBe(1);
  expect(stdout).toContain('a 200 with "id"');
});
