import { defineConfig } from 'vitest/config';
import base from '../../../vitest.config.js';

const { globalSetup } = base.test ?? {};
const isRecording = process.env.MUTATION_RECORDING !== undefined;

/** Runs the test files that `npm run mutation` names: on mutants, one after the other. */
export default defineConfig({
  ...base,
  test: {
    ...(globalSetup !== undefined && { globalSetup }),
    include: (process.env.MUTATION_TESTS ?? '').split(','),
    setupFiles: isRecording ? ['test/lab/mutation/record.setup.ts'] : [],
    isolate: isRecording,
    maxWorkers: isRecording ? 3 : 1,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
