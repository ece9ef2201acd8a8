import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { chromium } from '../../report/formats/chromium.js';
import { pageOpener, startStore } from './open-page.js';
import { TOKEN } from './watched.js';

const open = pageOpener();

/** Sends creations one after the other on some connections. Every tenth has no id. */
async function send(url: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  let next = 1;
  const worker = async (): Promise<void> => {
    while (next <= count) {
      const id = next++;
      const sent = request(`${url}/plants`, { method: 'POST', agent, headers });
      sent.end(id % 10 === 0 ? `{"name":"Aloe ${id}"}` : `{"name":"Aloe ${id}","id":${id}}`);
      const [response] = await once(sent, 'response');
      response.resume();
      await once(response, 'end');
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  agent.destroy();
}

/** The most rows that were in the document at a time, and how long a frame took at most. */
const WATCH = `(() => {
  window.mostRows = 0;
  const look = () => {
    window.mostRows = Math.max(window.mostRows, document.querySelectorAll('#rows .row').length);
    requestAnimationFrame(look);
  };
  look();
})()`;

describe.skipIf(chromium === undefined)('6,000 requests, in Chromium', () => {
  test('end with the last 5,000 in the list and right counts, and few rows in the document', async () => {
    await using it = await startStore();
    await using opened = await open(it.pageUrl);
    const { page, rows, trouble } = opened;
    await page.evaluate(WATCH);
    await send(it.target.url, 6_000);
    await expect.poll(() => page.locator('#shown').innerText()).toBe('the last 5,000 of 6,000 requests');
    const chips = page.locator('#verdicts .count');
    await expect.poll(() => chips.allInnerTexts()).toEqual(['4,500', '0', '0', '500', '0', '0']);
    expect(await page.locator('#list').getAttribute('aria-rowcount')).toBe('5001');
    // The order is that of the server.
    const { number, sent } = await it.exchange(6_000);
    expect(number).toBe(6_000);
    expect((await rows())[0]).toContain(sent);
    expect(await page.evaluate('window.mostRows')).toBeLessThan(80);
    // The oldest is at the end of the list.
    await page.locator('#list').press('End');
    await page.getByText('number 1001 ').waitFor();
    expect(await page.evaluate('window.mostRows')).toBeLessThan(80);
    // The search looks at all of them.
    await page
      .getByRole('searchbox', { name: 'Search' })
      .fill(`"${JSON.parse((await it.exchange(1_001)).sent).name}"`);
    await expect.poll(rows).toHaveLength(1);
    expect(trouble).toEqual([]);
  });

  test('leave a list in its place that was scrolled, and say how many are new', async () => {
    await using it = await startStore();
    await send(it.target.url, 500);
    await using opened = await open(it.pageUrl);
    const { page, rows } = opened;
    await expect.poll(() => page.locator('#shown').innerText()).toBe('500 requests');
    await page.evaluate('document.querySelector("#list").scrollTop = 2800');
    const inView = `(() => {
      const top = document.querySelector('.row.head').getBoundingClientRect().bottom;
      const row = [...document.querySelectorAll('#rows .row:not([hidden])')]
        .filter((row) => row.getBoundingClientRect().top >= top - 1)
        .sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[0];
      return row.querySelector('.what').textContent;
    })()`;
    await page.waitForTimeout(200);
    const before = await page.evaluate<string>(inView);
    await send(it.target.url, 300);
    await page.getByRole('button', { name: '↑ 300 new' }).waitFor();
    expect(await page.evaluate<string>(inView)).toBe(before);
    await page.getByRole('button', { name: '↑ 300 new' }).click();
    const { sent } = await it.exchange(800);
    await expect.poll(async () => (await rows())[0]).toContain(sent);
    expect(await page.locator('#fresh').isVisible()).toBe(false);
  });
});
