import { describe, expect, test } from 'vitest';
import { chromium } from '../../report/formats/chromium.js';
import { send } from '../plant-request.js';
import { Controlled } from './control.js';
import { pageOpener } from './open-page.js';

const open = pageOpener();

const BROKEN_HEADINGS = `[...document.querySelectorAll('th')].filter((th) => {
  const text = document.createRange();
  text.selectNodeContents(th);
  return text.getClientRects().length > 1;
}).map((th) => th.textContent)`;

describe.skipIf(chromium === undefined)('the page, in Chromium', () => {
  test('shows each request as it arrives, the latest first, with the reason of a rejection', async () => {
    await using it = await Controlled.start();
    await it.create(1);
    await using opened = await open(it.control.url);
    const { page, trouble, rows } = opened;
    await expect.poll(rows).toEqual(['POST /plants {"name":"Aloe","id":1} | 200 | ']);
    await it.create(1, 'Fern');
    await send(it.store.url, { method: 'GET', path: '/other' });
    await expect
      .poll(rows)
      .toEqual([
        'GET /other  | 404 | unknown path "/other"; plants are created at /plants',
        'POST /plants {"name":"Fern","id":1} | 400 | a plant with the "id" 1 exists already',
        'POST /plants {"name":"Aloe","id":1} | 200 | ',
      ]);
    expect(await page.locator('#state').innerText()).toBe('live');
    expect(await page.evaluate(BROKEN_HEADINGS)).toEqual([]);
    expect(trouble).toEqual([]);
  });

  test('finds requests, and shows one in full', async () => {
    await using it = await Controlled.start();
    await it.create(9007199254740993n, 'Aloe');
    await it.create(2, 'Fern');
    await using opened = await open(it.control.url);
    const { page, rows } = opened;
    await expect.poll(rows).toHaveLength(2);
    await page.getByRole('searchbox').fill('"name":"aloe" post');
    await expect.poll(rows).toHaveLength(1);
    await page.locator('#rows tr').click();
    const detail = await page.locator('#detail').innerText();
    expect(detail).toContain('Request 1');
    expect(detail).toContain('Bearer [redacted]');
    expect(detail).toContain('{"name":"Aloe","id":9007199254740993}');
    expect(detail).toContain('content-type: application/json\n\n{"name":"Aloe"}');
    expect(detail).toContain(
      `curl -i -X 'POST' '${it.store.url}/plants' -H "authorization: Bearer $PLANT_STORE_TOKEN" -H 'content-type: application/json' --data-raw '{"name":"Aloe","id":9007199254740993}'`,
    );
    await page.getByRole('searchbox').fill('cactus');
    await expect.poll(() => page.locator('#empty').innerText()).toBe('No request has these words.');
    await page.locator('#count').click();
    await expect
      .poll(() => page.locator('#stored').innerText())
      .toBe('Fern, id 2\nAloe, id 9007199254740993');
  });

  test('shows a response once it is sent', async () => {
    await using it = await Controlled.start();
    it.store.next({ delayMs: 1_000 });
    await using opened = await open(it.control.url);
    const slow = it.create(1);
    await expect
      .poll(opened.rows)
      .toEqual([
        'POST /plants {"name":"Aloe","id":1} | no response | failure on demand: {"delayMs":1000,"times":1}',
      ]);
    await slow;
    await expect
      .poll(opened.rows)
      .toEqual(['POST /plants {"name":"Aloe","id":1} | 200 | failure on demand: {"delayMs":1000,"times":1}']);
  });

  test('sets the next failure and a fault, clears them, and resets the server', async () => {
    await using it = await Controlled.start();
    await using opened = await open(it.control.url);
    const { page, rows, trouble } = opened;
    const set = page.locator('#set');
    await page.getByLabel('Next creation').selectOption('429, too many requests');
    await page.locator('#fail').click();
    await expect.poll(() => set.innerText()).toBe('set: {"status":429,"times":1}');
    expect((await it.create(1)).status).toBe(429);
    await expect
      .poll(rows)
      .toEqual(['POST /plants {"name":"Aloe","id":1} | 429 | failure on demand: {"status":429,"times":1}']);
    await page.getByLabel('Fault').fill('leaks-id');
    await page.locator('#break').click();
    await expect.poll(() => set.innerText()).toBe('set: leaks-id');
    expect((await it.create(1)).text).toContain('"id"');
    await page.locator('#clear').click();
    await expect.poll(() => set.innerText()).toBe('no failures or faults are set');
    const waits = page.waitForRequest(/\/requests\?after=3&/);
    expect((await it.create(2)).text).toBe('{"name":"Aloe"}');
    await waits;
    await page.locator('#reset').click();
    await expect.poll(rows).toEqual([]);
    expect(it.store.plants()).toEqual([]);
    expect(trouble).toEqual([]);
    await page.getByLabel('Fault').fill('leaks-ids');
    await page.locator('#break').click();
    const refusal = page.locator('#refusal');
    await expect.poll(() => refusal.innerText()).toContain('did you mean "leaks-id"?');
    // Requests that arrive meanwhile do not take it away.
    await it.create(3);
    await expect.poll(rows).toHaveLength(1);
    expect(await refusal.innerText()).toContain('did you mean "leaks-id"?');
  });

  test('takes nothing that a client sent for HTML', async () => {
    const hostile = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
    await using it = await Controlled.start({ duplicateId: 'replace' });
    it.store.seed({ name: hostile, id: 1, tag: hostile });
    it.store.always({ status: 503, message: hostile, when: { name: hostile } });
    await it.create(2, hostile);
    await send(it.store.url, { method: 'GET', path: `/<img/src=x>`, headers: { 'x-note': hostile } });
    await using opened = await open(it.control.url);
    const { page, trouble, rows } = opened;
    await expect.poll(rows).toHaveLength(2);
    await page.locator('#count').click();
    for (const row of await page.locator('#rows tr').all()) await row.click();
    await expect.poll(() => page.locator('#detail').innerText()).toContain('<img src=x onerror=');
    await expect.poll(() => page.locator('#stored').innerText()).toContain('<img src=x onerror=');
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('plant-store-contract serve');
    // Even if an element got in, its script would not run.
    await page.evaluate(
      `document.body.insertAdjacentHTML('beforeend', '<img src="data:," onerror="document.title=1">')`,
    );
    expect(await page.title()).toBe('plant-store-contract serve');
    expect(trouble.filter((one) => !one.includes('Content Security Policy'))).toEqual([]);
  });

  test('asks for the token of the control interface', async () => {
    await using it = await Controlled.start({}, { token: 'control-secret' });
    await it.create(1);
    await using opened = await open(it.control.url);
    const { page, rows } = opened;
    const field = page.getByLabel('Token of the control interface');
    await field.fill('wrong');
    await page.getByRole('button', { name: 'Unlock' }).click();
    await expect.poll(() => page.locator('#refusal').innerText()).toContain('token');
    // The page asks again by itself: on a busy machine, the button is gone before a click.
    await field.fill('control-secret');
    await expect.poll(rows).toEqual(['POST /plants {"name":"Aloe","id":1} | 200 | ']);
    expect(await field.isVisible()).toBe(false);
  });

  test('works by keyboard, and at 390 px nothing is beside the screen', async () => {
    await using it = await Controlled.start();
    for (const id of [1, 2, 3]) await it.create(id, `Plant-${'x'.repeat(60)}-${id}`);
    await using opened = await open(it.control.url, { viewport: { width: 390, height: 844 } });
    const { page, rows } = opened;
    await expect.poll(rows).toHaveLength(3);
    await page.locator('#reset').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('#detail').innerText()).toContain('-2');
    await page.keyboard.press('End');
    expect(await page.locator('#detail').innerText()).toContain('-1');
    // Another request does not take the focus away.
    await it.create(4);
    await expect.poll(rows).toHaveLength(4);
    await page.keyboard.press('ArrowUp');
    expect(await page.locator('#detail').innerText()).toContain('-2');
    const tooWide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
    expect(await page.evaluate(tooWide)).toBe(0);
  });
});
