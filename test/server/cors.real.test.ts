import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, onTestFinished, test } from 'vitest';
import { chromium } from '../report/formats/chromium.js';
import { pageOpener } from './control/open-page.js';
import { TOKEN } from './plant-request.js';

const open = pageOpener();

test.skipIf(chromium === undefined)(
  'in Chromium, a page of another origin sends any headers, and reads those of a failure',
  async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    store.next({ status: 503, retryAfter: 2 });
    const server = createServer((_request, response) => response.end('<!doctype html>')).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    await using opened = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const { page } = opened;
    const create = `fetch('${store.url}/plants', {
      method: 'POST',
      headers: { authorization: 'Bearer ${TOKEN}', 'content-type': 'application/json', 'x-test': 'a', traceparent: '00-1-2-00' },
      body: '{"name":"Aloe","id":7}',
    }).then(({ status, headers }) => [status, headers.get('retry-after')])`;
    expect(await page.evaluate(create)).toEqual([503, '2']);
    expect(await page.evaluate(create)).toEqual([200, null]);
  },
);
