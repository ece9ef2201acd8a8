import { inspect } from 'node:util';
import { createPlantClient } from 'plant-store-contract/client';
import { expect, test } from 'vitest';
import { answeringWith } from './answering.js';

const TOKEN = 'right-Token.of~the_store+1/2==';
const JSON_TYPE = 'application/json';

/** All that a person or a log could read of a failure, its cause included. */
function told(failure: unknown): string {
  return inspect(failure, { depth: 9, showHidden: true }) + JSON.stringify(failure);
}

test.each([
  ['an Error that quotes it', 401, `{"error":1,"message":"no such token: ${TOKEN}, ${TOKEN}"}`, JSON_TYPE],
  ['an Error that holds it in a wrong field', 400, `{"error":"${TOKEN}","message":"no"}`, JSON_TYPE],
  ['a plant that holds it', 200, `{"name":"Aloe","tag":["${TOKEN}"]}`, JSON_TYPE],
  ['a page that holds it', 403, `<p>${TOKEN}</p>`, 'text/html'],
  ['a media type that holds it', 200, '{"name":"Aloe"}', `text/${TOKEN}`],
  [
    'a text that is cut within it',
    200,
    `{"name":{"a":1},"tag":1,"x":"${'a'.repeat(50)}${TOKEN}"}`,
    JSON_TYPE,
  ],
  ['a long wrong number beside it', 400, `{"error":"${'a'.repeat(50)}${TOKEN}","message":""}`, JSON_TYPE],
])('no message tells the token that came back in %s', async (_what, status, body, type) => {
  await using server = await answeringWith(status, body, { 'content-type': type });
  const client = createPlantClient({ baseUrl: server.url, token: TOKEN });
  const failure = await client.createPlant({ name: 'Aloe', id: 7 }).catch((problem: unknown) => problem);
  expect(failure).toMatchObject({ status });
  expect(told(failure)).not.toContain(TOKEN.slice(0, 5));
});

test('what stands for it says so', async () => {
  await using server = await answeringWith(400, `{"error":1,"message":"no such token: ${TOKEN}"}`);
  const client = createPlantClient({ baseUrl: server.url, token: TOKEN });
  await expect(client.createPlant({ name: 'Aloe', id: 7 })).rejects.toThrow(/^no such token: \[token\]$/);
});

test('nor does the client itself, or the failure of a connection', async () => {
  const client = createPlantClient({ baseUrl: 'http://127.0.0.1:1', token: TOKEN });
  const failure = await client.createPlant({ name: 'Aloe', id: 7 }).catch((problem: unknown) => problem);
  expect(failure).toMatchObject({ name: 'NoAnswerError' });
  expect(told(failure) + told(client)).not.toContain(TOKEN.slice(0, 5));
});
