import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.js';

const { globalSetup } = base.test ?? {};

/** Runs the test files that `npm run mutation` names, one after the other. */
export default defineConfig({
  ...base,
  test: {
    ...(globalSetup !== undefined && { globalSetup }),
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    isolate: false,
    maxWorkers: 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
