import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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

async function collected(chunks: AsyncIterable<unknown>): Promise<string> {
  const found: Buffer[] = [];
  for await (const chunk of chunks) found.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(found).toString();
}

describe('the body of undici.request, after a matcher,', () => {
  test.each<[string, (body: Body) => Promise<string>]>([
    ['text', (body) => body.text()],
    ['json', async (body) => JSON.stringify(await body.json())],
    ['bytes', async (body) => Buffer.from(await body.bytes()).toString()],
    ['arrayBuffer', async (body) => Buffer.from(await body.arrayBuffer()).toString()],
    ['blob', async (body) => (await body.blob()).text()],
    ['iteration', collected],
    ['pipe', (body) => collected(body.pipe(new PassThrough()))],
    [
      'pipeline',
      async (body) => {
        const end = new PassThrough();
        const [text] = await Promise.all([collected(end), pipeline(body, end)]);
        return text;
      },
    ],
    ['events', (body) => new Promise((resolve) => body.on('data', (chunk) => resolve(String(chunk))))],
    ['a web stream', (body) => collected(Readable.toWeb(body))],
  ])('can be read by %s, once', async (_how, read) => {
    const response = await request(url);
    await expect(response).toConformToPlantStore();
    expect(response.body.bodyUsed).toBe(false);
    expect(await read(response.body)).toBe(ERROR);
    expect(response.body.bodyUsed).toBe(true);
    await expect(response.body.text()).rejects.toThrow('the body has been read already');
  });

  test('is closed when it has been read', async () => {
    const { body, ...rest } = await request(url);
    await expect({ body, ...rest }).toBePlantStoreError();
    await new Promise((resolve) => body.on('close', resolve).resume());
  });

  test('is known to other matchers, also to such as do not wait for the first', async () => {
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

/** As that of node-fetch: its clone waits until both bodies have been read, and its body is a stream of Node. */
class ForeignResponse {
  readonly status = 409;
  readonly headers = new Headers({ 'content-type': 'application/json' });
  bodyUsed = false;

  constructor(readonly body: unknown) {}

  clone() {
    return { arrayBuffer: () => new Promise<ArrayBuffer>(() => {}), bodyUsed: false };
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    this.bodyUsed = true;
    return new TextEncoder().encode(await collected(this.body as AsyncIterable<unknown>)).buffer;
  }

  async json(): Promise<unknown> {
    return JSON.parse(Buffer.from(await this.arrayBuffer()).toString());
  }
}

describe.each([
  ['of Node', () => Readable.from([Buffer.from(ERROR)])],
  ['of the web', () => new Blob([ERROR]).stream()],
])('a response of another fetch than that of Node, with a stream %s,', (_whose, stream) => {
  const judged = async (): Promise<ForeignResponse> => {
    const response = new ForeignResponse(stream());
    await expect(response).toConformToPlantStore();
    await expect(response).not.toBePlant();
    expect(response.bodyUsed).toBe(false);
    return response;
  };

  test('is not cloned, and can be read afterwards', async () => {
    const response = await judged();
    expect(JSON.stringify(await response.json())).toBe(ERROR);
    expect(response.bodyUsed).toBe(true);
    await expect(response.arrayBuffer()).rejects.toThrow('the body has been read already');
  });

  test('can be read as a stream', async () => {
    const { body } = await judged();
    expect(await collected(body as AsyncIterable<unknown>)).toBe(ERROR);
  });

  test('can be cloned afterwards, and then read twice', async () => {
    const response = await judged();
    const clone = response.clone() as unknown as ForeignResponse;
    expect(JSON.stringify(await clone.json())).toBe(ERROR);
    expect(clone.status).toBe(409);
    expect(response.bodyUsed).toBe(false);
    const again = response.clone() as unknown as ForeignResponse;
    expect(await collected(again.body as AsyncIterable<unknown>)).toBe(ERROR);
    await expect(again).toBePlantStoreError();
    expect(JSON.stringify(await response.json())).toBe(ERROR);
    expect(() => response.clone()).toThrow('the body has been read already');
  });
});

test('a stream that reads itself without saying whether it was, as that of bent, is judged twice', async () => {
  const stream = Readable.from([Buffer.from(ERROR)]);
  const headers = { 'content-type': 'application/json' };
  const arrayBuffer = async () => new TextEncoder().encode(await collected(stream)).buffer;
  const response = Object.assign(stream, { status: 409, headers, arrayBuffer });
  await expect(response).toConformToPlantStore();
  await expect(response).toBePlantStoreError();
});
