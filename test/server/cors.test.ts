import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type ReceivedResponse, send, TOKEN } from './plant-request.js';
import { responseTo } from './raw-socket.js';

const origin = 'http://page.example';

/** What a browser sends before a page may send a creation. */
function preflight(url: string, path = '/plants'): Promise<ReceivedResponse> {
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

test('by default, no page may call the server', async () => {
  await using store = await startPlantStore({ token: TOKEN });
  const asked = await preflight(store.url);
  expect([asked.status, corsHeaders(asked)]).toEqual([405, {}]);
  expect(corsHeaders(await send(store.url, { headers: { origin } }))).toEqual({});
});

describe('cors: true', () => {
  test('responds to a preflight without a token, on any path', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    for (const path of ['/plants', '/elsewhere']) {
      const asked = await preflight(store.url, path);
      expect(asked).toMatchObject({ status: 204, text: '' });
      expect(asked.headers).not.toHaveProperty('content-length');
      expect(corsHeaders(asked)).toEqual({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization,content-type,x-test',
        'access-control-max-age': '600',
        vary: 'Origin, Access-Control-Request-Headers',
      });
    }
    expect(store.plants()).toEqual([]);
  });

  test('lets every page read every response, and its headers', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    store.next({ status: 503, headers: { 'Retry-After': '2', 'X-Limit': '10' } });
    const responses = [
      await send(store.url, { headers: { origin } }),
      await send(store.url, { headers: { origin } }),
      await send(store.url, { headers: { origin, authorization: undefined } }),
      // It asks for no method, so it is no preflight.
      await send(store.url, { method: 'OPTIONS', headers: { origin } }),
      await send(store.url, { path: '/elsewhere' }),
    ];
    const exposed = ['Retry-After, X-Limit', undefined, 'www-authenticate', 'allow', undefined];
    expect(responses.map(({ status }) => status)).toEqual([503, 200, 400, 405, 404]);
    expect(responses.map(({ headers }) => headers['access-control-expose-headers'])).toEqual(exposed);
    for (const response of responses.slice(0, -1))
      expect(corsHeaders(response)).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        vary: 'Origin',
      });
    // Who sends no origin is no page.
    const { 'access-control-allow-origin': any, ...others } = corsHeaders(
      responses.at(-1) as ReceivedResponse,
    );
    expect([any, others]).toEqual(['*', { vary: 'Origin' }]);
  });

  test.each([
    ['too large', `Origin: ${origin}\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['malformed', `Origin: ${origin}\r\nContent-Length: x\r\n\r\n`],
    ['malformed in its body', `Origin: ${origin}\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n`],
  ])('lets a page read the rejection of a request that is %s', async (_what, rest) => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    const response = await responseTo(store.port, `POST /plants HTTP/1.1\r\nHost: a\r\n${rest}`);
    expect(response).toMatchObject({ status: 400 });
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      vary: 'Origin',
    });
  });
});
