import { describe, expect, test } from 'vitest';
import { InstalledProject } from '../../installed-project.js';
import { ASSERTIONS, expectAssertions } from '../vitest/assertions.js';

const project = await InstalledProject.create();

const IMPORTS = `
import { expect, test } from '@jest/globals';
import * as matchers from 'plant-store-contract/matchers';
expect.extend(matchers);
`;

const HEAD = `
import * as matchers from 'plant-store-contract/matchers';
import type { PlantStoreMatchers } from 'plant-store-contract/matchers';
`;
const BODY = `
expect.extend(matchers);
test('a test', async () => {
  expect({}).toBePlant();
  expect({}).not.toConformToPlantStore({ strict: true });
  const later: Promise<void> = expect(Promise.resolve({})).resolves.toBeNewPlant();
  await later;
});
`;

const GLOBALS = `
import { expect, test } from '@jest/globals';
declare module 'expect' {
  interface Matchers<R extends void | Promise<void>> extends PlantStoreMatchers<R> {}
}
`;
const TYPES = `
declare global {
  namespace jest {
    interface Matchers<R> extends PlantStoreMatchers<R> {}
  }
}
`;

describe('in Jest', () => {
  test('the assertions pass and fail correctly', async () => {
    project.renew({
      'jest.config.js': "export default { transform: {}, testMatch: ['<rootDir>/*.spec.js'] };",
      'a.spec.js': IMPORTS + ASSERTIONS,
    });
    expectAssertions(await project.jest());
  });

  test.each([
    ['@jest/globals', GLOBALS, 'node'],
    ['@types/jest', TYPES, 'node,jest'],
  ])('the assertions have types with %s after a declaration', async (_package, declared, types) => {
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2023', '--pretty', 'false'];
    const libraries = ['--lib', 'es2023,esnext.disposable', '--types', types];
    project.renew({
      'a.ts': HEAD + declared + BODY,
      'b.ts': HEAD + declared + BODY.replace('toBePlant', 'toBePlnt'),
    });
    const { output } = await project.tsc(...flags, ...libraries, 'a.ts', 'b.ts');
    expect(output.match(/^\w+\.ts\(.*error .*/gm), output).toEqual([
      expect.stringMatching(/^b\.ts\(.*error TS2551.*toBePlnt/),
    ]);
  });
});
