import { describe } from 'vitest';
import { chromium } from '../reporters/chromium.js';

// The examples are test files. Their imports resolve as in any test here, and their hooks apply only to themselves.
describe('the plant store plugs into', () => {
  describe('MSW', async () => {
    await import('../examples/plug-ins/msw.test.js');
  });

  describe('Hono', async () => {
    await import('../examples/plug-ins/hono.test.js');
  });

  describe.skipIf(chromium === undefined)('Playwright, in Chromium', async () => {
    await import('../examples/plug-ins/playwright.test.js');
  });
});
