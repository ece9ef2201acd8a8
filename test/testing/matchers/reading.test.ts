import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as matchers from 'plant-store-contract/matchers';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

expect.extend(matchers);

const ERROR = JSON.stringify({ error: 40, message: 'é'.repeat(100_000) });

const server = createServer((_request, response) => {
  response.writeHead(409, { 'content-type': 'application/json' }).end(ERROR);
});
let url = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/plants`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Body = Awaited<ReturnType<typeof request>>['body'];

const METHODS: [string, (body: Body) => Promise<string>][] = [
  ['text', (body) => body.text()],
  ['json', async (body) => JSON.stringify(await body.json())],
  ['bytes', async (body) => Buffer.from(await body.bytes()).toString()],
  ['arrayBuffer', async (body) => Buffer.from(await body.arrayBuffer()).toString()],
  ['blob', async (body) => (await body.blob()).text()],
];

describe('the body of undici.request', () => {
  test.each(METHODS)('can be read by %s after a matcher', async (_name, read) => {
    const response = await request(url);
    await expect(response).toConformToPlantStore();
    expect(await read(response.body)).toBe(ERROR);
  });

  test.each(METHODS)(
    'cannot be judged if it was read by %s before, and the message says what to do',
    async (_name, read) => {
      const response = await request(url);
      await read(response.body);
      for (const assertion of [expect(response), expect(response).not])
        await expect(async () => await assertion.toBePlantStoreError()).rejects.toThrow(
          'its body has been read already; use the matcher first, or pass response.clone() or { status, headers, body }',
        );
    },
  );

  test('is read once for several matchers, even at the same time', async () => {
    const response = await request(url);
    await Promise.all([
      expect(response).toConformToPlantStore(),
      expect(response).toBePlantStoreError(),
      expect(response).not.toBePlant(),
    ]);
    await response.body.text();
    await expect(response).toBePlantStoreError();
  });
});

/** Like the Response of node-fetch: its clone waits until both bodies have been read. */
class ForeignResponse {
  readonly status = 409;
  readonly headers = new Headers({ 'content-type': 'application/json' });
  bodyUsed = false;
  readonly body = Readable.from([Buffer.from(ERROR)]);

  clone() {
    return { arrayBuffer: () => new Promise<ArrayBuffer>(() => {}), bodyUsed: false };
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    this.bodyUsed = true;
    return new Uint8Array(await buffer(this.body)).buffer;
  }

  async json(): Promise<unknown> {
    return JSON.parse(Buffer.from(await this.arrayBuffer()).toString());
  }
}

test('a response of a fetch other than that of Node is not cloned, and can be read afterwards', async () => {
  const response = new ForeignResponse();
  await expect(response).toConformToPlantStore();
  await expect(response).not.toBePlant();
  expect(JSON.stringify(await response.json())).toBe(ERROR);
});

test('a stream that has arrayBuffer() but no bodyUsed, as that of bent, is judged twice', async () => {
  const stream = Readable.from([Buffer.from(ERROR)]);
  const headers = { 'content-type': 'application/json' };
  const arrayBuffer = async () => new Uint8Array(await buffer(stream)).buffer;
  const response = Object.assign(stream, { status: 409, headers, arrayBuffer });
  await expect(response).toConformToPlantStore();
  await expect(response).toBePlantStoreError();
});
