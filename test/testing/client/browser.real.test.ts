import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { startHandler } from '../../conformance/providers/handler.js';
import { chromium, startChromium } from '../../report/formats/chromium.js';

const CLIENT = fileURLToPath(new URL('../../../src/testing/client/index.ts', import.meta.url));

// A browser has no Buffer, and sends a preflight first.
test.skipIf(chromium === undefined)(
  'the client, bundled for a browser, creates a plant in Chromium',
  async () => {
    const contents = `import { createPlantClient } from '${CLIENT}'; globalThis.createPlantClient = createPlantClient;`;
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: '.' },
      ...({ bundle: true, platform: 'browser', format: 'iife', write: false } as const),
    });
    await using store = await startPlantStore({ cors: true });
    await using site = await startHandler((_request, response) =>
      response.setHeader('content-type', 'text/html').end('a page'),
    );
    const browser = await startChromium();
    try {
      const page = await browser.newPage();
      await page.goto(site.url);
      await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
      const create = `createPlantClient(${JSON.stringify({ baseUrl: store.url, token: store.token })})
      .createPlant({ name: 'Älöe', id: 2n ** 53n + 1n }).then(({ name }) => name, String)`;
      expect(await page.evaluate(create)).toBe('Älöe');
      expect(store.plants()).toEqual([{ name: 'Älöe', id: 2n ** 53n + 1n }]);
      // With credentials, as axios sends them.
      const status = await page.evaluate(
        `fetch('${store.url}/plants', { method: 'POST', credentials: 'include' }).then(({ status }) => status)`,
      );
      expect(status).toBe(400);
    } finally {
      await browser.close();
    }
  },
);
