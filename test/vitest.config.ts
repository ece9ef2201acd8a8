import { defineConfig } from 'vitest/config';
import { SlowestFirst } from './slow.js';

const source = (folder: string) => new URL(`../src/${folder}/index.ts`, import.meta.url).pathname;

export default defineConfig({
  resolve: {
    alias: [
      // Tests import the package by its public names and reach the sources.
      { find: /^plant-store-contract\/(\w+)$/, replacement: source('$1') },
    ],
  },
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    exclude: ['test/examples/**'],
    // A busy machine may be slow. A test that must end in time states its own limit.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
    globalSetup: 'test/global-setup.ts',
    // Files of one worker share their modules, which saves a quarter of the time. No test may change what others import.
    isolate: false,
    // Many tests wait for processes and servers.
    maxWorkers: 4,
    sequence: { sequencer: SlowestFirst },
    coverage: {
      // It takes half a minute of CPU, so it is measured in CI only.
      enabled: process.env.CI === 'true',
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
      thresholds: { statements: 97, branches: 94, functions: 97, lines: 97 },
      reportsDirectory: 'coverage',
    },
  },
});
