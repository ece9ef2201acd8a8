import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { chromium } from '../../report/formats/chromium.js';
import { pageOpener, startProxy, startStore } from './open-page.js';
import { TOKEN } from './watched.js';

const open = pageOpener();

describe.skipIf(chromium === undefined)('the requests, in Chromium', () => {
  test('are filtered by verdict, status and text', async () => {
    await using it = await startStore({ faults: ['leaks-id'] });
    await it.create({ name: 'Aloe', id: 1 });
    await it.create({ name: 'Fern' });
    await it.create({ name: 'Ficus', id: 3 });
    await using opened = await open(it.pageUrl);
    const { page, rows } = opened;
    await expect.poll(rows).toHaveLength(3);
    const wrong = page.getByRole('button', { name: 'wrong request 1' });
    await wrong.click();
    await expect.poll(rows).toEqual([expect.stringContaining('Fern')]);
    expect(await wrong.getAttribute('aria-pressed')).toBe('true');
    expect(await page.locator('#shown').innerText()).toBe('1 of 3 requests');
    await wrong.click();
    await page.locator('#status').selectOption('2xx');
    await expect.poll(rows).toEqual([expect.stringContaining('Ficus'), expect.stringContaining('Aloe')]);
    await page.getByRole('searchbox', { name: 'Search' }).fill('ALOE');
    await expect.poll(rows).toEqual([expect.stringContaining('Aloe')]);
    await page.getByRole('searchbox', { name: 'Search' }).fill('nothing');
    expect(await page.getByText('No request matches the filter.').isVisible()).toBe(true);
    // What arrives is filtered too.
    await it.create({ name: 'nothing', id: 4 });
    await expect.poll(rows).toEqual([expect.stringContaining('nothing')]);
  });

  test('are shown whole, request and response side by side, and can be copied as curl', async () => {
    await using it = await startStore({ faults: ['leaks-id'] });
    await it.create({ name: 'Aloe', id: 9007199254740991 });
    await using opened = await open(it.pageUrl, { permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, trouble } = opened;
    await page.locator('#rows .row').first().click();
    const [request, response] = [
      page.getByRole('region', { name: 'Request', exact: true }),
      page.getByRole('region', { name: 'Response', exact: true }),
    ];
    expect(await request.locator('pre').first().innerText()).toBe('{"name":"Aloe","id":9007199254740991}');
    expect(await response.locator('pre').first().innerText()).toBe('{"name":"Aloe","id":9007199254740991}');
    expect(await request.innerText()).toContain('authorization: Bearer redacted');
    const [left, right] = [await request.boundingBox(), await response.boundingBox()];
    expect(left?.y).toBe(right?.y);
    expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);
    expect(await page.getByRole('list', { name: 'Problems' }).innerText()).toContain('response body /id');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe((await it.exchange(1)).curl);
    expect(copied).toContain('"authorization: Bearer $PLANT_STORE_TOKEN"');
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await page.locator('#detail').isVisible()).toBe(false);
    expect(trouble).toEqual([]);
  });

  test('are copied where the clipboard is forbidden, by selecting the lines', async () => {
    await using it = await startStore();
    await it.create({ name: 'Aloe', id: 1 });
    await using opened = await open(it.pageUrl, { permissions: ['clipboard-read'] });
    const { page, trouble } = opened;
    await page.locator('#rows .row').first().click();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe((await it.exchange(1)).curl);
    expect(trouble).toEqual([]);
  });

  test('with a long body show its beginning, and all of it on demand', async () => {
    await using it = await startStore();
    const name = 'ab'.repeat(50_000);
    await it.create({ name, id: 1 });
    await using opened = await open(it.pageUrl);
    const { page } = opened;
    await page.locator('#rows .row').first().click();
    const body = page.getByLabel('Request: body');
    expect((await body.innerText()).length).toBe(32_768);
    await page.getByRole('button', { name: 'Show all 100.0 kB' }).first().click();
    expect(await body.innerText()).toBe(JSON.stringify({ name, id: 1 }));
  });

  test('are exported as HAR, those of the filter', async () => {
    await using it = await startStore();
    for (const [id, name] of ['Aloe', 'Fern', 'Aloe vera'].entries()) await it.create({ name, id });
    await using opened = await open(it.pageUrl);
    const { page, rows, trouble } = opened;
    await page.getByRole('searchbox', { name: 'Search' }).fill('aloe');
    await expect.poll(rows).toHaveLength(2);
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export HAR' }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe('plant-store.har');
    const text = readFileSync(await saved.path(), 'utf8');
    const { entries } = JSON.parse(text).log;
    expect(
      entries.map(({ request }: { request: { postData: { text: string } } }) => request.postData.text),
    ).toEqual(['{"name":"Aloe","id":0}', '{"name":"Aloe vera","id":2}']);
    expect(text).not.toContain(TOKEN);
    expect(trouble).toEqual([]);
  });

  test('can be paused and cleared', async () => {
    await using it = await startStore();
    await it.create({ name: 'Aloe', id: 1 });
    await using opened = await open(it.pageUrl);
    const { page, rows } = opened;
    await expect.poll(rows).toHaveLength(1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await it.create({ name: 'Fern', id: 2 });
    await expect.poll(() => page.locator('#shown').innerText()).toBe('1 of 2 requests');
    expect(await rows()).toEqual([expect.stringContaining('Aloe')]);
    await page.getByRole('button', { name: 'Go on' }).click();
    await expect.poll(rows).toHaveLength(2);
    // The list says that it is paused, and what it misses.
    const paused = page.getByRole('button', { name: 'Paused' });
    expect(await paused.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Pause' }).click();
    await it.create({ name: 'Ficus', id: 3 });
    await expect.poll(() => paused.innerText()).toBe('Paused, 1 new');
    await paused.click();
    await expect.poll(rows).toHaveLength(3);
    expect(await paused.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Clear' }).click();
    await expect.poll(rows).toEqual([]);
    expect(await page.getByText('No requests yet.').isVisible()).toBe(true);
  });

  test('are searched after a slash, from anywhere but in a text', async () => {
    await using it = await startStore();
    await using opened = await open(it.pageUrl);
    const { page } = opened;
    const search = page.getByRole('searchbox', { name: 'Search', exact: true });
    await page.getByRole('button', { name: 'Export HAR' }).focus();
    await page.keyboard.press('/');
    await page.keyboard.type('a/b');
    expect(await search.inputValue()).toBe('a/b');
    await page.getByRole('tab', { name: 'Plants' }).click();
    await page.keyboard.press('/');
    await page.getByRole('tab', { name: 'Requests' }).click();
    expect(await search.inputValue()).toBe('a/b');
  });

  test('come back when the server does', async () => {
    const first = await startStore();
    await first.create({ name: 'Aloe', id: 1 });
    await using opened = await open(first.pageUrl);
    const { page, rows } = opened;
    await expect.poll(rows).toHaveLength(1);
    await first.control.close();
    await expect.poll(() => page.locator('#state').innerText()).toBe('disconnected');
    // The list stays, to be read.
    expect(await rows()).toHaveLength(1);
    await first[Symbol.asyncDispose]();
    await using second = await startStore({}, { port: first.control.port });
    await second.create({ name: 'Fern', id: 1 });
    await expect.poll(rows).toEqual([expect.stringContaining('Fern')]);
    expect(await page.locator('#where').innerText()).toBe(second.target.url);
  });

  test('need the token of the control interface, which is nowhere in the document', async () => {
    const control = 'token-of-the-control-interface';
    await using it = await startStore({}, { token: control });
    await it.create({ name: `Aloe ${control}`, id: 1 });
    await using opened = await open(it.pageUrl);
    const { page, rows } = opened;
    await page.getByLabel('Control token').fill('wrong');
    await page.getByRole('button', { name: 'Connect' }).click();
    await page.getByText('This token is wrong.').waitFor();
    await page.getByLabel('Control token').fill(control);
    await page.keyboard.press('Enter');
    await expect.poll(rows).toEqual([expect.stringContaining('Aloe [redacted]')]);
    await page.locator('#rows .row').first().click();
    await page.getByRole('heading', { name: 'POST /plants', exact: true }).waitFor();
    const seen = await page.evaluate<string>(
      `document.documentElement.outerHTML + [...document.querySelectorAll('input')].map(({ value }) => value) +
        JSON.stringify([localStorage, sessionStorage]) + document.cookie + location.href`,
    );
    expect(seen).not.toContain(control);
    expect(seen).not.toContain(TOKEN);
  });

  test('of a proxy are counted by kind, over time, and a kind leads to its requests', async () => {
    await using store = await startStore({ faults: ['leaks-id'] });
    await using it = await startProxy(store.target.url);
    for (const id of [1, 2]) await it.create({ name: 'Aloe', id });
    await it.create({ name: 'Fern' });
    await using opened = await open(it.pageUrl);
    const { page, rows, trouble } = opened;
    await expect.poll(() => page.getByRole('tab').allInnerTexts()).toEqual(['Requests', 'Violations']);
    await expect.poll(rows).toHaveLength(3);
    for (const row of await rows()) expect(row).toMatch(/ \| \d+\.\d ms$/);
    expect(await page.locator('#rows .took').first().isVisible()).toBe(true);
    await page.getByRole('tab', { name: 'Violations' }).click();
    const kinds = page.locator('#panel-violations tbody tr');
    await expect
      .poll(() => kinds.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^2\s+response body \/id\s+a Plant has no field "id"; got 1/),
        expect.stringMatching(/^1\s+request body \/id/),
      ]);
    await it.create({ name: 'Ficus', id: 4 });
    await expect.poll(() => kinds.first().innerText()).toMatch(/^3\s/);
    expect(await kinds.first().locator('svg rect').count()).toBeGreaterThan(0);
    expect(await page.getByText('4 violations of 2 kinds').isVisible()).toBe(true);
    await page.getByRole('button', { name: 'Show the requests with request body /id' }).click();
    await expect.poll(rows).toEqual([expect.stringContaining('Fern')]);
    expect(trouble).toEqual([]);
  });
});
