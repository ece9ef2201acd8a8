import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type ReceivedResponse, send, TOKEN } from './plant-request.js';

const PAGE = 'http://page.example';
const OTHER = 'http://other.example:8080';

/** What a browser sends before a page may send a creation. */
function preflight(url: string, origin: string, path = '/plants'): Promise<ReceivedResponse> {
  return send(url, {
    method: 'OPTIONS',
    path,
    headers: {
      origin,
      authorization: undefined,
      'content-type': undefined,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-test',
    },
  });
}

function corsHeaders({ headers }: ReceivedResponse): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization,content-type,x-test',
  'access-control-max-age': '600',
};
const ASKED = 'access-control-request-headers';

describe.each([{}, { cors: false }])('%o', (options) => {
  test('allows no page', async () => {
    await using store = await startPlantStore({ token: TOKEN, ...options });
    const asked = await preflight(store.url, PAGE);
    expect([asked.status, corsHeaders(asked)]).toEqual([405, {}]);
    expect(corsHeaders(await send(store.url, { headers: { origin: PAGE } }))).toEqual({});
  });
});

describe('cors: true', () => {
  test('responds to a preflight without a token, on any path', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    for (const path of ['/plants', '/elsewhere']) {
      const asked = await preflight(store.url, PAGE, path);
      expect(asked).toMatchObject({ status: 204, text: '' });
      expect(asked.headers).not.toHaveProperty('content-length');
      expect(corsHeaders(asked)).toEqual({ ...PREFLIGHT, vary: ASKED, 'access-control-allow-origin': '*' });
    }
    expect(store.plants()).toEqual([]);
  });

  test('lets every page read every response', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    const responses = [
      await send(store.url, { headers: { origin: PAGE } }),
      await send(store.url, { headers: { origin: PAGE }, body: '{' }),
      await send(store.url, { headers: { origin: PAGE, authorization: undefined } }),
      await send(store.url, { method: 'GET' }),
      await send(store.url, { path: '/elsewhere' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([200, 400, 400, 405, 404]);
    for (const response of responses)
      expect(corsHeaders(response)).toMatchObject({ 'access-control-allow-origin': '*' });
  });

  test('lets a page read the headers of a response too', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    store.next({ status: 503, retryAfter: 2, headers: { 'X-Limit': '10' } });
    const failed = await send(store.url, { headers: { origin: PAGE } });
    expect(failed.headers['access-control-expose-headers']).toBe('retry-after, X-Limit');
    const refused = await send(store.url, { headers: { origin: PAGE, authorization: undefined } });
    expect(refused.headers['access-control-expose-headers']).toBe('www-authenticate');
    expect(corsHeaders(await send(store.url))).toEqual({ 'access-control-allow-origin': '*' });
  });

  test('treats OPTIONS as a preflight only if it asks for a method', async () => {
    await using store = await startPlantStore({ cors: true });
    const response = await send(store.url, { method: 'OPTIONS', headers: { origin: PAGE } });
    expect([response.status, response.headers.allow]).toEqual([405, 'POST']);
    expect(corsHeaders(response)).toMatchObject({ 'access-control-allow-origin': '*' });
  });
});

describe('cors: a list of origins', () => {
  test.each([
    [PAGE, PAGE],
    [OTHER, OTHER],
    ['http://page.example:80', undefined],
    ['null', undefined],
  ])('to a page of %s allows %s', async (origin, allowed) => {
    await using store = await startPlantStore({ token: TOKEN, cors: [PAGE, OTHER] });
    const expected = { vary: 'origin', ...(allowed && { 'access-control-allow-origin': allowed }) };
    expect(corsHeaders(await preflight(store.url, origin ?? ''))).toEqual({
      ...PREFLIGHT,
      ...expected,
      vary: `origin, ${ASKED}`,
    });
    const response = await send(store.url, { headers: { origin } });
    expect([response.status, corsHeaders(response)]).toEqual([200, expected]);
    expect(corsHeaders(await send(store.url, { headers: { origin }, body: '' }))).toEqual(expected);
  });

  test('that is empty allows no page', async () => {
    await using store = await startPlantStore({ cors: [] });
    expect(corsHeaders(await preflight(store.url, PAGE))).toEqual({ ...PREFLIGHT, vary: `origin, ${ASKED}` });
  });
});
