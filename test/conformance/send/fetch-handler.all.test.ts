import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { FetchHandler } from 'plant-store-contract/conformance';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test, vi } from 'vitest';
import { serveHandler } from '../../../src/conformance/send/handler.js';
import { brokenIn, checkFetch, evidenceOf, token } from '../checks.js';

/** The reference server, whose 200 is changed. */
function answering(change: (text: string) => unknown): FetchHandler {
  const { fetch } = createPlantStore({ token });
  return async (request) => {
    const response = await fetch(request);
    return response.status === 200 ? (change(await response.text()) as Response) : response;
  };
}

describe('a provider that is a function', () => {
  test('conforms, is judged by all rules, and nothing stays open', async () => {
    const report = await checkFetch(createPlantStore({ token }).fetch);
    expect(report.conclusion).toBe('conforms');
    // What does not apply to a provider that rejects everything with a 400.
    expect(report.counts).toMatchObject({ blocked: 0, error: 0, 'not-applicable': 2 });
    expect(report.notes).toEqual([expect.stringContaining('The provider was called as a function')]);
    const urls = report.exchanges.map(({ request }) => new URL(request.url).origin);
    expect([...new Set(urls)]).toEqual(['http://localhost']);
    const isOpen = () => process.getActiveResourcesInfo().includes('TCPServerWrap');
    await expect.poll(isOpen).toBe(false);
  });

  test('gets the bytes and headers that a server would pass on', async () => {
    const seen: Request[] = [];
    const keep: FetchHandler = (request) => {
      seen.push(request.clone());
      return Response.json({}, { status: 500 });
    };
    await checkFetch(keep, {
      baseUrl: 'https://plants.example/api',
      only: ['success/tag-is-optional'],
      headers: [['X-Key', 'k']],
    });
    const [request] = seen;
    expect(request?.url).toBe('https://plants.example/api/plants');
    expect(request?.method).toBe('POST');
    const body = await request?.text();
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: '*/*',
      authorization: `Bearer ${token}`,
      'content-length': String(body?.length),
      'content-type': 'application/json',
      host: 'plants.example',
      'user-agent': 'plant-store-contract',
      'x-key': 'k',
    });
    expect(body).toMatch(/^\{"name":"Aloe\w{6}","id":\d+\}$/);
  });

  test('can forward to a server whose response fetch has decompressed', async () => {
    await using store = await startPlantStore({ token });
    const pass: FetchHandler = async (request) => {
      const response = await fetch(`${store.url}/plants`, request);
      // As the answer of a server that compresses looks once fetch has read it.
      const headers = new Headers(response.headers);
      headers.set('content-encoding', 'gzip');
      const text = await response.text();
      headers.set('content-length', String(gzipSync(text).length));
      return Object.defineProperty(new Response(text || null, { status: response.status, headers }), 'url', {
        value: response.url,
      });
    };
    expect(brokenIn(await checkFetch(pass))).toEqual([]);
  });
});

describe('the framing of a response is judged:', () => {
  test.for<[string, (text: string) => unknown]>([
    ['a body longer than its Content-Length', (text) => withLength(text, -1)],
    ['a body shorter than its Content-Length', (text) => withLength(text, 1)],
    ['an endless body', endlessAtFirst()],
    ['a body that breaks off', (text) => breakingOff(text)],
    ['a body that breaks off at once', () => breakingOff('')],
  ])('%s', async ([, change]) => {
    const rule = 'success/body-comes-whole';
    expect(brokenIn(await checkFetch(answering(change), { only: [rule] }))).toEqual([rule]);
  });
});

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

function withLength(text: string, more: number): Response {
  const length = String(Buffer.byteLength(text) + more);
  return new Response(text, { headers: { ...JSON_TYPE.headers, 'content-length': length } });
}

/** It ends with what no `Error` is: anything can be thrown. */
function breakingOff(text: string): Response {
  const broken = { name: 'TypeError', message: 5 };
  const pull = (controller: ReadableStreamDefaultController): void => controller.error(broken);
  const start = (controller: ReadableStreamDefaultController): void => {
    if (text !== '') controller.enqueue(Buffer.from(text));
  };
  return new Response(new ReadableStream({ start, pull }, { highWaterMark: 0 }), JSON_TYPE);
}

