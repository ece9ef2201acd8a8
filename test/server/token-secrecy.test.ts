import {
  createPlantStore,
  type LogEntry,
  type ReceivedRequest,
  startPlantStore,
} from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, type Sent, send, TOKEN } from './plant-request.js';

/** All that a record tells, as one text. */
function told({ body, ...record }: ReceivedRequest): string {
  return JSON.stringify(record) + Buffer.from(body).toString('latin1');
}

const SENT: readonly [where: string, sent: Sent][] = [
  ['Authorization', {}],
  ['Authorization, with another scheme', { headers: { authorization: `Basic ${TOKEN}` } }],
  ['Authorization, without a scheme', { headers: { authorization: TOKEN } }],
  ['Authorization, in the place of the scheme', { headers: { authorization: `${TOKEN} Bearer` } }],
  ['Authorization, after a tab', { headers: { authorization: `Bearer\t${TOKEN}` } }],
  ['Authorization, twice', { headers: { authorization: [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`] } }],
  ['another header', { headers: { cookie: `session=${TOKEN}`, 'x-api-key': TOKEN } }],
  ['the media type', { headers: { 'content-type': `text/${TOKEN}` } }],
  ['the path', { path: `/plants/${TOKEN}` }],
  ['the end of a long path', { path: `/plants/${'a'.repeat(40)}${TOKEN}` }],
  ['the query', { path: `/plants?token=${TOKEN}` }],
  ['the query, percent-encoded', { path: `/plants?token=${encodeURIComponent(TOKEN)}` }],
  ['the query, form-encoded', { path: `/plants?${new URLSearchParams({ token: TOKEN })}` }],
  ['the name', { body: plant(7, TOKEN) }],
  ['the id', { body: `{"name":"Aloe","id":"${TOKEN}"}` }],
  ['a field of its own', { body: `{"name":"Aloe","id":7,"access_token":"${TOKEN}"}` }],
  ['a key', { body: `{"name":"Aloe","id":7,"${TOKEN}":1,"${TOKEN}":2}` }],
  ['no JSON', { body: TOKEN }],
];

// However it is cut or written, this much of the token must not be readable.
const PARTS = [TOKEN.slice(0, 12), encodeURIComponent(TOKEN).slice(0, 12), TOKEN.slice(-14, -2)];

describe('a token is told neither to the logger nor by received()', () => {
  test.each(SENT)('where it stood in %s', async (_where, sent) => {
    const entries: LogEntry[] = [];
    await using store = await startPlantStore({ token: TOKEN, logger: (entry) => entries.push(entry) });
    await send(store.url, sent);
    const records = [...store.received(), ...entries];
    expect(records).toHaveLength(2);
    for (const record of records) {
      for (const part of PARTS) expect(told(record)).not.toContain(part);
    }
  });
});

test('what stands for a token says so, and the scheme stays', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  await send(store.url, { path: `/plants?a=${TOKEN}&b=1` });
  const [record] = store.received();
  expect(record?.target).toBe('/plants?a=[token]&b=1');
  expect(record?.headers).toContainEqual(['authorization', 'Bearer [token]']);
});

test('a wrong token is as secret as the right one', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  for (const authorization of ['Bearer some-other-token', 'some-other-token', 'Basic some-other-token'])
    await send(store.url, { headers: { authorization } });
  expect(store.received()).toHaveLength(3);
  expect(store.received().map(told).join()).not.toContain('some-other-token');
});

test('where a function decides, the tokens it is asked about are secret in the header and as access_token', async () => {
  await using store = await startPlantStore({ token: (token) => token === TOKEN });
  await send(store.url, { path: `/plants?access_token=${encodeURIComponent(TOKEN)}&b=1` });
  const [record] = store.received();
  expect(record?.target).toBe('/plants?access_token=[token]&b=1');
  expect(record?.headers).toContainEqual(['authorization', 'Bearer [token]']);
});

test.each([
  { tokens: ['plant-token', 'plant-token-of-tests'] },
  { tokens: ['plant-token-of-tests', 'plant-token'] },
])('a token that begins with another one is secret to its end: $tokens', async ({ tokens }) => {
  const store = createPlantStore({ token: tokens });
  await store.fetch(new Request('http://localhost/plants?a=plant-token-of-tests&b=plant-token'));
  expect(store.received()[0]?.target).toBe('/plants?a=[token]&b=[token]');
});

// An access token may be a JSON Web Token, which can fill most of a header section.
test.each([1_000, 4_000, 12_000])('a token of %i characters is as secret as a short one', async (length) => {
  const token = Array.from({ length }, (_, index) => 'aZ3-._~+/'[(index * index) % 9]).join('');
  const store = createPlantStore({ token });
  for (const path of [`/plants?t=${token}`, `/plants?t=${encodeURIComponent(token)}`, `/${token}`])
    await store.fetch(new Request(`http://localhost${path}`, { method: 'POST', body: token }));
  const records = store.received();
  expect(records.map(({ target }) => target)).toEqual(['/plants?t=[token]', '/plants?t=[token]', '/[token]']);
  for (const record of records) expect(told(record)).not.toContain(token.slice(0, 12));
});

test('a text that only looks like part of a token stays as it is', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  const body = plant(7, TOKEN.slice(0, 9));
  await send(store.url, { path: '/plants?token=right', body });
  expect(store.received()[0]).toMatchObject({ target: '/plants?token=right' });
  expect(Buffer.from(store.received()[0]?.body ?? []).toString()).toBe(body);
});
