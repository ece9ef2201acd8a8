import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { startChromium } from '../../report/formats/chromium.js';

/** A page in Chromium. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** What should not be: errors, dialogs, and requests for anything else. */
  readonly trouble: string[];
  /** The texts of the rows, from top to bottom, without their times. */
  rows(): Promise<string[]>;
}

const ROWS = `[...document.querySelectorAll('#rows tr')]
  .map((row) => [...row.cells].slice(1).map((cell) => cell.textContent).join(' | '))`;

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
      if (!/^data:/.test(request.url()) && !request.url().startsWith(url)) trouble.push(request.url());
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
