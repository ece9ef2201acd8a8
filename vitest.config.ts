import { readFileSync } from 'node:fs';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { Sequencer } from './test/sequencer.js';

const path = (relative: string): string => new URL(relative, import.meta.url).pathname;

const { exports }: { exports: Record<string, { default?: string }> } = JSON.parse(
  readFileSync(path('./package.json'), 'utf8'),
);

/** What all projects share. */
const shared = {
  resolve: {
    // Tests import the package by its public names and reach the sources.
    alias: Object.entries(exports).flatMap(([name, { default: file }]) => {
      const source = file?.match(/^\.\/dist\/(.*\/index)\.js$/)?.[1];
      if (source === undefined) return [];
      return {
        find: new RegExp(`^plant-store-contract/${name.slice(2)}$`),
        replacement: path(`./src/${source}.ts`),
      };
    }),
  },
};

/** A test or a hook may take minutes on a busy machine. A test that must end in time states its own limit. */
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 180_000 } } };

/** Many tests wait for timers, processes and servers, so more files run at once than there are cores. */
const WORKERS = { maxWorkers: 4, sequence: { groupOrder: 0 } };

/** The examples run as projects of a user. */
const NO_TESTS = ['**/node_modules/**', 'examples/**'];

/** The tests whose files end with a suffix: see test/README.md. */
function project(name: string, options: TestProjectInlineConfiguration['test'] = {}) {
  const include = [`test/**/*.${name}.test.ts`];
  const setupFiles = [path('./test/conforming.ts')];
  const base = { include, exclude: NO_TESTS, setupFiles, isolate: false, ...WORKERS, ...PATIENT };
  return { ...shared, test: { name, ...base, ...options } };
}

export default defineConfig({
  ...shared,
  test: {
    globalSetup: path('./test/global-setup.ts'),
    teardownTimeout: 60_000,
    sequence: { sequencer: Sequencer },
    // Files of one worker share their modules, which saves most of the time. No test may change what others import.
    projects: [
      // No process, no build, no installed package, no waiting.
      project('unit', {
        include: ['test/**/*.test.ts'],
        exclude: [...NO_TESTS, 'test/**/*.{real,all,timing}.test.ts'],
      }),
      // These begin when the last of those above are still running.
      project('real'),
      // Of a file, a few concurrent tests at a time: with more, a check ends by its time limit on a busy machine.
      project('all', {
        globalSetup: path('./test/installed-packages.ts'),
        maxConcurrency: 4,
        maxWorkers: 5,
        sequence: { groupOrder: 1 },
      }),
      // The outcome of these depends on time, so they run alone. Most of that time they wait, so many run at once.
      project('timing', { fileParallelism: false, maxConcurrency: 24, sequence: { groupOrder: 2 } }),
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // These run in processes of their own, or in a browser.
      exclude: [
        'src/**/*.generated.ts',
        'src/cli/main.ts',
        'src/pact/verification/verifier-{process,options}.ts',
      ],
      reporter: ['text-summary'],
      reportsDirectory: 'coverage',
    },
  },
});
