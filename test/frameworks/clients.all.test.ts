import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import axios from 'axios';
import inject, { type DispatchFunc } from 'light-my-request';
import * as matchers from 'plant-store-contract/matchers';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

expect.extend(matchers);

/** The responses by the path of the request. */
const ANSWERS: Readonly<Record<string, readonly [status: number, type: string | undefined, body: string]>> = {
  plant: [200, 'application/json; charset=utf-8', '{"name":"Aloë 🌵","tag":"succulent"}'],
  error: [409, 'application/json', '{"error":40,"message":"a plant with this id exists"}'],
  leak: [200, 'application/json', '{"name":"Aloe","id":7}'],
  html: [400, 'text/html', '<h1>Bad request</h1>'],
  nothing: [200, 'application/json', ''],
  untyped: [200, undefined, '{"name":"Aloe"}'],
  created: [201, 'application/json', '{"name":"Aloe"}'],
  malformed: [400, 'application/json', '{"error":1,"message":"no"'],
};

const answer: DispatchFunc = (request, response) => {
  const [, name = '', packed] = (request.url ?? '').split('/');
  const [status = 500, type, body = ''] = ANSWERS[name] ?? [];
  response.statusCode = status;
  if (type !== undefined) response.setHeader('Content-Type', type);
  if (packed !== undefined) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Set-Cookie', ['a=1', 'b=2']);
  request.resume();
  response.end(packed === undefined ? body : gzipSync(body));
};

const server = createServer(answer as Parameters<typeof createServer>[1]);
let base = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

interface Client {
  readonly name: string;
  get(path: string): Promise<unknown>;
  /** The body, as a test reads it after the matchers. */
  text(response: never): unknown;
}

const anyStatus = { validateStatus: () => true };

const clients: readonly Client[] = [
  {
    name: 'fetch',
    get: (path) => fetch(base + path),
    text: (response: Response) => response.text(),
  },
  {
    name: 'axios',
    get: (path) => axios.get(base + path, anyStatus),
    text: ({ data }: { data: unknown }) => (typeof data === 'string' ? data : JSON.stringify(data)),
  },
  {
    name: 'axios that parses nothing',
    get: (path) => axios.get(base + path, { ...anyStatus, responseType: 'text', transformResponse: [] }),
    text: ({ data }: { data: unknown }) => data,
  },
  {
    name: 'axios with bytes',
    get: (path) => axios.get(base + path, { ...anyStatus, responseType: 'arraybuffer' }),
    text: ({ data }: { data: Buffer }) => data.toString(),
  },
  {
    name: 'supertest',
    get: (path) =>
      supertest(server)
        .get(path)
        .ok(() => true),
    text: ({ text }: { text: unknown }) => text,
  },
  {
    name: 'light-my-request',
    get: (path) => inject(answer, path),
    text: ({ payload }: { payload: unknown }) => payload,
  },
  {
    name: 'plain data with headers in pairs',
    get: async (path) => {
      const [status, type, body] = ANSWERS[path.split('/')[1] ?? ''] ?? [];
      return { status, headers: type === undefined ? [] : [['CONTENT-TYPE', type]], body };
    },
    text: ({ body }: { body: unknown }) => body,
  },
];

describe.each(clients)('a response of $name', ({ name, get, text }) => {
  test('that is a Plant conforms, and can still be read', async () => {
    const response = await get('/plant');
    await expect(response).toConformToPlantStore();
    await expect(response).toBePlant();
    await expect(response).not.toBePlantStoreError();
    expect(await text(response as never)).toBe(ANSWERS.plant?.[2]);
  });

  test('that is an Error conforms', async () => {
    const response = await get('/error');
    await expect(response).toConformToPlantStore();
    await expect(response).toBePlantStoreError();
    await expect(response).not.toBePlant();
  });

  test.each([
    ['leak', 'body /id: a Plant has no field "id"; got 7'],
    ['html', 'header /content-type: the Content-Type must be application/json; got "text/html"'],
    ['nothing', 'the body is missing; it must be a Plant as JSON'],
    ['untyped', 'header /content-type: the Content-Type header is missing; all bodies are application/json'],
    ['created', 'the status 201 is not documented; expected 200, 400 or another 4xx'],
    ['malformed', 'the body is not JSON: '],
  ])('that is %s does not', async (path, message) => {
    // superagent itself throws if a body is not JSON.
    if (name === 'supertest' && path === 'malformed') return;
    const response = await get(`/${path}`);
    await expect(response).not.toConformToPlantStore();
    const failing = (async () => await expect(response).toConformToPlantStore())();
    await expect(failing).rejects.toThrow(message);
  });
});

// light-my-request and plain data do not decode it.
test.each(clients.slice(0, -2))('a body in gzip is decoded by $name', async ({ get }) => {
  await expect(await get('/plant/gzip')).toBePlant();
  await expect(await get('/leak/gzip')).not.toBePlant();
});
