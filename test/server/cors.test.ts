import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { type Answered, send, TOKEN } from './plant-request.js';

const PAGE = 'http://page.example';
const OTHER = 'http://other.example:8080';

/** What a browser asks before it lets a page send a creation. */
function preflight(url: string, origin: string, path = '/plants'): Promise<Answered> {
  return send(url, {
    method: 'OPTIONS',
    path,
    headers: {
      origin,
      authorization: undefined,
      'content-type': undefined,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,prefer',
    },
  });
}

function corsHeaders({ headers }: Answered): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === 'vary' || name.startsWith('access-control-')),
  );
}

const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'authorization, content-type, prefer',
  'access-control-max-age': '600',
};

describe.each([{}, { cors: false }])('%o', (options) => {
  test('lets no page in', async () => {
    await using store = await startPlantStore({ token: TOKEN, ...options });
    const asked = await preflight(store.url, PAGE);
    expect([asked.status, corsHeaders(asked)]).toEqual([405, {}]);
    expect(corsHeaders(await send(store.url, { headers: { origin: PAGE } }))).toEqual({});
  });
});

describe('cors: true', () => {
  test('answers a preflight without a token, whatever the path', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    for (const path of ['/plants', '/elsewhere']) {
      const asked = await preflight(store.url, PAGE, path);
      expect(asked).toMatchObject({ status: 204, text: '' });
      expect(asked.headers).not.toHaveProperty('content-length');
      expect(corsHeaders(asked)).toEqual({ ...PREFLIGHT, 'access-control-allow-origin': '*' });
    }
    expect(store.plants()).toEqual([]);
  });

  test('lets every page read every answer', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    const answers = [
      await send(store.url, { headers: { origin: PAGE } }),
      await send(store.url, { headers: { origin: PAGE }, body: '{' }),
      await send(store.url, { headers: { origin: PAGE, authorization: undefined } }),
      await send(store.url, { method: 'GET' }),
      await send(store.url, { path: '/elsewhere' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 400, 400, 405, 404]);
    for (const answer of answers) expect(corsHeaders(answer)).toEqual({ 'access-control-allow-origin': '*' });
  });

  test('takes OPTIONS for a preflight only where it asks for a method', async () => {
    await using store = await startPlantStore({ cors: true });
    const answer = await send(store.url, { method: 'OPTIONS', headers: { origin: PAGE } });
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
    expect(corsHeaders(answer)).toEqual({ 'access-control-allow-origin': '*' });
  });

  test('takes no other method for a preflight', async () => {
    await using store = await startPlantStore({ token: TOKEN, cors: true });
    const answer = await send(store.url, { headers: { 'access-control-request-method': 'POST' } });
    expect(answer).toMatchObject({ status: 200, text: '{"name":"Aloe"}' });
  });
});

describe('cors: a list of origins', () => {
  test.each([
    [PAGE, PAGE],
    [OTHER, OTHER],
    ['http://page.example:80', undefined],
    ['https://page.example', undefined],
    ['http://page.example.evil.example', undefined],
    ['http://PAGE.example', undefined],
    ['null', undefined],
    [undefined, undefined],
  ])('to a page of %s allows %s', async (origin, allowed) => {
    await using store = await startPlantStore({ token: TOKEN, cors: [PAGE, OTHER] });
    const expected = { vary: 'origin', ...(allowed && { 'access-control-allow-origin': allowed }) };
    expect(corsHeaders(await preflight(store.url, origin ?? ''))).toEqual({ ...PREFLIGHT, ...expected });
    const answer = await send(store.url, { headers: { origin } });
    expect([answer.status, corsHeaders(answer)]).toEqual([200, expected]);
    expect(corsHeaders(await send(store.url, { headers: { origin }, body: '' }))).toEqual(expected);
  });

  test('that is empty lets nobody in', async () => {
    await using store = await startPlantStore({ cors: [] });
    expect(corsHeaders(await preflight(store.url, PAGE))).toEqual({ ...PREFLIGHT, vary: 'origin' });
  });
});

test('a page is let in to faults and to delayed answers alike', async () => {
  await using store = await startPlantStore({
    token: TOKEN,
    cors: true,
    delayMs: 5,
    faults: ['answers-500'],
  });
  const answer = await send(store.url, { body: '{' });
  expect([answer.status, corsHeaders(answer)]).toEqual([500, { 'access-control-allow-origin': '*' }]);
  expect((await preflight(store.url, PAGE)).status).toBe(204);
});
