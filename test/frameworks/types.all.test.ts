import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Hono } from 'hono';
import type { FetchHandler, SuiteTarget } from 'plant-store-contract/conformance';
import { expect, expectTypeOf, test } from 'vitest';
import { packageFolder } from '../once.js';

const root = new URL('../..', import.meta.url).pathname;

// At run time these expectations do nothing: the last test checks them.
test('the types of a suite accept an application of Hono', () => {
  expectTypeOf<Hono>().toExtend<SuiteTarget>();
  expectTypeOf<Hono['fetch']>().toExtend<FetchHandler>();
});

test('these tests have no wrong type', async () => {
  const tsc = `${await packageFolder('typescript')}/bin/tsc`;
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '--project', 'test/frameworks'], {
    cwd: root,
  }).catch((error) => error);
  expect(stdout).toBe('');
});
