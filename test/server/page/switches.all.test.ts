import { describe, expect, test } from 'vitest';
import { faultNames } from '../../../src/server/faults/names.js';
import { chromium } from '../../report/formats/chromium.js';
import { pageOpener, startStore } from './open-page.js';

const open = pageOpener();

/** What of the rows is written in the colour of failures. */
const RED = `(() => {
  const sample = document.body.appendChild(document.createElement('p'));
  sample.style.color = 'var(--fail)';
  const red = getComputedStyle(sample).color;
  sample.remove();
  return [...document.querySelectorAll('#rows .row:not([hidden]), #rows .row:not([hidden]) *')]
    .filter((node) => getComputedStyle(node).color === red)
    .map(({ className }) => className);
})()`;

describe.skipIf(chromium === undefined)('the page of a server, in Chromium', () => {
  test('shows the plants, the latest first, with exact ids, and removes them', async () => {
    await using it = await startStore();
    it.target.seed({ name: 'Aloe', id: 9007199254740993n }, { name: '"id":5', id: -7, tag: 'a' });
    await using opened = await open(it.pageUrl);
    const { page, trouble } = opened;
    await page.getByRole('tab', { name: 'Plants' }).click();
    const rows = page.locator('#panel-plants tbody tr');
    await expect.poll(() => rows.allInnerTexts()).toEqual(['-7\t"id":5\ta', '9007199254740993\tAloe\t']);
    await it.create({ name: 'Fern', id: 8 });
    await expect.poll(() => rows.first().innerText()).toBe('8\tFern\t');
    await page.getByRole('button', { name: 'Remove all plants' }).click();
    await expect.poll(() => rows.count()).toBe(0);
    expect(it.target.plants()).toEqual([]);
    expect(trouble).toEqual([]);
  });

  test('shows the last 200 of many plants', async () => {
    await using it = await startStore();
    it.target.seed(...Array.from({ length: 1_234 }, (_, id) => ({ name: 'Aloe', id })));
    await using opened = await open(it.pageUrl);
    const { page } = opened;
    await page.getByRole('tab', { name: 'Plants' }).click();
    await page.getByText('the last 200 of 1,234 plants').waitFor();
    expect(await page.locator('#panel-plants tbody tr').count()).toBe(200);
    expect(await page.locator('#panel-plants tbody tr').first().innerText()).toContain('1233');
  });

  test('sets failures with one click or with the form, shows what is left of them, and removes them', async () => {
    await using it = await startStore();
    await using opened = await open(it.pageUrl);
    const { page, rows } = opened;
    await page.getByRole('tab', { name: 'Failures' }).click();
    const listed = page.getByRole('list', { name: 'Failures that are set' });
    const shown = (): Promise<string[]> => listed.getByRole('listitem').locator('span').allInnerTexts();
    await expect.poll(() => listed.innerText()).toBe('none');
    await page.getByRole('button', { name: '429', exact: true }).click();
    await expect.poll(shown).toEqual(['429,times=1']);
    const form = page.getByRole('form', { name: 'Set a failure' });
    await form.getByLabel('Response').selectOption('half a body');
    await form.getByLabel('How often').fill('2');
    await form.getByLabel('If the id is').fill('9007199254740993');
    await form.getByRole('button', { name: 'Set failure' }).click();
    await expect.poll(shown).toEqual(['429,times=1', 'truncate,times=2,when.id=9007199254740993']);
    expect((await it.create({ name: 'Aloe', id: 1 })).status).toBe(429);
    await expect.poll(shown).toEqual(['truncate,times=2,when.id=9007199254740993']);
    expect(it.target.unused()).toEqual([
      { connection: 'truncate', times: 2, when: { id: '9007199254740993' } },
    ]);
    // What the server rejects is said in its words.
    await form.getByLabel('Response').selectOption('a status');
    await form.getByRole('textbox', { name: 'Status' }).fill('200');
    await form.getByRole('button', { name: 'Set failure' }).click();
    await expect
      .poll(() => form.getByRole('alert').innerText())
      .toBe('the failure field "status" must be an integer from 400 to 599; got 200');
    await page.getByRole('button', { name: '503', exact: true }).click();
    await page.getByRole('button', { name: 'Remove truncate,times=2,when.id=9007199254740993' }).click();
    await expect.poll(shown).toEqual(['503,times=1']);
    await page.getByRole('button', { name: 'Remove all failures' }).click();
    await expect.poll(() => listed.innerText()).toBe('none');
    expect(it.target.unused()).toEqual([]);
    // A failure that was asked for is no fault of the server, so nothing of it is red.
    await page.getByRole('tab', { name: 'Requests' }).click();
    await expect.poll(rows).toEqual([expect.stringContaining('failure as asked for (429,times=1)')]);
    expect(await page.evaluate(RED)).toEqual([]);
  });

  test('switches faults on and off, finds them, and follows what others switch', async () => {
    await using it = await startStore();
    await using opened = await open(it.pageUrl);
    const { page, trouble } = opened;
    await page.getByRole('tab', { name: 'Faults' }).click();
    const faults = page.getByRole('list', { name: 'Faults' }).getByRole('listitem');
    await expect.poll(() => faults.count()).toBe(faultNames.length);
    await page.getByRole('searchbox', { name: 'Search faults' }).fill('leaks-id contains');
    await expect
      .poll(() => faults.allInnerTexts())
      .toEqual([
        expect.stringMatching(
          /^leaks-id The response contains the id\.\s+breaks success\/plant-fields-only$/,
        ),
      ]);
    const leak = page.getByRole('switch', { name: /^leaks-id / });
    await leak.check();
    await expect.poll(() => it.engine.faults()).toEqual(['leaks-id']);
    expect(await (await it.create({ name: 'Aloe', id: 1 })).json()).toEqual({ name: 'Aloe', id: 1 });
    // What is set can be seen from every view.
    await page.getByRole('tab', { name: 'Requests' }).click();
    it.target.next({ status: 503 });
    await page.getByRole('tab', { name: 'Failures 1' }).waitFor();
    await page.getByRole('tab', { name: 'Faults 1' }).waitFor();
    it.target.clear();
    await expect
      .poll(() => page.getByRole('tab').allInnerTexts())
      .toEqual(['Requests', 'Plants', 'Failures', 'Faults 1']);
    await page.getByRole('tab', { name: 'Faults' }).click();
    await page.getByRole('searchbox', { name: 'Search faults' }).fill('');
    await expect.poll(() => faults.first().innerText()).toMatch(/^leaks-id/);
    it.engine.setFaults(['leaks-id', 'answers-201']);
    await page.getByText(`2 of ${faultNames.length} set`).waitFor();
    await page.getByLabel('only those that are set').check();
    await expect.poll(() => faults.count()).toBe(2);
    await leak.uncheck();
    await expect.poll(() => it.engine.faults()).toEqual(['answers-201']);
    await page.getByRole('button', { name: 'Turn all off' }).click();
    await expect.poll(() => it.engine.faults()).toEqual([]);
    await expect.poll(() => faults.count()).toBe(0);
    expect(trouble).toEqual([]);
  });
});
