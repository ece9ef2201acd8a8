// playwright.test.js
// npm install --save-dev playwright-core vitest
import { readFile } from 'node:fs/promises';
import { createPlantStore } from 'plant-store-contract/server';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';

const store = createPlantStore({ token: 'secret' });
let browser;
let page;

beforeAll(async () => {
  // The Chromium of the system. The package "playwright" brings its own.
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium' });
});

beforeEach(async () => {
  store.reset();
  page = await browser.newPage();
  const html = await readFile(new URL('garden.html', import.meta.url), 'utf8');
  await page.route('https://garden.example/', (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  await page.route('https://garden.example/plants', respondFromStore);
  await page.goto('https://garden.example/');
});

afterAll(() => browser?.close());

/** Lets the reference server respond to a request of the page, in this process and without a port. */
async function respondFromStore(route) {
  const request = route.request();
  try {
    const response = await store.fetch(
      new Request(request.url(), {
        method: request.method(),
        headers: request.headers(),
        body: request.postDataBuffer(),
      }),
    );
    await route.fulfill({
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    });
  } catch {
    // A failure on demand has broken the connection.
    await route.abort('connectionreset');
  }
}

async function create({ name, id, tag }) {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Id').fill(id);
  await page.getByLabel('Tag').fill(tag);
  await page.getByRole('button', { name: 'Create' }).click();
}

test('the page creates a plant, with every digit of its id', async () => {
  await create({ name: 'Aloë', id: '9223372036854775807', tag: 'succulent' });
  await page.getByRole('status').getByText('Aloë (succulent) is in the store.').waitFor();
  expect(store.plants()).toEqual([{ name: 'Aloë', id: 9223372036854775807n, tag: 'succulent' }]);
});

test('the page shows why the plant store rejects a plant', async () => {
  store.seed({ name: 'Fern', id: 7 });
  await create({ name: 'Aloe', id: '7', tag: '' });
  await page.getByRole('alert').getByText('a plant with the "id" 7 exists already').waitFor();
  expect(store.plants()).toEqual([{ name: 'Fern', id: 7 }]);
});

test.each(['reset', 'truncate'])('the page says so if the connection breaks: %s', async (connection) => {
  store.next({ connection });
  await create({ name: 'Aloe', id: '7', tag: '' });
  await page.getByRole('alert').getByText('The plant store cannot be reached.').waitFor();
});

test('the page shows nothing new while the plant store does not respond', async () => {
  store.next({ connection: 'hang' });
  await create({ name: 'Aloe', id: '7', tag: '' });
  while (store.unused().length > 0) await page.waitForTimeout(10);
  await page.waitForTimeout(100);
  expect([await page.getByRole('status').textContent(), await page.getByRole('alert').textContent()]).toEqual(
    ['', ''],
  );
});
