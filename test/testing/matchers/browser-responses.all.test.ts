import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import * as matchers from 'plant-store-contract/matchers';
import { type APIRequestContext, request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

expect.extend(matchers);

const server = createServer(({ url = '' }, response) => {
  const body = url.includes('leak') ? '{"name":"Aloe","id":7}' : '{"name":"Aloe"}';
  const isPacked = url.includes('gzip');
  if (isPacked) response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-type', 'application/json').end(isPacked ? gzipSync(body) : body);
});
let context: APIRequestContext;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  context = await request.newContext({ baseURL: `http://127.0.0.1:${port}` });
});

afterAll(async () => {
  await context.dispose();
  server.close();
});

describe('a response of Playwright', () => {
  test.each(['/plants', '/gzip'])('to %s is judged, and can be read again', async (path) => {
    const response = await context.post(path);
    await expect(response).toConformToPlantStore();
    await expect(response).toBePlant();
    expect(await response.json()).toEqual({ name: 'Aloe' });
    await expect(await context.post(`${path}/leak`)).not.toConformToPlantStore();
  });

  test('that was disposed of cannot be judged', async () => {
    const response = await context.post('/plants');
    await response.dispose();
    const why = /its body cannot be read: .*disposed/;
    await expect(async () => expect(response).toBePlant()).rejects.toThrow(why);
    await expect(async () => expect(response).not.toBePlant()).rejects.toThrow(why);
  });
});

test('a response of Puppeteer is judged', async () => {
  const response = (body: string) => ({
    status: () => 200,
    headers: () => ({ 'content-type': 'application/json' }),
    buffer: async () => Buffer.from(body),
  });
  await expect(response('{"name":"Aloe"}')).toBePlant();
  await expect(response('{"name":"Aloe","id":7}')).not.toConformToPlantStore();
});

test('two fields of a name are two', async () => {
  const fields = ['application/json', 'text/html'].map((value) => ({ name: 'Content-Type', value }));
  const response = {
    status: () => 200,
    headers: () => ({ 'content-type': 'application/json' }),
    headersArray: async () => fields,
    body: async () => Buffer.from('{"name":"Aloe"}'),
  };
  await expect(response).not.toConformToPlantStore();
});
