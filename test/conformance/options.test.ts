import { createServer } from 'node:http';
import { assertConformance, checkConformance, exitCode } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startHandler } from './providers/handler.js';

const token = 'token-of-these-tests';

describe('the options of a check', () => {
  test.each([
    [{ baseUrl: 'localhost:3000' }, 'must begin with http:// or https://'],
    [{ baseUrl: 'plants' }, 'must be an absolute URL'],
    [{ baseUrl: 'http://localhost?x=1' }, 'no query'],
    [{ baseUrl: 'http://user:secret@localhost' }, 'no user'],
    [{ token: '' }, 'the token must be'],
    [{ token: 'two words' }, 'the token must be'],
    [{ timeoutMs: 0 }, 'the time-out'],
    [{ concurrency: 1.5 }, 'the concurrency'],
  ])('%j is refused with a sentence that names it', async (wrong, sentence) => {
    const check = checkConformance({ baseUrl: 'http://127.0.0.1:1', token, ...wrong });
    await expect(check).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(sentence),
    });
    await expect(check).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });

  test('/plants is appended to the path of the base URL', async () => {
    const paths = new Set<string | undefined>();
    await using provider = await startHandler((request, response) => {
      paths.add(request.url);
      response.writeHead(404).end();
    });
    for (const base of ['', '/', '/api/v1', '/api/v1/'])
      await checkConformance({ baseUrl: provider.url + base, token });
    expect([...paths]).toEqual(['/plants', '/api/v1/plants']);
  });

  test('no more requests are under way at once than the concurrency allows', async () => {
    await using store = await startPlantStore({ token, delayMs: 5 });
    let now = 0;
    let most = 0;
    const proxy = createServer(async (request, response) => {
      most = Math.max(most, ++now);
      const body = Buffer.concat(await request.toArray());
      const answer = await fetch(`${store.url}/plants`, {
        method: 'POST',
        headers: request.headers as never,
        body,
      });
      now--;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
    await using provider = await startHandler((request, response) =>
      proxy.emit('request', request, response),
    );
    const report = await checkConformance({ baseUrl: provider.url, token, concurrency: 3 });
    expect(report.conclusion).toBe('conforms');
    expect(most).toBe(3);
  });

  test('each exchange is told as it ends', async () => {
    await using store = await startPlantStore({ token });
    const seen: number[] = [];
    const report = await checkConformance({
      baseUrl: store.url,
      token,
      onExchange: (exchange, planned) => seen.push(exchange.index, planned),
    });
    expect(seen.length).toBe(report.exchanges.length * 2);
  });
});

describe('assertConformance', () => {
  test('gives the report where the provider conforms', async () => {
    await using store = await startPlantStore({ token });
    expect((await assertConformance({ baseUrl: store.url, token })).conclusion).toBe('conforms');
  });

  test('throws with the broken rules', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    await expect(assertConformance({ baseUrl: store.url, token })).rejects.toMatchObject({
      code: 'does-not-conform',
      message: expect.stringContaining('success/plant-fields-only: expected the fields "name" and'),
    });
  });

  test('throws another code where nothing could be tested', async () => {
    await using store = await startPlantStore({ token });
    await expect(assertConformance({ baseUrl: store.url, token: 'wrong' })).rejects.toMatchObject({
      code: 'provider-not-testable',
    });
  });
});

test.each([
  ['conforms', 0],
  ['breaks-rules', 1],
  ['not-testable', 2],
  ['incomplete', 2],
] as const)('the exit status of %s is %i', (conclusion, status) => {
  expect(exitCode(conclusion)).toBe(status);
});
