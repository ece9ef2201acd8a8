import { createPlantStore, type ReceivedRequest, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plant, type Sent, send, TOKEN } from './plant-request.js';

/** A record as one text. */
function asText({ body, ...record }: ReceivedRequest): string {
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
  ['the end of a long path', { path: `/plants/${'a'.repeat(40)}${TOKEN}` }],
  ['the query, form-encoded', { path: `/plants?${new URLSearchParams({ token: TOKEN })}` }],
  ['a field access_token', { body: `{"name":"Aloe","id":7,"access_token":"${TOKEN}"}` }],
  ['a key', { body: `{"name":"Aloe","id":7,"${TOKEN}":1,"${TOKEN}":2}` }],
];

// These parts of the token must not appear.
const PARTS = [TOKEN.slice(0, 12), encodeURIComponent(TOKEN).slice(0, 12), TOKEN.slice(-14, -2)];

describe('neither the logger nor received() shows a token', () => {
  test.each(SENT)('that was sent in %s', async (_where, sent) => {
    const entries: ReceivedRequest[] = [];
    await using store = await startPlantStore({ token: TOKEN, logger: (entry) => entries.push(entry) });
    await send(store.url, sent);
    const records = [...store.received(), ...entries];
    expect(records).toHaveLength(2);
    for (const record of records) {
      for (const part of PARTS) expect(asText(record)).not.toContain(part);
    }
  });
});

test('a token is replaced by [redacted], and the scheme stays', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  await send(store.url, { path: `/plants?a=${TOKEN}&b=1` });
  const [record] = store.received();
  expect(record?.target).toBe('/plants?a=[redacted]&b=1');
  expect(record?.headers).toContainEqual(['authorization', 'Bearer [redacted]']);
});

test('an unknown token is redacted too', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  for (const authorization of ['Bearer some-other-token', 'some-other-token', 'Basic some-other-token'])
    await send(store.url, { headers: { authorization } });
  expect(store.received()).toHaveLength(3);
  expect(store.received().map(asText).join()).not.toContain('some-other-token');
});

// An access token may be a JSON Web Token, which can fill most of a header section.
test.each([1_000, 4_000, 12_000])('a token of %i characters is redacted completely', async (length) => {
  const token = Array.from({ length }, (_, index) => 'aZ3-._~+/'[(index * index) % 9]).join('');
  const store = createPlantStore({ token });
  for (const path of [`/plants?t=${token}`, `/plants?t=${encodeURIComponent(token)}`, `/${token}`])
    await store.fetch(new Request(`http://localhost${path}`, { method: 'POST', body: token }));
  const records = store.received();
  expect(records.map(({ target }) => target)).toEqual([
    '/plants?t=[redacted]',
    '/plants?t=[redacted]',
    '/[redacted]',
  ]);
  for (const record of records) expect(asText(record)).not.toContain(token.slice(0, 12));
});

test('a short token is redacted if it is a whole word', async () => {
  const logged: string[] = [];
  await using store = await startPlantStore({ token: 'secret', logger: ({ target }) => logged.push(target) });
  await send(store.url, { path: '/plants?token=secret&b=secrets', body: plant(7, 'top secret') });
  expect(logged).toEqual(['/plants?token=[redacted]&b=secrets']);
  const [record] = store.received();
  expect(record?.target).toBe('/plants?token=[redacted]&b=secrets');
  expect(Buffer.from(record?.body ?? []).toString()).toBe(plant(7, 'top [redacted]'));
});

test.each([
  ['as it is', 'some-other-token'],
  ['in base64', Buffer.from('some-other-token').toString('base64')],
])('an unknown token is redacted elsewhere in its request too, %s', async (_how, sent) => {
  await using store = await startPlantStore({ token: (token) => token === 'some-other-token' });
  const headers = { authorization: 'Bearer some-other-token', 'x-trace': sent };
  await send(store.url, { headers, path: `/plants?a=${sent}` });
  expect(store.received()[0]?.target).toMatch(/^\/plants\?a=\[redacted\]=*$/);
  expect(store.received()[0]?.headers).toContainEqual(['x-trace', expect.stringMatching(/^\[redacted\]=*$/)]);
});

test.each([
  ['aloefer', '/plants?a=aloefer&access_token=[redacted]'],
  ['aloefern', '/plants?a=[redacted]&access_token=[redacted]'],
])('an unknown token %s is redacted elsewhere only if it has eight characters', async (sent, target) => {
  await using store = await startPlantStore({ token: TOKEN });
  const path = `/plants?a=${sent}&access_token=other`;
  await send(store.url, { headers: { authorization: `Bearer ${sent}` }, path });
  const [record] = store.received();
  expect(record?.target).toBe(target);
  expect(record?.headers).toContainEqual(['authorization', 'Bearer [redacted]']);
});

test('the other bytes of a body with a token are kept', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  await send(store.url, { body: Buffer.concat([Buffer.from([0xff, 0x00, 0xc3]), Buffer.from(TOKEN)]) });
  const [request] = store.received();
  expect([...(request?.body ?? [])]).toEqual([0xff, 0x00, 0xc3, ...Buffer.from('[redacted]')]);
});
