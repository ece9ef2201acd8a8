import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import type { ListenOptions } from '../../../src/server/options.js';
import { builtPage } from '../../once.js';
import { startChromium } from '../../report/formats/chromium.js';
import { WatchedProxy, WatchedStore } from './watched.js';

/** A page in Chromium. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** What should not be: errors, dialogs, and requests for anything else. */
  readonly trouble: string[];
  /** The texts of the rows that can be seen, from top to bottom. */
  rows(): Promise<string[]>;
}

/** A reference server whose page a browser can open. */
export async function startStore(
  options: ListenOptions = {},
  control: { token?: string; port?: number } = {},
): Promise<WatchedStore> {
  return await WatchedStore.start(options, { ...control, folder: await builtPage() });
}

/** A proxy whose page a browser can open. */
export async function startProxy(upstream: string, prism = false): Promise<WatchedProxy> {
  return await WatchedProxy.start(upstream, { prism, folder: await builtPage() });
}

/** Opens pages in one browser, which the file of the test closes at its end. */
export function pageOpener(): (url: string, options?: BrowserContextOptions) => Promise<OpenPage> {
  // Started by the first test, so that each test fails where it cannot be.
  let browser: Promise<Browser> | undefined;
  afterAll(async () => {
    await (await browser?.catch(() => undefined))?.close();
  });
  return async (url, options = {}) => {
    browser ??= startChromium();
    const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    const trouble: string[] = [];
    page.on('pageerror', (error) => trouble.push(String(error)));
    page.on('dialog', (dialog) => {
      trouble.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.type() === 'error') trouble.push(message.text());
    });
    page.on('request', (request) => {
      const asked = request.url();
      if (!asked.startsWith(url) && !asked.startsWith('blob:')) trouble.push(`request: ${asked}`);
    });
    await page.goto(url);
    return {
      page,
      trouble,
      rows: () => page.evaluate<string[]>(ROWS),
      [Symbol.asyncDispose]: () => context.close(),
    };
  };
}

const ROWS = `[...document.querySelectorAll('#rows .row:not([hidden])')]
  .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
  .map((row) => [...row.children].slice(1).map((cell) => cell.textContent.trim()).filter((text) => text !== '').join(' | '))`;
