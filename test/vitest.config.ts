import { defineConfig } from 'vitest/config';

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
    testTimeout: 20_000,
    // Many of them wait more than they work.
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/**/*.generated.ts', 'src/cli/main.ts'],
      reporter: ['text-summary'],
      thresholds: { statements: 97, branches: 94, functions: 97, lines: 97 },
      reportsDirectory: 'coverage',
    },
  },
});
