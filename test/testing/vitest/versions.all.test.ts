import { beforeAll, describe, expect, test } from 'vitest';
import { InstalledProject, VITESTS, type VitestVersion } from '../../installed-project.js';
import { ASSERTIONS, expectAssertions } from './assertions.js';

const project = await InstalledProject.create();

const RIGHT = `
import { plantStoreTest } from 'plant-store-contract/vitest';
import { expect } from 'vitest';
declare const value: any;
export const reading: Promise<void>[] = [
  expect(new Response()).toConformToPlantStore(),
  expect(new Request('http://localhost')).not.toBeNewPlant(),
  expect.soft(new Response()).toBePlant(),
];
expect(value).toBePlant();
expect({ plants: [{}] }).toEqual({ plants: [expect.toBePlant()], other: expect.not.toBeNewPlant() });
expect({}).toEqual(expect.toConformToPlantStore({ strict: true }));
expect({}).not.toConformToPlantStore({ strict: true });
expect({}).toBePlant();
expect({}).not.toBeNewPlant();
expect.soft({}).toBePlantStoreError();
export const later: Promise<void> = expect(Promise.resolve({})).resolves.toBePlant();
export const polled: Promise<void> = expect.poll(() => ({})).toBePlant();
plantStoreTest('a test', ({ plantStore, plantStoreOptions }) => {
  plantStore.seed({ name: 'Aloe', id: 7 });
  const url: string = plantStore.url;
  return void [url, plantStoreOptions.token];
});
export const test = plantStoreTest.extend({
  plantStoreOptions: { duplicateId: 'replace' },
});
test('another', ({ plantStore }) => expect(plantStore.port).toBe(1));
plantStoreTest.extend<{ own: URL }>({
  own: async ({ plantStore }, use) => use(new URL(plantStore.url)),
})('has its own', ({ own, plantStore }) => expect(own.href).toBe(plantStore.url));
`;

/** Each line, and the error of TypeScript. */
const WRONG = [
  ['expect({}).toBePlnt();', 'TS2551'],
  ['expect({}).toBePlant(7);', 'TS2554'],
  ["expect({}).toConformToPlantStore({ strict: 'any' });", 'TS2322'],
  ['expect({}).toBePlant().then();', 'TS2339'],
  ["expect('').toBePlant().then();", 'TS2339'],
  ['expect({ status: 200, headers: {}, body: 1 }).toConformToPlantStore().then();', 'TS2339'],
  ['expect.not.toBePlnt();', 'TS2551'],
  ["plantStoreTest('a test', ({ plantStore }) => plantStore.nothing);", 'TS2339'],
] as const;

const FLAGS = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--pretty', 'false'];
const LIBRARIES = ['--lib', 'es2023,esnext.disposable', '--types', 'node'];

const NOT_AWAITED = `
import 'plant-store-contract/vitest';
import { expect, test } from 'vitest';
test('is not awaited', () => {
  expect(Response.json({ name: 7 })).toBePlant();
});
test('comes next', () => new Promise((resolve) => setTimeout(resolve, 100)));
`;

const CONFIG = { 'vitest.config.js': "export default { test: { include: ['*.spec.js'] } };" };

describe.each(Object.keys(VITESTS))('in Vitest %s', (name) => {
  const version = Number(name) as VitestVersion;
  // The declarations of Vitest 3 and of the @types/chai that Vitest 4 depends on do not agree.
  const flags = [...FLAGS, ...LIBRARIES, ...(version === 3 ? ['--skipLibCheck'] : [])];

  beforeAll(() => project.install(version));

  test('correct uses compile, and wrong uses do not', async () => {
    const imports = RIGHT.split('\n').slice(1, 3);
    const wrong = [...imports, ...WRONG.map(([line]) => line)].join('\n');
    project.renew({ 'right.ts': RIGHT, 'wrong.ts': wrong });
    const { output } = await project.tsc(...flags, 'right.ts', 'wrong.ts');
    const found = [...output.matchAll(/^(\w+)\.ts\((\d+),\d+\): error (TS\d+)/gm)].map(
      ([, file, line, code]) => `${file} ${line} ${code}`,
    );
    expect(found).toEqual(WRONG.map(([, code], at) => `wrong ${at + 3} ${code}`));
  });

  test('the assertions pass and fail correctly', async () => {
    const imports = "import 'plant-store-contract/vitest'; import { expect, test } from 'vitest';";
    project.renew({ ...CONFIG, 'a.spec.js': imports + ASSERTIONS });
    expectAssertions(await project.vitest());
  });

  test('a run fails if a failing assertion is not awaited, although its test passes', async () => {
    project.renew({ ...CONFIG, 'a.spec.js': NOT_AWAITED });
    const { tests, code, output } = await project.vitest();
    expect(tests[0]?.status).toBe('passed');
    expect(output).toContain('"name" must be a string; got 7');
    expect(code).toBe(1);
  });
});
