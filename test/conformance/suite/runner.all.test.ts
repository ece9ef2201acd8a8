import { rules } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { InstalledProject, type RanTest } from '../../installed-project.js';

const ids = rules.map(({ id }) => id);
const demands = rules.filter(({ level }) => level !== 'unspecified').map(({ id }) => id);

/** A file of tests that is the same in all runners but for one import. */
function suite(from: string, target: string, more = ''): string {
  return `
import { test } from '${from}';
import { conformanceSuite } from 'plant-store-contract/conformance';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
conformanceSuite({ test, target: ${target}, ${more} });
`;
}

const HANDLER = "{ fetch: createPlantStore({ token: 'secret' }).fetch }, token: 'secret'";
const SLOW =
  "{ start: () => startPlantStore({ token: 'secret', delayMs: 20 }) }, concurrency: 1, only: ['auth']";
const LEAKING = "{ start: () => startPlantStore({ token: 'secret', faults: ['leaks-id'] }) }";

/** What does not apply to a provider that rejects everything with a 400. */
const RULES_OF_OTHER_4XX = ['failure/other-4xx-is-an-error', 'failure/other-4xx-is-json'];

const project = await InstalledProject.create();

const CONFIGS = {
  'vitest.config.js': "export default { test: { include: ['*.spec.js'] } };",
  'jest.config.js': "export default { transform: {}, testMatch: ['<rootDir>/*.spec.js'] };",
};

function titles(tests: readonly RanTest[], ...statuses: readonly string[]): string[] {
  return tests.filter(({ status }) => statuses.includes(status)).map(({ title }) => title);
}

/** What Vitest and Jest have in common. */
describe.each([
  { name: 'Vitest', from: 'vitest', run: (...args: string[]) => project.vitest(...args) },
  { name: 'Jest', from: '@jest/globals', run: (...args: string[]) => project.jest(...args) },
])('$name', ({ name, from, run }) => {
  const write = (target: string, more?: string): void =>
    project.renew({ ...CONFIGS, 'plants.spec.js': suite(from, target, more) });

  test('has a test for every rule of a handler, and skips what does not apply', async () => {
    write(HANDLER);
    const { code, tests } = await run();
    expect(tests.map(({ title }) => title).sort()).toEqual([...ids].sort());
    // Jest cannot skip a test that runs.
    const skipped = name === 'Jest' ? [] : RULES_OF_OTHER_4XX;
    expect(titles(tests, 'skipped', 'pending').sort()).toEqual(skipped);
    expect(titles(tests, 'failed')).toEqual([]);
    expect(code).toBe(0);
  });

  test('has a longer timeout than other tests', async () => {
    write(SLOW);
    const { code, tests } = await run('--testTimeout=500');
    expect(titles(tests, 'failed')).toEqual([]);
    expect(tests.length).toBeGreaterThan(8);
    expect(code).toBe(0);
  });

  test('shows the expected and the actual response of a broken rule', async () => {
    write(LEAKING, "only: ['documented', 'implied']");
    const { code, tests } = await run();
    expect(titles(tests, 'failed')).toEqual(['success/plant-fields-only']);
    const others = name === 'Jest' ? [] : RULES_OF_OTHER_4XX;
    expect(titles(tests, 'passed')).toHaveLength(demands.length - 1 - others.length);
    const { message } = tests.find(({ status }) => status === 'failed') as RanTest;
    expect(message).toMatch(/got {8}a 200 with "id"/);
    expect(code).toBe(1);
  });
});

test('an extended test of Vitest works', async () => {
  const text = suite('vitest', HANDLER, "only: ['success']");
  project.renew({
    ...CONFIGS,
    'plants.spec.js': text.replace('({ test,', "({ test: test.extend({ a: 'b' }),"),
  });
  const { code, tests } = await project.vitest();
  expect(titles(tests, 'passed').length).toBeGreaterThan(10);
  expect(code).toBe(0);
});

describe('node:test', () => {
  const run = (target: string) => {
    project.renew({ 'plants.mjs': suite('node:test', target) });
    return project.node('--test', '--test-reporter=tap', 'plants.mjs');
  };

  test('has a test for every rule of a handler, and skips what does not apply', async () => {
    const { code, output } = await run(HANDLER);
    for (const id of ids) expect(output).toMatch(new RegExp(`^ *ok \\d+ - ${id}( # SKIP|$)`, 'm'));
    const skipped = [...output.matchAll(/- (\S+) # SKIP (.*)$/gm)];
    expect(skipped.map(([, id]) => id).sort()).toEqual(RULES_OF_OTHER_4XX);
    expect(skipped.map(([, , why]) => why)).toEqual(Array(2).fill('every failure has the status 400'));
    expect(code).toBe(0);
  });
});
