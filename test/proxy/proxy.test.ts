import { gzipSync } from 'node:zlib';
import { type JudgedExchange, proxyJunit, proxyText, startProxy } from 'plant-store-contract/proxy';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startReader } from '../pact/verification/provider.js';
import { parseXml } from '../reporters/xml.js';

const token = 'a-token-of-these-tests';

async function proxied(faults: FaultName[] = [], options: Partial<Parameters<typeof startProxy>[0]> = {}) {
  const store = await startPlantStore({ token, faults });
  const proxy = await startProxy({ upstream: store.url, ...options });
  onTestFinished(async () => {
    await proxy.close();
    await store.close();
  });
  const send = (body: string, headers: Record<string, string> = {}, path = '/plants'): Promise<Response> =>
    fetch(proxy.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body,
    });
  return { store, proxy, send };
}

describe('traffic is judged', () => {
  test('that keeps to the interface conforms', async () => {
    const { proxy, send } = await proxied();
    for (const id of [1, 2, 3]) expect((await send(`{"name":"Aloe","id":${id}}`)).status).toBe(200);
    expect(await proxy.report()).toMatchObject({
      ...{ exchanges: 3, judged: 3, unanswered: 0, conclusion: 'conforms' },
      ...{ violations: { request: 0, response: 0 }, kinds: [], otherKinds: 0 },
    });
  });

  test('violations are summed up by kind, the first of each in words', async () => {
    const { proxy, send } = await proxied(['leaks-id']);
    for (const id of [1, 2]) await send(`{"name":"Aloe","id":${id}}`);
    await send('{"name":"Aloe"}');
    const { kinds, violations, conclusion } = await proxy.report();
    expect(conclusion).toBe('violations');
    expect(violations).toEqual({ request: 1, response: 2 });
    const [leak, missing] = kinds;
    expect(leak).toMatchObject({ side: 'response', pointer: '/id', count: 2, first: 0 });
    expect(leak?.message).toBe('a 200 carries the fields of Plant only; got "id" as well (1)');
    expect(missing).toMatchObject({
      side: 'request',
      pointer: '/id',
      keyword: 'required',
      count: 1,
      first: 2,
    });
  });

  test.each([
    ['response', 'conforms'],
    ['request', 'violations'],
    ['both', 'violations'],
  ] as const)('a wrong request that is refused: with failOn %s it %s', async (failOn, conclusion) => {
    const { proxy, send } = await proxied([], { failOn });
    expect((await send('{"name":"Aloe"}')).status).toBe(400);
    expect((await proxy.report()).conclusion).toBe(conclusion);
  });

  test('Prism says what it thinks, apart and without counting', async () => {
    const { proxy, send } = await proxied();
    // Prism clamps int64 to what a double holds.
    expect((await send('{"name":"Aloe","id":9223372036854775807}')).status).toBe(200);
    const { kinds, conclusion } = await proxy.report();
    expect(conclusion).toBe('conforms');
    expect(kinds).toMatchObject([{ judge: 'prism', side: 'request', pointer: '/id' }]);
    const other = await proxied([], { prism: false });
    await other.send('{"name":"Aloe","id":9223372036854775807}');
    expect((await other.proxy.report()).kinds).toEqual([]);
  });

  test('only POST …/plants is; where there is none of it, nothing can be said', async () => {
    const { proxy, send } = await proxied();
    await send('{}', {}, '/trees');
    await fetch(`${proxy.url}/plants`);
    expect(await proxy.report()).toMatchObject({ exchanges: 2, judged: 0, conclusion: 'nothing-judged' });
  });

  test('compressed bodies are read, and long ones are told and not judged', async () => {
    await using provider = await startReader((_request, response, body) => {
      const answer = body.length > 1000 ? Buffer.alloc(5000, 'x') : gzipSync('{"name":"Aloe","id":7}');
      const coding = body.length > 1000 ? {} : { 'content-encoding': 'gzip' };
      response.writeHead(200, { 'content-type': 'application/json', ...coding }).end(answer);
    });
    const judged: JudgedExchange[] = [];
    await using proxy = await startProxy({
      ...{ upstream: provider.url, judgedBytes: 1000, prism: false },
      onJudged: (one) => void judged.push(one),
    });
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    for (const body of ['{"name":"Aloe","id":7}', 'x'.repeat(2000)])
      await (await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body })).arrayBuffer();
    const { kinds } = await proxy.report();
    expect(kinds).toMatchObject([{ side: 'response', pointer: '/id', count: 1 }]);
    expect(judged[1]?.notes).toEqual([
      'the body of the request has 2000 bytes: it passed, and was not judged',
      'the body of the response has 5000 bytes: it passed, and was not judged',
    ]);
  });

  test('a token that comes back stands nowhere', async () => {
    await using provider = await startReader(({ headers }, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ name: 'Aloe', [`x${token}`]: headers.authorization }));
    });
    const judged: JudgedExchange[] = [];
    await using proxy = await startProxy({
      upstream: provider.url,
      onJudged: (one) => void judged.push(one),
    });
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body: '{"name":"Aloe","id":7}' });
    const report = await proxy.report();
    expect(report.conclusion).toBe('violations');
    expect(JSON.stringify([report, judged.map(({ violations }) => violations)])).not.toContain(token);
  });

  test('its memory does not grow with the names of unknown fields', async () => {
    await using provider = await startReader((_request, response, body) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
    await using proxy = await startProxy({ upstream: provider.url, prism: false });
    const headers = { authorization: 'Bearer secret', 'content-type': 'application/json' };
    for (let at = 0; at < 3; at++) {
      const fields = Array.from({ length: 100 }, (_, i) => `"f${at}-${i}":1`).join(',');
      await fetch(`${proxy.url}/plants`, { method: 'POST', headers, body: `{"name":"a","id":7,${fields}}` });
    }
    const { kinds, otherKinds, violations } = await proxy.report();
    expect(kinds).toHaveLength(200);
    expect(kinds.length + otherKinds).toBeLessThanOrEqual(violations.response);
    expect(violations.response).toBe(303);
  });
});

