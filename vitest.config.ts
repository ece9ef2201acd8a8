import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const path = (relative: string): string => new URL(relative, import.meta.url).pathname;

/** What all projects share. */
const shared = {
  resolve: {
    alias: [
      // Tests import the package by its public names and reach the sources.
      { find: /^plant-store-contract\/(\w+)$/, replacement: path('./src/$1/index.ts') },
    ],
  },
};

/** A test or a hook may take minutes on a busy machine. A test that must end in time states its own limit. */
const PATIENT = { testTimeout: 180_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** The tests whose files end with a suffix: see test/README.md. */
function project(name: string, options: TestProjectInlineConfiguration['test']) {
  const include = [`test/**/*.${name}.test.ts`];
  return { ...shared, test: { name, include, exclude: ['test/examples/**'], ...PATIENT, ...options } };
}

export default defineConfig({
  ...shared,
  test: {
    globalSetup: path('./test/global-setup.ts'),
    teardownTimeout: 60_000,
    projects: [
      // No process, no build, no installed package, no waiting. Files of one worker share their modules, which saves most of
      // the time. No test may change what others import.
      project('unit', {
        include: ['test/**/*.test.ts'],
        exclude: ['test/examples/**', 'test/**/*.{real,all,timing}.test.ts'],
        isolate: false,
        maxWorkers: 2,
      }),
      // The others wait for processes and servers most of the time, so more of them run than there are cores.
      project('real', { isolate: false, maxWorkers: 4 }),
      project('all', { isolate: false, maxWorkers: 4 }),
      // The outcome of these depends on time, so they run alone.
      project('timing', { isolate: false, fileParallelism: false, sequence: { groupOrder: 1 } }),
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      // These run in processes of their own, or in a browser.
      exclude: [
        'src/**/*.generated.ts',
        'src/cli/main.ts',
        'src/cli/command-thread.ts',
        'src/page/browser/**',
        'src/**/*-worker.ts',
        'src/packaging/**',
      ],
      reporter: ['text-summary'],
      reportsDirectory: 'coverage',
    },
  },
});
