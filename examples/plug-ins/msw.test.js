// msw.test.js
// npm install --save-dev msw vitest
import { once } from 'node:events';
import { createServer } from 'node:http';
import { HttpResponse, http } from 'msw';
import { setupServer } from 'msw/node';
import { createPlantStore } from 'plant-store-contract/server';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const store = createPlantStore({ token: 'secret' });
const network = setupServer(
  // The reference server responds, in this process and without a port. MSW makes a 500 of a handler that rejects.
  http.post('https://plants.example/plants', ({ request }) =>
    store.fetch(request).catch(() => HttpResponse.error()),
  ),
  http.get('https://weather.example/today', () => HttpResponse.json({ sun: true })),
);

// Requests without a handler go to their real servers.
beforeAll(() => network.listen({ onUnhandledRequest: 'bypass' }));
afterEach(() => store.reset());
afterAll(() => network.close());

/** In place of your own client. */
function createPlant(body, token = 'secret', signal = undefined) {
  return fetch('https://plants.example/plants', {
    method: 'POST',
    signal,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
  });
}

test('a plant is created, with every digit of its id', async () => {
  const response = await createPlant('{"name":"Aloe","id":9223372036854775807,"tag":"succulent"}');
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ name: 'Aloe', tag: 'succulent' });
  expect(store.plants()).toEqual([{ name: 'Aloe', id: 9223372036854775807n, tag: 'succulent' }]);
});

test('a rejection says why', async () => {
  const response = await createPlant('{"name":"Aloe"}');
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: 33,
    message: '"id" is missing; a NewPlant requires it',
  });
  expect((await createPlant('{"name":"Aloe","id":7}', 'another')).status).toBe(400);
  expect(store.plants()).toEqual([]);
});

test('a failure on demand breaks the connection, or gets no response', async () => {
  const plant = '{"name":"Aloe","id":7}';
  store.next({ connection: 'reset' });
  await expect(createPlant(plant)).rejects.toThrow(TypeError);
  store.next({ connection: 'truncate', stored: false });
  const response = await createPlant(plant);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
  store.next({ connection: 'hang' });
  await expect(createPlant(plant, 'secret', AbortSignal.timeout(50))).rejects.toThrow();
  expect(store.unused()).toEqual([]);
  expect((await createPlant(plant)).status).toBe(200);
});

test('other requests are not affected', async () => {
  expect(await (await fetch('https://weather.example/today')).json()).toEqual({ sun: true });
  const real = createServer((_request, response) => response.end('a real server')).listen(0, '127.0.0.1');
  await once(real, 'listening');
  expect(await (await fetch(`http://127.0.0.1:${real.address().port}/plants`)).text()).toBe('a real server');
  real.close();
  expect(store.received()).toEqual([]);
});
