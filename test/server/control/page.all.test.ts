import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFolder } from '../../once.js';
import { chromium } from '../../report/formats/chromium.js';
import { Controlled } from './control.js';
import { pageOpener } from './open-page.js';

const open = pageOpener();
const axe = readFileSync(join(await packageFolder('axe-core'), 'axe.min.js'), 'utf8');

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** What axe-core finds: rules of WCAG 2.2 A and AA, and its best practices. */
const FINDINGS = `axe.run().then(({ violations }) =>
  violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + ' ' + target + ' ' + failureSummary)))`;

test.skipIf(chromium === undefined).each([
  ['light', {}],
  ['dark', {}],
  ['light', PHONE],
  ['dark', PHONE],
] as const)('the page has no barrier, %s, %j', async (colorScheme, device) => {
  await using it = await Controlled.start({ faults: ['answers-201'] });
  await it.create(1);
  await it.create(1);
  it.store.next({ status: 503 });
  await it.create(2);
  await using opened = await open(it.control.url, { colorScheme, ...device });
  const { page, rows } = opened;
  await expect.poll(rows).toHaveLength(3);
  await page.locator('#count').click();
  await page.locator('#stored li').first().waitFor();
  await page.evaluate(axe);
  for (const at of [0, 1, 2]) {
    await page.locator('#rows tr').nth(at).click();
    expect(await page.evaluate(FINDINGS)).toEqual([]);
  }
});