/** Of an endless body, 2 MiB are read, which takes a while. */
function endlessAtFirst(): (text: string) => Response {
  const bytes = new Uint8Array(256 * 1024);
  let count = 0;
  return (text) =>
    count++ > 0
      ? new Response(text, JSON_TYPE)
      : new Response(new ReadableStream({ pull: (controller) => controller.enqueue(bytes) }), JSON_TYPE);
}

test('a body is read as fast as its client reads, and no more of it when the client is gone', async () => {
  let pulled = 0;
  const cancel = vi.fn();
  const pull = (controller: ReadableStreamDefaultController): void => {
    pulled += 2 ** 16;
    controller.enqueue(new Uint8Array(2 ** 16));
  };
  const served = await serveHandler(
    () => new Response(new ReadableStream({ pull, cancel })),
    new URL('http://localhost/plants'),
  );
  const socket = connect(Number(served.url.port), '127.0.0.1').pause();
  socket.write('GET /plants HTTP/1.1\r\nHost: a\r\n\r\n');
  let before = 0;
  const isWaiting = (): boolean => {
    const isSame = pulled > 0 && pulled === before;
    before = pulled;
    return isSame;
  };
  await expect.poll(isWaiting, { interval: 100, timeout: 5_000 }).toBe(true);
  expect(pulled).toBeLessThan(2 ** 25);
  socket.destroy();
  await expect.poll(() => cancel).toHaveBeenCalledTimes(1);
  await served.close();
});

describe('a function without a usable Response', () => {
  test.for<[string, () => unknown, string]>([
    ['that returns nothing', () => undefined, 'the function returned nothing, not a Response'],
    ['that returns Response.error()', () => Response.error(), 'the function returned Response.error()'],
    [
      'that throws',
      () => {
        throw new Error('no database');
      },
      'the function threw: no database',
    ],
    ['that returns one Response twice', sameEveryTime(), 'the body of the Response was already read'],
  ])('%s gets a 500 that says why', async ([, answer, message]) => {
    const report = await checkFetch(answer as FetchHandler, { only: ['success'] });
    expect(report.conclusion).toBe('does-not-conform');
    const [first] = evidenceOf(report, 'success/status-is-200');
    expect(first?.actual).toBe(`500 (text/plain;charset=UTF-8) ${message}`);
  });

  test.for<[string, () => unknown, RegExp]>([
    ['reaches no server', () => fetch('http://127.0.0.1:9'), /tested: the function threw: bad port\./],
    ['returns nothing in time', () => new Promise(() => {}), /no response within 50 ms/],
  ])('that %s cannot be tested', async ([, answer, message]) => {
    const report = await checkFetch(answer as FetchHandler, { timeoutMs: 50, only: ['auth'] });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(message);
  });

  test('gets an abort signal at the timeout', async () => {
    const signals: AbortSignal[] = [];
    const never: FetchHandler = ({ signal }) => new Promise(() => signals.push(signal));
    await checkFetch(never, { timeoutMs: 50, only: ['success/tag-is-optional'] });
    expect(signals).not.toEqual([]);
    await expect.poll(() => signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test('is not waited for when the check is stopped', async () => {
    const stop = new AbortController();
    const report = await checkFetch(
      () => {
        queueMicrotask(() => stop.abort());
        return new Promise<never>(() => {});
      },
      { signal: stop.signal },
    );
    expect(report.conclusion).toBe('not-testable');
    expect(report.notes[0]).toContain('The check was stopped');
    expect(report.exchanges[0]?.failure?.kind).toBe('stopped');
  });

  test('does not reveal the token in an error', async () => {
    const report = await checkFetch((request) => {
      throw new Error(`no such user: ${request.headers.get('authorization')}`);
    });
    expect(JSON.stringify(report)).not.toContain(token);
  });
});

function sameEveryTime(): () => Promise<Response> {
  const response = new Response('{}', { status: 500 });
  return async () => {
    // The first answer alone would be judged.
    if (!response.bodyUsed) await response.text();
    return response;
  };
}
