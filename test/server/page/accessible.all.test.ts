import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { packageFolder } from '../../once.js';
import { chromium } from '../../report/formats/chromium.js';
import { pageOpener, startProxy, startStore } from './open-page.js';

const open = pageOpener();
const axe = readFileSync(join(await packageFolder('axe-core'), 'axe.min.js'), 'utf8');

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What axe-core finds: rules of WCAG 2.2 A and AA, and its best practices. */
async function findingsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return await page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`);
}

/** Whether all of the page can be seen without scrolling to the side. */
const TOO_WIDE = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

/** The buttons of the filter that are not wholly on the screen. */
const OUTSIDE = `[...document.querySelectorAll('#verdicts button')]
  .filter((chip) => chip.getBoundingClientRect().right > innerWidth).map((chip) => chip.textContent)`;

describe.skipIf(chromium === undefined)('the page, in Chromium', () => {
  test.each([
    ['light', {}],
    ['dark', {}],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)('of a server has no barrier in any view, %s, %j', async (colorScheme, device) => {
    await using it = await startStore({ faults: ['leaks-id'], duplicateId: 'replace' });
    for (const plant of [{ name: 'Aloe', id: 1 }, { name: 'Fern' }]) await it.create(plant);
    await fetch(`${it.target.url}/other`);
    it.target.next({ connection: 'reset' });
    await it.create({ name: 'Ficus', id: 2 }).catch(() => {});
    it.target.always({ status: 503, when: { name: 'none' } });
    await using opened = await open(it.pageUrl, { colorScheme, ...device });
    const { page, rows } = opened;
    await expect.poll(rows).toHaveLength(4);
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate(OUTSIDE)).toEqual([]);
    for (const at of [2, 4, 5]) {
      await page.locator(`#rows [aria-rowindex="${at}"]`).click();
      await page.getByText(`number ${6 - at} `).waitFor();
      expect(await findingsOn(page)).toEqual([]);
      expect(await page.evaluate(TOO_WIDE)).toBe(0);
      await page.getByRole('button', { name: 'Close' }).click();
    }
    for (const view of ['Plants', 'Failures', 'Faults']) {
      await page.getByRole('tab', { name: view }).click();
      await page.locator(`#panel-${view.toLowerCase()} :is(tbody tr, li)`).first().waitFor();
      expect(await findingsOn(page), view).toEqual([]);
      expect(await page.evaluate(TOO_WIDE)).toBe(0);
    }
  });

  test.each([
    ['light', {}],
    ['dark', {}],
    ['dark', PHONE],
  ] as const)('of a proxy has no barrier in any view, %s, %j', async (colorScheme, device) => {
    await using store = await startStore({ faults: ['leaks-id'] });
    await using it = await startProxy(store.target.url, true);
    for (const plant of [{ name: 'Aloe', id: 1 }, { name: 'Fern' }]) await it.create(plant);
    await using opened = await open(it.pageUrl, { colorScheme, ...device });
    const { page, rows } = opened;
    await expect.poll(rows).toHaveLength(2);
    await page.locator('#rows [aria-rowindex="2"]').click();
    await page.getByRole('list', { name: 'Problems' }).waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('tab', { name: 'Violations' }).click();
    await page.locator('#panel-violations tbody tr').first().waitFor();
    expect(await findingsOn(page)).toEqual([]);
    expect(await page.evaluate(TOO_WIDE)).toBe(0);
    // Each kind can be read without scrolling to the side.
    const table = page.getByRole('group', { name: 'Violations by kind' });
    expect(await table.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    const message = await table.getByText('a Plant has no field').boundingBox();
    expect(message?.width).toBeGreaterThan(250);
  });

  test('has no barrier where it asks for a token, without requests, and without a server', async () => {
    const it = await startStore({}, { token: 'control-token' });
    await using opened = await open(it.pageUrl);
    const { page } = opened;
    await page.getByLabel('Control token').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await page.getByLabel('Control token').fill('control-token');
    await page.keyboard.press('Enter');
    await page.getByText('No requests yet.').waitFor();
    expect(await findingsOn(page)).toEqual([]);
    await it[Symbol.asyncDispose]();
    await expect.poll(() => page.locator('#state').innerText()).toBe('disconnected');
    expect(await findingsOn(page)).toEqual([]);
  });

  test('can be used with the keyboard alone', async () => {
    await using it = await startStore();
    for (let id = 1; id <= 60; id++) await it.create({ name: `Aloe ${id}`, id });
    await using opened = await open(it.pageUrl);
    const { page, rows } = opened;
    await expect.poll(() => page.locator('#shown').innerText()).toBe('60 requests');
    const focused = () =>
      page.evaluate<string>('document.activeElement.id || document.activeElement.textContent');
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await press('Tab');
    expect(await focused()).toBe('tab-requests');
    await press('ArrowRight', 'ArrowRight');
    expect(await focused()).toBe('tab-failures');
    expect(await page.locator('#panel-failures').isVisible()).toBe(true);
    await press('Home');
    // Search, six verdicts, status, three actions, and then the list.
    for (let count = 0; count < 12; count++) await press('Tab');
    expect(await focused()).toBe('list');
    expect(await page.getByRole('grid', { name: 'Requests, newest first' }).count()).toBe(1);
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp');
    await page.getByText('number 59 ').waitFor();
    const active = await page.locator('#list').getAttribute('aria-activedescendant');
    expect(await page.locator(`#${active}`).innerText()).toContain('Aloe 59');
    expect(await page.locator(`#${active}`).getAttribute('aria-selected')).toBe('true');
    await press('End');
    await page.getByText('number 1 ').waitFor();
    expect((await rows()).at(-1)).toContain('"Aloe 1"');
    await press('Enter');
    await expect.poll(focused).toBe('POST /plants');
    await press('Tab');
    expect(await focused()).toBe('Copy as curl');
    await press('Escape');
    expect(await page.locator('#detail').isVisible()).toBe(false);
    expect(await focused()).toBe('list');
    await press('p');
    expect(await page.getByRole('button', { name: 'Go on' }).getAttribute('aria-pressed')).toBe('true');
    await press('p', '/');
    await expect.poll(focused).toBe('search');
    await page.keyboard.type('aloe 7/p');
    expect(await page.locator('#search').inputValue()).toBe('aloe 7/p');
  });

  test('fits a phone: one request covers the list, and closing it leads back', async () => {
    await using it = await startStore();
    for (let id = 1; id <= 40; id++) await it.create({ name: `Aloe ${id}`, id });
    await using opened = await open(it.pageUrl, PHONE);
    const { page, rows } = opened;
    await expect.poll(async () => (await rows()).length).toBeGreaterThan(5);
    expect(await page.evaluate(TOO_WIDE)).toBe(0);
    await page.locator('#rows [aria-rowindex="3"]').tap();
    await page.getByText('number 39 ').waitFor();
    const [detail, list] = [
      await page.locator('#detail').boundingBox(),
      await page.locator('#list').boundingBox(),
    ];
    expect(detail).toEqual(list);
    const [request, response] = await Promise.all(
      ['Request', 'Response'].map((name) => page.getByRole('region', { name, exact: true }).boundingBox()),
    );
    expect(response?.y).toBeGreaterThan((request?.y ?? 0) + (request?.height ?? 0) - 1);
    await page.getByRole('button', { name: 'Close' }).tap();
    expect(await page.locator('#detail').isVisible()).toBe(false);
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await page.evaluate(TOO_WIDE)).toBe(0);
  });

  test.each(['light', 'dark'] as const)('follows the %s colours of the system', async (colorScheme) => {
    await using it = await startStore();
    await using opened = await open(it.pageUrl, { colorScheme });
    const colors = await opened.page.evaluate<string>(
      'getComputedStyle(document.body).backgroundColor + getComputedStyle(document.body).color',
    );
    expect(colors).toBe(
      colorScheme === 'light' ? 'rgb(250, 250, 247)rgb(29, 33, 30)' : 'rgb(19, 22, 20)rgb(229, 233, 229)',
    );
  });
});
