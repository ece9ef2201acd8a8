import { gzipSync } from 'node:zlib';
import {
  type CheckReport,
  checkConformance,
  dryRun,
  type FetchHandler,
} from 'plant-store-contract/conformance';
import { createPlantStore, type FaultName, loadFaults, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';

const token = 'a-token-of-these-tests';
const faults = await loadFaults();

function check(fetch: FetchHandler, more: Partial<Parameters<typeof checkConformance>[0]> = {}) {
  return checkConformance({ baseUrl: 'http://localhost/api', fetch, token, prism: false, ...more });
}

function broken({ rules }: CheckReport): string[] {
  return rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

/** The reference server, below the path of the base URL. */
function storeWith(...names: readonly FaultName[]): FetchHandler {
  const { fetch } = createPlantStore({ token, faults: names });
  return (request) => fetch(new Request(request.url.replace('/api/', '/'), request));
}

/** The reference server, whose 200 is changed. */
function answering(change: (text: string) => unknown): FetchHandler {
  const store = storeWith();
  return async (request) => {
    const response = await store(request);
    return response.status === 200 ? (change(await response.text()) as Response) : response;
  };
}

describe('a provider that is a function', () => {
  test('conforms, and gets everything that a Request can express', async () => {
    const report = await check(storeWith(), { prism: true });
    expect(report.conclusion).toBe('conforms');
    const unasked = report.rules.filter(({ verdict }) => verdict === 'not-applicable');
    expect(unasked.map(({ id, reason }) => `${id}: ${reason}`)).toEqual([
      'auth/connection-is-not-authenticated: the provider is called as a function, and there is no connection to keep',
      'request/transfer-makes-no-difference: the provider is called as a function, and a Request has no segments; the provider is called as a function, and a Request does not say whether its body came in chunks',
      'unspecified/two-authorizations: the provider is called as a function, and a Request joins fields of the same name',
      'unspecified/chunked-body: the provider is called as a function, and a Request does not say whether its body came in chunks',
    ]);
    expect(report.counts).toMatchObject({ blocked: 0, error: 0, 'not-applicable': 4 });
    expect(report.notes).toEqual([expect.stringContaining('The provider was called as a function')]);
    expect(report.prism?.exchanges).toBeGreaterThan(100);
  });

  test('gets the bytes and headers that a server would pass on', async () => {
    const seen: Request[] = [];
    const keep: FetchHandler = (request) => {
      seen.push(request.clone());
      return Response.json({}, { status: 500 });
    };
    await check(keep, { only: ['success/tag-is-optional'], headers: [['X-Key', 'k']] });
    const [request] = seen;
    expect(request?.url).toBe('http://localhost/api/plants');
    expect(request?.method).toBe('POST');
    const body = await request?.text();
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      authorization: `Bearer ${token}`,
      'content-length': String(body?.length),
      'content-type': 'application/json',
      host: 'localhost',
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
    expect(broken(await check(pass, { only: ['success', 'failure', 'request'] }))).toEqual([]);
  });
});

describe('a fault is found without a port', () => {
  // Not those of connections, nor `counts-characters`: what a function answers is not framed by the server.
  test.for<FaultName>([
    ...([
      'leaks-id',
      'answers-201',
      'renders-null-tag',
      'answers-byte-order-mark',
      'truncates-answers',
    ] as const),
    ...(['accepts-missing-token', 'accepts-token-in-query', 'accepts-any-scheme'] as const),
    ...(['accepts-empty-body', 'ignores-trailing-text', 'rounds-ids', 'turns-name-into-text'] as const),
    ...(['answers-html-errors', 'hangs-on-malformed-json', 'resets-on-malformed-json'] as const),
    ...(['truncates-errors', 'races-equal-ids', 'mixes-answers', 'trips-over-bad-requests'] as const),
  ])('%s', async (name) => {
    const report = await check(storeWith(name), { timeoutMs: name.startsWith('hangs') ? 2_000 : 20_000 });
    const breaks = faults.find((fault) => fault.name === name)?.breaks ?? [];
    expect(broken(report).sort()).toEqual([...breaks].sort());
  });

  test.for<[string, (text: string) => unknown, string]>([
    ['a body longer than its Content-Length', (text) => withLength(text, -1), 'success/body-comes-whole'],
    ['a body shorter than its Content-Length', (text) => withLength(text, 1), 'success/body-comes-whole'],
    ['an endless body', () => new Response(endless(), JSON_TYPE), 'success/body-comes-whole'],
  ])('%s', async ([, change, rule]) => {
    // Of an endless body, 2 MiB are read each time, so a quick check.
    expect(broken(await check(answering(change), { only: ['success'], quick: true }))).toEqual([rule]);
  });
});

const JSON_TYPE = { headers: { 'content-type': 'application/json' } };

function withLength(text: string, more: number): Response {
  const length = String(Buffer.byteLength(text) + more);
  return new Response(text, { headers: { ...JSON_TYPE.headers, 'content-length': length } });
}

function endless(): ReadableStream {
  return new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(256 * 1024)) });
}

