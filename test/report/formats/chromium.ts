import { existsSync } from 'node:fs';
import { type Browser, chromium as playwright } from 'playwright-core';

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/**
 * The browser that pages are opened in; `undefined` where there is none, so that its tests are skipped. Where
 * `REQUIRE_TOOLS` is set they run all the same, and fail.
 */
export const chromium: string | undefined =
  existsSync(path) || process.env.REQUIRE_TOOLS !== undefined ? path : undefined;

/** Starts it, without anything that would reach the network by itself. */
export function startChromium(): Promise<Browser> {
  return playwright.launch({
    executablePath: path,
    args: [
      ...['--no-sandbox', '--headless', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
    ],
  });
}
