import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { chromium, startChromium } from '../../report/formats/chromium.js';
import { judge, rejection, TOKEN } from './stored.js';

test.skipIf(chromium === undefined)('bodies that Playwright attaches to a HAR are judged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'playwright-'));
  await using store = await startPlantStore({ token: TOKEN, cors: true, faults: ['leaks-id'] });
  const browser = await startChromium();
  try {
    const record = async (path: string): Promise<string> => {
      const context = await browser.newContext({ recordHar: { path, content: 'attach' } });
      const headers = `{ authorization: 'Bearer ${TOKEN}', 'content-type': 'application/json' }`;
      const body = `'{"name":"Aloë","id":7}'`;
      await (await context.newPage()).evaluate(
        `fetch('${store.url}/plants', { method: 'POST', headers: ${headers}, body: ${body} }).then((it) => it.text())`,
      );
      await context.close();
      return path;
    };
    const file = await record(join(folder, 'saved.har'));
    const saved = readFileSync(file);
    expect(judge(saved, 'request', { file }).conclusion).toBe('conforms');
    expect(judge(saved, 'response', { file }).messages).toMatchObject([{ violations: [{ pointer: '/id' }] }]);
    expect(rejection(readFileSync(await record(join(folder, 'saved.zip'))))).toContain(
      'it is a zip file; unzip it',
    );
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