describe('a function that returns no usable response', () => {
  test.for<[string, () => unknown, RegExp]>([
    ['returns nothing', () => undefined, /the function returned nothing, not a Response/],
    [
      'returns a URL',
      () => 'http://localhost:3000',
      /the function returned the string "http:\/\/localhost:3000", not a Response/,
    ],
    ['returns Response.error()', () => Response.error(), /returned Response\.error\(\)/],
    [
      'throws',
      () => {
        throw new Error('no database');
      },
      /the function threw: no database/,
    ],
    [
      'throws something else',
      () => {
        throw 'a text';
      },
      /the function threw: a text/,
    ],
    ['cannot reach its server', () => fetch('http://127.0.0.1:9'), /the function threw: fetch failed: \S/],
    ['returns one Response twice', sameEveryTime(), /the body of the Response was already read/],
    ['returns nothing in time', () => new Promise(() => {}), /no response within 200 ms/],
  ])('that %s cannot be tested', async ([, answer, message]) => {
    const report = await check(answer as FetchHandler, { timeoutMs: 200, only: ['auth'] });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(message);
  });

  test('gets an abort signal at the timeout', async () => {
    const signals: AbortSignal[] = [];
    const never: FetchHandler = ({ signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    };
    await check(never, { timeoutMs: 50, only: ['success/tag-is-optional'] });
    expect(signals.length).toBeGreaterThan(0);
    expect(signals.every(({ aborted }) => aborted)).toBe(true);
  });

  test('is not waited for when the check is stopped', async () => {
    const stop = new AbortController();
    const report = await check(
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
    const report = await check((request) => {
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

describe('options', () => {
  test('"fetch" must be a function', async () => {
    await expect(check('http://localhost' as never)).rejects.toThrow(/"fetch" must be a function/);
  });

  test('a dry run lists only what would be sent', () => {
    const all = dryRun({ baseUrl: 'http://localhost' }).map(({ probe }) => probe);
    const sent = dryRun({ baseUrl: 'http://localhost', fetch: () => new Response() }).map(
      ({ probe }) => probe,
    );
    expect(all.filter((probe) => !sent.includes(probe)).sort()).toEqual([
      ...['chunked-body', 'no-token-on-used-connection', 'tokens/none-in-chunks'],
      ...[
        'transport/body-byte-by-byte',
        'transport/body-in-two-segments',
        'transport/chunk-extension-and-trailer',
      ],
      ...['transport/chunks-in-segments', 'transport/chunks-of-one-byte'],
      ...['transport/connection-after-rejections', 'transport/cut-inside-a-character'],
      ...['transport/expect-continue', 'transport/head-in-segments', 'two-authorizations'],
    ]);
  });
});
