import { defineConfig, mergeConfig } from 'vitest/config';
import { slowFiles } from './slow.js';
import everything from './vitest.config.js';

/** What `npm run test:quick` runs: all but the slow files and what needs a build. */
export default mergeConfig(
  everything,
  defineConfig({
    test: { exclude: ['test/package/**', ...Object.keys(slowFiles).map((file) => `test/${file}`)] },
  }),
);
