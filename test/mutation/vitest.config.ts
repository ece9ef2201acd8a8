import { defineConfig } from 'vitest/config';
import base from '../vitest.config.js';

/** Runs the test files that `npm run mutation` names, one after the other. */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    maxWorkers: 1,
    sequence: {},
    coverage: { enabled: false },
  },
});
