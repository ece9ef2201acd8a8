// hono.test.js
// npm install --save-dev hono vitest
import { Hono } from 'hono';
import { createPlantStore } from 'plant-store-contract/server';
import { beforeEach, expect, test } from 'vitest';

const store = createPlantStore({ token: 'secret' });

const app = new Hono();
app.get('/health', (c) => c.text('well'));
// Hono makes a 500 of a handler that rejects, as for a connection reset, unless this throws it again.
app.onError((error) => {
  throw error;
});
// One route of an app of your own …
app.post('/plants', (c) => store.fetch(c.req.raw));
// … or the whole plant store below a path. It then also responds to other paths and methods there.
app.mount('/v1', store.fetch);

beforeEach(() => store.reset());

test.each(['/plants', '/v1/plants'])('%s creates a plant, with every digit of its id', async (path) => {
  const response = await app.request(path, {
    method: 'POST',
    headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' },
    body: '{"name":"Aloe","id":9007199254740993}',
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ name: 'Aloe' });
  expect(store.plants()).toEqual([{ name: 'Aloe', id: 9007199254740993n }]);
});

test('a failure on demand breaks the connection', async () => {
  const create = (signal = undefined) =>
    app.request('/plants', {
      method: 'POST',
      signal,
      headers: { Authorization: 'Bearer secret', 'Content-Type': 'application/json' },
      body: '{"name":"Aloe","id":7}',
    });
  store.next({ connection: 'reset' });
  await expect(create()).rejects.toThrow(TypeError);
  store.next({ connection: 'truncate', stored: false });
  await expect((await create()).text()).rejects.toThrow(TypeError);
  store.next({ connection: 'hang' });
  await expect(create(AbortSignal.timeout(50))).rejects.toThrow();
  expect((await create()).status).toBe(200);
});

test('the app handles all other requests', async () => {
  expect(await (await app.request('/health')).text()).toBe('well');
  expect((await app.request('/plants')).status).toBe(404);
  // Below /v1, the plant store responds and names the method that it accepts.
  const response = await app.request('/v1/plants');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('POST');
});
