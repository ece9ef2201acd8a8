import { inspect } from 'node:util';
import { createPlantClient } from 'plant-store-contract/client';
import { expect, test } from 'vitest';
import { startServerWith } from './test-server.js';

const TOKEN = 'right-Token.of~the_store+1/2==';
const JSON_TYPE = 'application/json';

/** All that a person or a log could read of a failure, its cause included. */
function asText(failure: unknown): string {
  return inspect(failure, { depth: 9, showHidden: true }) + JSON.stringify(failure);
}

test.each([
  ['an Error that quotes it', 401, `{"error":1,"message":"no such token: ${TOKEN}, ${TOKEN}"}`, JSON_TYPE],
  ['an Error that contains it in an invalid field', 400, `{"error":"${TOKEN}","message":"no"}`, JSON_TYPE],
  ['a plant that contains it', 200, `{"name":"Aloe","tag":["${TOKEN}"]}`, JSON_TYPE],
  ['a page that contains it', 403, `<p>${TOKEN}</p>`, 'text/html'],
  ['a media type that contains it', 200, '{"name":"Aloe"}', `text/${TOKEN}`],
  [
    'a text that is cut inside it',
    200,
    `{"name":{"a":1},"tag":1,"x":"${'a'.repeat(50)}${TOKEN}"}`,
    JSON_TYPE,
  ],
  ['a long wrong number beside it', 400, `{"error":"${'a'.repeat(50)}${TOKEN}","message":""}`, JSON_TYPE],
])('no message contains a token that is returned in %s', async (_what, status, body, type) => {
  await using server = await startServerWith(status, body, { 'content-type': type });
  const client = createPlantClient({ baseUrl: server.url, token: TOKEN });
  const failure = await client.createPlant({ name: 'Aloe', id: 7 }).catch((problem: unknown) => problem);
  expect(failure).toMatchObject({ status });
  expect(asText(failure)).not.toContain(TOKEN.slice(0, 5));
});

test('it is replaced by [token]', async () => {
  await using server = await startServerWith(400, `{"error":1,"message":"no such token: ${TOKEN}"}`);
  const client = createPlantClient({ baseUrl: server.url, token: TOKEN });
  await expect(client.createPlant({ name: 'Aloe', id: 7 })).rejects.toThrow(/^no such token: \[token\]$/);
});

test('neither does the client itself, or a failure of the connection', async () => {
  const client = createPlantClient({ baseUrl: 'http://127.0.0.1:1', token: TOKEN });
  const failure = await client.createPlant({ name: 'Aloe', id: 7 }).catch((problem: unknown) => problem);
  expect(failure).toMatchObject({ name: 'NoResponseError' });
  expect(asText(failure) + asText(client)).not.toContain(TOKEN.slice(0, 5));
});
