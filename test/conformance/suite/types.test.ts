import type { Server } from 'node:http';
import type nodeTest from 'node:test';
import type { FetchHandler, SuiteTarget, SuiteTest } from 'plant-store-contract/conformance';
import type { PlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expectTypeOf, test } from 'vitest';

// At run time these expectations do nothing: `tsc --project test/tsconfig.json` is what checks them.
describe('the types of a suite', () => {
  test('accept the tests of Vitest and node:test', () => {
    expectTypeOf<typeof test>().toExtend<SuiteTest>();
    expectTypeOf<typeof test.concurrent>().toExtend<SuiteTest>();
    expectTypeOf<typeof nodeTest>().toExtend<SuiteTest>();
  });

  test('accept every kind of target', () => {
    expectTypeOf<string | URL>().not.toExtend<SuiteTarget>();
    expectTypeOf<PlantStore>().toExtend<SuiteTarget>();
    expectTypeOf<PlantStore['fetch']>().toExtend<FetchHandler>();
    expectTypeOf<{ start: typeof startPlantStore }>().toExtend<SuiteTarget>();
    expectTypeOf<{
      start(): Promise<{ url: string; close(): Promise<void> }>;
    }>().toExtend<SuiteTarget>();
    expectTypeOf<{ start(): Server }>().not.toExtend<SuiteTarget>();
    expectTypeOf<() => string>().not.toExtend<SuiteTarget>();
    expectTypeOf<FetchHandler>().not.toExtend<SuiteTarget>();
  });
});
