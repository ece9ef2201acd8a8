import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { reporters } from 'plant-store-contract/reporters';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { evidenceOf } from '../../conformance/checks.js';
import { folderWith } from '../../folder.js';
import { packageFolder } from '../../once.js';
import { chromium, startChromium } from './chromium.js';
import { poisoned, SCRIPT, startHostileProvider } from './hostile.js';
import { idsOf, quickReportOn, SIX, token, wholeReportOn } from './reports.js';

describe('the file', () => {
  test('loads nothing, and lets nothing run', async () => {
    const page = reporters.html(await quickReportOn(['leaks-id']));
    expect(page).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(page).toMatch(/<\/html>\n$/);
    expect(page).toMatch(
      /Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-.{44}&#39;; base-uri &#39;none/,
    );
    // A request may have such texts. They are not in tags, or in the values of attributes.
    const tags = (page.match(/<[^>]+>/g) ?? []).map((tag) => tag.replaceAll(/"[^"]*"/g, '""')).join('\n');
    expect(tags).not.toMatch(/<(script|link|img|iframe|base|object)\b|\bsrc=|\bstyle=|\son\w+=/);
    const [style = ''] = /<style>.*<\/style>/s.exec(page) ?? [];
    expect(style).toContain('{');
    expect(style).not.toMatch(/@import|url\(/);
  });

  test('has no element more for what a provider sends', async () => {
    const report = await quickReportOn(['leaks-id', 'answers-html-errors']);
    const tags = (page: string): string[] => [...page.matchAll(/<[\w!/]+/g)].map(([tag]) => tag);
    const clean = reporters.html({ ...report, notes: ['a note'] });
    const page = reporters.html(poisoned(report));
    expect(tags(page)).toEqual(tags(clean));
    expect(page).toContain('a NUL \\u0000, an escape \\u001b[31m');
  });
});

describe('the page', () => {
  // Started by the first test, so that each test fails where it cannot be.
  let browser: Promise<Browser> | undefined;

  afterAll(async () => await (await browser?.catch(() => undefined))?.close());

  /** Opens a report from a file, and listens for what should not be: errors, and requests for anything else. */
  async function open(
    report: CheckReport,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; trouble: string[] }> {
    const { href } = pathToFileURL(join(folderWith({ 'a.html': reporters.html(report) }), 'a.html'));
    browser ??= startChromium();
    const page = await (await browser).newPage(options);
    const trouble: string[] = [];
    page.on('console', (message) => trouble.push(message.text()));
    page.on('pageerror', (error) => trouble.push(error.message));
    page.on('request', (request) => {
      if (request.url() !== href) trouble.push(`requests ${request.url()}`);
    });
    await page.goto(href);
    return { page, trouble };
  }

  test.skipIf(chromium === undefined)('shows the problems first, in Chromium', async () => {
    const report = await quickReportOn(['leaks-id', 'accepts-null-tag']);
    const { page, trouble } = await open(report);
    expect(await page.title()).toBe(`${report.subject}: does not conform`);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Does not conform');
    expect(await page.locator('.counts').innerText()).toMatch(
      new RegExp(`${report.counts.pass}\\s+✓ pass\\s+2\\s+✗ fail`),
    );
    const first = await page.locator('#problem-1').innerText();
    const order = ['Usual cause:', 'Fix:', 'Rule:', 'Expected', 'Got', 'Reproduce'];
    expect(order.filter((word) => !first.includes(word))).toEqual([]);
    expect(order.map((word) => first.indexOf(word))).toEqual(
      order.map((word) => first.indexOf(word)).sort((a, b) => a - b),
    );
    const problem = page.locator('#problem-2');
    expect(await problem.innerText()).not.toContain('a rejection: a 4xx with an Error');
    await problem.getByText('Example').click();
    expect(await problem.innerText()).toMatch(
      /a rejection: a 4xx with an Error\n.*Authorization: Bearer \$PLANT_STORE_TOKEN\n?.*"tag":null\}/s,
    );
    expect(await page.locator('h2').allInnerTexts()).toEqual(['2 problems', `${report.rules.length} rules`]);
    // What passed and what was observed is folded.
    expect(await page.locator('.case:visible').count()).toBe(0);
    await page.getByText(`${report.rules.length} rules`).first().click();
    expect(await page.locator('.case:has(.observed) .more').allInnerTexts()).toEqual(
      report.profile.behaviours.map(({ sentence }) => sentence),
    );
    expect(trouble).toEqual([]);
  });

  test.skipIf(chromium === undefined)('is short, also on a narrow screen, in Chromium', async () => {
    const report = await wholeReportOn(SIX);
    expect(report.findings).toHaveLength(7);
    expect(Buffer.byteLength(reporters.html(report))).toBeLessThan(100_000);
    const { page } = await open(report, { viewport: { width: 390, height: 844 } });
    const fold = page.getByText(`${report.rules.length} rules`).first();
    expect((await fold.boundingBox())?.y).toBeLessThan(3.5 * 844);
    await page.evaluate(OPEN_ALL);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });

  test.skipIf(chromium === undefined)('selects a line for a shell with a click, in Chromium', async () => {
    const report = await wholeReportOn(['escapes-html']);
    const [failure] = evidenceOf(report, idsOf(report, 'fail')[0] ?? '');
    expect(failure?.reproduce).toContain('"');
    const { page, trouble } = await open(report);
    await page.getByRole('article').getByText('Reproduce', { exact: true }).first().click();
    await page.locator('.problem pre').first().click();
    expect(await page.evaluate('getSelection().toString()')).toBe(failure?.reproduce);
    expect(trouble).toEqual([]);
  });

  test.skipIf(chromium === undefined)('runs nothing that a provider sends, in Chromium', async () => {
    await using provider = await startHostileProvider();
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(JSON.stringify(report.exchanges)).toContain(JSON.stringify(SCRIPT));
    for (const hostile of [report, poisoned(report)]) {
      const { page, trouble } = await open(hostile);
      expect(await page.title()).toContain('does not conform');
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.locator('script').count()).toBe(0);
      expect(await page.locator('main').textContent()).toContain(SCRIPT);
      expect(trouble).toEqual([]);
    }
  });

  // Contrast is one of the things that axe looks at.
  test.skipIf(chromium === undefined).each(['light', 'dark'] as const)(
    'gives axe nothing to report where it is %s, in Chromium',
    async (colorScheme) => {
      const axe = readFileSync(join(await packageFolder('axe-core'), 'axe.min.js'), 'utf8');
      const { page } = await open(await wholeReportOn([...SIX, 'answers-204']), { colorScheme });
      await page.evaluate(OPEN_ALL);
      await page.evaluate(axe);
      const found = await page.evaluate('axe.run().then(({ violations }) => violations)');
      expect(found).toEqual([]);
    },
  );
});

const OPEN_ALL = 'for (const one of document.querySelectorAll("details")) one.open = true';
