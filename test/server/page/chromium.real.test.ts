import { expect, test } from 'vitest';
import { chromium } from '../../report/formats/chromium.js';
import { pageOpener, startStore } from './open-page.js';

const open = pageOpener();

test.skipIf(chromium === undefined)(
  'in Chromium, requests arrive while the page is open, the latest first, with what was there before',
  async () => {
    await using it = await startStore({ faults: ['leaks-id'] });
    await it.create({ name: 'Aloe', id: 1 });
    await using opened = await open(it.pageUrl);
    const { page, trouble, rows } = opened;
    await expect
      .poll(rows)
      .toEqual([
        'POST /plants  {"name":"Aloe","id":1} | 200 | ✗ response /id: a Plant has no field "id"; got 1',
      ]);
    await it.create({ name: 'Fern' });
    await fetch(`${it.target.url}/other`);
    await expect
      .poll(rows)
      .toEqual([
        expect.stringMatching(/^GET \/other \| 404 \| – not judged, rejected: unknown path "\/other"/),
        expect.stringMatching(/^POST \/plants {2}\{"name":"Fern"\} \| 400 \| ! request \/id: /),
        expect.stringContaining('Aloe'),
      ]);
    expect(await page.title()).toBe(`${new URL(it.target.url).host} · plant-store serve`);
    expect(await page.locator('#shown').innerText()).toBe('3 requests');
    expect(await page.locator('#state').innerText()).toBe('live');
    expect(trouble).toEqual([]);
  },
);