test('what is under way when it is closed is waited for, and what waits is judged', async () => {
  await using provider = await startReader((_request, response) => {
    setTimeout(
      () => response.writeHead(201, { 'content-type': 'application/json' }).end('{"name":"a"}'),
      200,
    );
  });
  const proxy = await startProxy({ upstream: provider.url, prism: false });
  const answered = fetch(`${proxy.url}/plants`, { method: 'POST', body: '{}' });
  await new Promise((resolve) => setTimeout(resolve, 100));
  const report = await proxy.close();
  expect((await answered).status).toBe(201);
  expect(report).toMatchObject({ conclusion: 'violations', violations: { response: 1 } });
});

describe('a proxy', () => {
  test.each([
    [{ upstream: 'nonsense' }, /must be an absolute URL/],
    [{ upstream: 'http://127.0.0.1:9', failOn: 'none' as 'both' }, /got "none"/],
    [{ upstream: 'http://127.0.0.1:9', port: 99_999 }, /a port must be 0 to 65535; got 99999/],
    [{ upstream: 'http://127.0.0.1:9', port: 1.5 }, /a port must be/],
    [{ upstream: 'http://127.0.0.1:9', timeoutMs: 0 }, /1 to 2147483647 ms; got 0/],
    [{ upstream: 'http://127.0.0.1:9', timeoutMs: 9_999_999_999 }, /1 to 2147483647 ms/],
    [{ upstream: 'https://127.0.0.1:9', ca: 'nonsense' }, /holds no certificate/],
    [
      {
        upstream: 'https://127.0.0.1:9',
        ca: '-----BEGIN CERTIFICATE-----\nYWJj\n-----END CERTIFICATE-----\n',
      },
      /cannot be read/,
    ],
  ])('%o is refused', async (options, message) => {
    await expect(startProxy(options)).rejects.toMatchObject({ code: 'invalid-option', message });
  });

  test('says that a port is in use', async () => {
    const { proxy } = await proxied();
    await expect(startProxy({ upstream: proxy.url, port: proxy.port, prism: false })).rejects.toMatchObject({
      code: 'port-in-use',
    });
  });

  test('closes connections to an upstream that is not there, and says so', async () => {
    const told: string[] = [];
    await using proxy = await startProxy({
      ...{ upstream: 'http://127.0.0.1:9', prism: false },
      onUnanswered: ({ request, why }) => void told.push(`${request?.target}: ${why}`),
    });
    await expect(fetch(proxy.url)).rejects.toThrow();
    await expect(fetch(`${proxy.url}/plants`, { method: 'POST', body: '{}' })).rejects.toThrow();
    // The request alone could be judged, and that says nothing of the provider.
    expect(await proxy.report()).toMatchObject({
      ...{ exchanges: 2, unanswered: 2, judged: 1, conclusion: 'nothing-judged' },
      judgedSides: { request: 1, response: 0 },
      failures: [{ why: 'no answer: connect ECONNREFUSED 127.0.0.1:9', count: 2 }],
    });
    expect(told).toEqual(
      ['/', '/plants'].map((path) => `${path}: no answer: connect ECONNREFUSED 127.0.0.1:9`),
    );
  });
});

describe('its report', () => {
  test('as text', async () => {
    const { proxy, send } = await proxied(['leaks-id']);
    await send('{"name":"Aloe","id":9007199254740993}');
    await send('{"id":1}');
    const text = proxyText(await proxy.report());
    expect(text.replace(/\d\.\d s/, '0.1 s')).toBe(
      [
        '1 × response /id: a 200 carries the fields of Plant only; got "id" as well (9007199254740992)',
        '1 × request /name: "name" is missing; a NewPlant requires it',
        '',
        'Prism objects to',
        '  1 × request /id: Request body property id must be <= 9007199254740991',
        "  1 × request: Request body must have required property 'name'",
        '',
        'does not conform: 2 exchanges passed, 2 judged in 0.1 s',
        '1 violation in responses, 1 violation in requests (not counted).',
        '',
      ].join('\n'),
    );
    expect(proxyText(await proxy.report(), { quiet: true })).not.toContain('Prism');
  });

  test('as JUnit', async () => {
    const { proxy, send } = await proxied(['leaks-id']);
    expect(parseXml(proxyJunit(await proxy.report())).attributes).toMatchObject({ tests: '2', errors: '2' });
    await send('{"name":"Aloe","id":7}');
    await send('{"id":1}');
    const root = parseXml(proxyJunit(await proxy.report()));
    expect(root.attributes).toMatchObject({ tests: '2', failures: '1', skipped: '1', errors: '0' });
  });
});
