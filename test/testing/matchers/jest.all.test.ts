import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RunnerProject } from '../vitest/runner-project.js';

let project: RunnerProject;

beforeAll(async () => {
  project = await RunnerProject.create();
});

afterAll(() => project.remove());

const RUN = `
import { expect, test } from '@jest/globals';
import * as matchers from 'plant-store-contract/matchers';
import { createPlantStore } from 'plant-store-contract/server';
expect.extend(matchers);
const headers = { 'content-type': 'application/json' };
const leak = { status: 200, headers, body: Buffer.from('{"name":"Aloe","id":7}') };
test('passes', async () => {
  const { fetch } = createPlantStore();
  const response = await fetch(new Request('http://localhost/plants', { method: 'POST' }));
  await expect(response).toConformToPlantStore();
  await expect(response).toBePlantStoreError();
  await expect(response).not.toBePlant();
  expect(await response.json()).toBePlantStoreError();
  expect(leak).not.toConformToPlantStore();
  expect({ name: 'Aloe' }).toBePlant();
  expect({ name: 'Aloe', id: 7n }).toBeNewPlant();
  expect({ plant: { name: 'Aloe' } }).toEqual({ plant: expect.toBePlant() });
});
test('fails', () => { expect(leak).toConformToPlantStore(); });
test('fails later', async () => { await expect(Response.json({ name: 7 })).toBePlant(); });
test('fails with not', () => { expect({ name: 'Aloe' }).not.toBePlant(); });
test('fails for undefined', () => { expect(undefined).not.toBePlant(); });
const later = () => ({ plant: Response.json({ name: 7 }) });
test('fails if an asymmetric matcher cannot wait', () => { expect(later()).toEqual({ plant: expect.toBePlant() }); });
test('fails if an asymmetric .not cannot wait', () => { expect(later()).toEqual({ plant: expect.not.toBePlant() }); });
`;

const HEAD = `
import * as matchers from 'plant-store-contract/matchers';
import type { PlantStoreMatchers } from 'plant-store-contract/matchers';
`;
const BODY = `
expect.extend(matchers);
test('a test', async () => {
  expect({}).toBePlant();
  expect({}).not.toConformToPlantStore({ statuses: 'documented' });
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
      'a.spec.js': RUN,
    });
    const { tests, code, output } = await project.jest();
    const message = (title: string) => tests.find((ran) => ran.title === title)?.message;
    expect(tests.map(({ title, status }) => `${title}: ${status}`)).toEqual([
      ...['passes: passed', 'fails: failed', 'fails later: failed'],
      ...['fails with not: failed', 'fails for undefined: failed'],
      ...[
        'fails if an asymmetric matcher cannot wait: failed',
        'fails if an asymmetric .not cannot wait: failed',
      ],
    ]);
    expect(message('fails with not')).toContain('expected anything but a Plant; this is one');
    expect(message('fails for undefined')).toContain('undefined was given');
    expect(code).toBe(1);
    expect(output).toContain('this is not a conforming response (status 200):');
    expect(output).toContain('body /id: a Plant has no field "id"; got 7');
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
