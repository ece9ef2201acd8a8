import { setTimeout as sleep } from 'node:timers/promises';
import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../checks.js';
import { startHandler } from '../providers/handler.js';
import { refuse, startInFront } from '../providers/in-front.js';
import { certificate, startTls } from '../providers/tls.js';

const token = 'token-of-these-tests';
const CONNECTION = 'auth/connection-is-not-authenticated';

/** Prism is not asked: its opinion changes no verdict. */
function check(url: string, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  return checkConformance({ baseUrl: url, token, prism: false, ...options });
}

// Most of the time these tests wait.
describe('a check', { concurrent: true }, () => {
  test('does not wait for an hour if the content of a request is the reason', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      body.includes('"name":true') ? refuse(response, 429, { 'retry-after': '3600' }) : pass(),
    );
    const report = await check(provider.url);
    expect(report.conclusion).toBe('conforms');
    expect(report.rules.find(({ id }) => id === 'request/name-is-a-string')?.verdict).toBe('pass');
  });

  test('judges an invalid request that times out beside others on the response that it gets alone', async () => {
    let asked = 0;
    await using provider = await startInFront({ token }, ({ body, pass }) => {
      if (!body.includes('"name":true') || asked++ > 0) pass();
    });
    // On a busy machine, other responses take seconds.
    const report = await check(provider.url, { timeoutMs: 10_000 });
    expect(report.conclusion).toBe('conforms');
    const waited = report.exchanges.find(({ failure }) => failure?.kind === 'timeout');
    const answered = report.exchanges.findLast(({ name }) => name === waited?.name);
    expect(waited).toMatchObject({ role: 'superseded', failure: { kind: 'timeout' } });
    expect(answered).toMatchObject({ role: 'judged', response: { status: 400 } });
  });

  test('breaks no rule if connections are closed between two requests', async () => {
    const used = new WeakSet<object>();
    await using provider = await startInFront({ token }, ({ request, pass }) => {
      const { socket } = request;
      if (used.has(socket)) return socket.destroy();
      used.add(socket);
      return pass();
    });
    const report = await check(provider.url);
    expect(report.conclusion).toBe('conforms');
    expect(report.rules.find(({ id }) => id === CONNECTION)).toMatchObject({
      verdict: 'not-applicable',
      detail: 'the interface allows the provider to close each connection, and it does',
    });
    const tried = report.exchanges.filter(({ name }) => name === 'no-token-on-used-connection');
    expect(tried.map(({ role }) => role)).toEqual(['superseded', 'superseded', 'judged', 'judged']);
    expect(tried[1]?.failure?.kind).toBe('reset');
  });

  test('without TLS cannot test a provider with TLS, and says what to write', async () => {
    await using provider = await startTls(token);
    const report = await check(provider.url.replace('https:', 'http:'));
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain('write https:// instead of http://');
  });

  test.for<[string, Partial<CheckOptions>]>([
    ['the CA', { ca: certificate }],
    ['any certificate', { insecure: true }],
  ])('judges a provider with TLS, trusting %s', async ([, options]) => {
    await using provider = await startTls(token);
    const report = await check(provider.url, options);
    expect(report.conclusion).toBe('conforms');
    expect(report.rules.find(({ id }) => id === CONNECTION)?.verdict).toBe('pass');
  });

  test('says that a response is not HTTP', async () => {
    await using provider = await startHandler((request) => {
      request.socket.end('HTTP/1.1 two hundred\r\n\r\n');
    });
    expect((await check(provider.url)).summary).toContain('the response is not well-formed HTTP');
  });

  test('reads no endless response', async () => {
    const chunk = Buffer.alloc(2 ** 20, ' ');
    let asked = 0;
    await using provider = await startInFront({ token }, ({ response, pass }) => {
      if (asked++ > 0) return pass();
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', more);
      more();
    });
    const report = await check(provider.url, { only: ['success/body-comes-whole'] });
    const [failure] = evidenceOf(report, 'success/body-comes-whole');
    expect(failure?.actual).toMatch(/^a body of more than 131072 bytes; the checker stopped reading it$/);
  });
});

test('a provider that is far at first, and then near, gets the same requests as another, each once', async () => {
  const judgedIfFar = async (farRequests: number): Promise<string[]> => {
    let count = 0;
    await using provider = await startInFront({ token }, async ({ pass }) => {
      if (count++ < farRequests) await sleep(150);
      return pass();
    });
    const { conclusion, exchanges } = await check(provider.url);
    expect(conclusion).toBe('conforms');
    return exchanges.flatMap(({ name, role }) => (role === 'judged' ? name : [])).sort();
  };
  expect(await judgedIfFar(30)).toEqual(await judgedIfFar(0));
});

test('a provider that processes one request after the other never gets so many that they would time out', async () => {
  let [underWay, most, last] = [0, 0, Promise.resolve()];
  await using provider = await startInFront({ token }, async ({ pass }) => {
    most = Math.max(most, ++underWay);
    last = last.then(() => sleep(120)).then(pass);
    await last.finally(() => underWay--);
  });
  const { rules } = await check(provider.url, { timeLimitMs: 15_000 });
  expect(rules.filter(({ verdict }) => verdict === 'fail')).toEqual([]);
  expect(most).toBeLessThanOrEqual(16);
});
