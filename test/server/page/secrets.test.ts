import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { startReader } from '../../pact/verification/provider.js';
import { TOKEN, WatchedProxy, WatchedStore } from './watched.js';

const OTHER = 'unknown-token-of-a-client';
const CONTROL = 'token-of-the-control-interface';

/** Everything that a page can get of an exchange, as text. */
async function everything(it: WatchedStore | WatchedProxy, count: number, token?: string): Promise<string> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const get = async (path: string, method = 'GET') =>
    await (await fetch(it.control.url + path, { method, headers })).text();
  const details = await Promise.all(Array.from({ length: count }, (_, at) => get(`/exchanges/${at + 1}`)));
  const rows = token === undefined ? JSON.stringify(await it.rows(count)) : '';
  return [...details, rows, await get('/exchanges/har', 'POST')].join('\n');
}

/** The forms in which a token could be found. */
function formsOf(token: string): string[] {
  const bytes = Buffer.from(token);
  return [token, encodeURIComponent(token), bytes.toString('base64'), bytes.toString('hex')];
}

describe('no token reaches a page', () => {
  test('of those that a client sends to a server, wherever it puts them', async () => {
    await using it = await WatchedStore.start();
    const first = await fetch(`${it.target.url}/plants`, { method: 'POST', body: `{"name":"${TOKEN}"}` });
    expect(first.status).toBe(400);
    expect(JSON.stringify(await it.exchange(1))).not.toContain(TOKEN);
    await it.create({ name: TOKEN, id: 1, tag: Buffer.from(`x${TOKEN}`).toString('base64') });
    await it.create({ name: OTHER, id: 2 }, { authorization: `Bearer ${OTHER}`, 'x-note': `my ${OTHER}` });
    await fetch(`${it.target.url}/plants?access_token=another-one&q=${TOKEN}`, {
      headers: { cookie: 'session=abc123' },
    });
    await it.create(
      `{"name":"${TOKEN.slice(0, 5)}\\u0${TOKEN.charCodeAt(5).toString(16).padStart(3, '0')}${TOKEN.slice(6)}","id":3}`,
    );
    const seen = await everything(it, 5);
    expect(seen).toContain('Bearer redacted');
    for (const token of [TOKEN, OTHER]) for (const form of formsOf(token)) expect(seen).not.toContain(form);
    expect(seen).not.toMatch(/another-one|abc123/);
    expect(seen).not.toContain(TOKEN.slice(6));
  });

  test('nor that of the control interface', async () => {
    await using it = await WatchedStore.start({}, { token: CONTROL });
    await it.create({ name: CONTROL, id: 1 }, { 'x-control': CONTROL });
    const seen = await everything(it, 1, CONTROL);
    expect(seen).toContain('"number":1');
    expect(seen).not.toContain(CONTROL);
  });

  test('nor one in a plant or in a failure', async () => {
    await using it = await WatchedStore.start();
    it.target.seed({ name: `a ${TOKEN}`, id: 9007199254740993n, tag: TOKEN });
    it.target.always({ status: 503, when: { headers: { Authorization: `Bearer ${OTHER}`, 'x-a': TOKEN } } });
    expect(await it.call('GET', '/shown-plants')).toEqual({
      total: 1,
      plants: [{ id: '9007199254740993', name: 'a [redacted]', tag: '[redacted]' }],
    });
    expect(await it.call('GET', '/shown-failures')).toEqual([
      {
        number: expect.any(Number),
        text: '503,when.headers.Authorization="Bearer redacted",when.headers.x-a=[redacted]',
      },
    ]);
  });

  test('nor one that a provider sends back, to its request or to a later one, encoded or not', async () => {
    const provider = await startReader((request, response) => {
      request.resume();
      const body = JSON.stringify({ name: 'Aloe', seen: TOKEN, cookie: 'a' });
      const isZipped = request.headers['x-zip'] !== undefined;
      response.writeHead(200, {
        'content-type': 'application/json',
        'x-token': TOKEN,
        'set-cookie': 'session=abc123',
        ...(isZipped && { 'content-encoding': 'gzip' }),
      });
      response.end(
        isZipped ? gzipSync(body) : request.headers['x-wide'] ? Buffer.from(body, 'utf16le') : body,
      );
    });
    await using it = await WatchedProxy.start(provider.url);
    await it.create({ name: 'Aloe', id: 1 });
    await it.create({ name: 'Aloe', id: 2 }, { authorization: `Bearer ${OTHER}` });
    await it.create({ name: 'Aloe', id: 3 }, { 'x-zip': '1' });
    await it.create({ name: 'Aloe', id: 4 }, { 'x-wide': '1' });
    const seen = await everything(it, 4);
    for (const token of [TOKEN, OTHER]) for (const form of formsOf(token)) expect(seen).not.toContain(form);
    expect(seen).not.toContain('abc123');
    expect(seen.replaceAll(/\\u0000/g, '')).not.toContain(TOKEN);
    expect(JSON.stringify(await it.call('GET', '/violations'))).not.toContain(TOKEN);
    expect((await it.exchange(3)).response?.body).toMatchObject({ note: 'decoded from gzip' });
  });

  test('nor in a coding that is not undone here', async () => {
    const provider = await startReader((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'rot13' });
      response.end(TOKEN);
    });
    await using it = await WatchedProxy.start(provider.url);
    await it.create({ name: 'Aloe', id: 1 });
    const body = (await it.exchange(1)).response?.body;
    expect(body).toEqual({
      bytes: TOKEN.length,
      missing: expect.stringContaining('"rot13" is not supported'),
    });
    expect(await everything(it, 1)).not.toContain(TOKEN);
  });

  test('nor one that is in an exchange before that of the request that sent it is shown', async () => {
    const provider = await startReader((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: 'Aloe', seen: OTHER }));
    });
    await using proxy = await WatchedProxy.start(provider.url);
    await using store = await WatchedStore.start();
    for (const it of [proxy, store]) {
      await it.create({ name: 'Aloe', id: 1 }, { authorization: `Bearer ${OTHER}` });
      await it.create({ name: OTHER, id: 2 });
      const seen = JSON.stringify(await it.exchange(2));
      expect(seen).toContain('[redacted]');
      expect(seen).not.toContain(OTHER);
    }
  });
});
