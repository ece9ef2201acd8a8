import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../evidence.js';
import { startHandler } from '../providers/handler.js';
import { refuse, startInFront } from '../providers/in-front.js';
import { certificate, startTls } from '../providers/tls.js';

const token = 'token-of-these-tests';

/** Prism is not asked: its opinion changes no verdict. */
function check(url: string, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  return checkConformance({ baseUrl: url, token, prism: false, ...options });
}

function verdicts({ rules }: CheckReport): Record<string, string> {
  return Object.fromEntries(rules.map(({ id, verdict }) => [id, verdict]));
}

// Most of the time these tests wait.
describe('a provider that throttles', { concurrent: true }, () => {
  test.each<[string, number, () => Record<string, string>]>([
    ['429 and seconds', 429, () => ({ 'retry-after': '1' })],
    ['503 and seconds', 503, () => ({ 'retry-after': '1' })],
    [
      '429 and a date, told by a clock of its own',
      429,
      () => ({ date: 'Sun, 06 Nov 1994 08:49:37 GMT', 'retry-after': 'Sun, 06 Nov 1994 08:49:38 GMT' }),
    ],
  ])('by %s is waited for, and asked again with another id', async (_how, status, headers) => {
    let asked = 0;
    await using provider = await startInFront({ token }, ({ response, pass }) =>
      asked++ % 150 === 0 ? refuse(response, status, headers()) : pass(),
    );
    const report = await check(provider.url);
    expect(report.conclusion).toBe('conforms');
    const again = report.exchanges.filter(({ role }) => role === 'superseded');
    expect(again.length).toBeGreaterThan(1);
    const bodies = report.exchanges
      .map(({ request }) => request.body.text)
      .filter((text) => text.includes('"id"'));
    expect(bodies.length).toBeGreaterThan(100);
  });

  test('for an hour is not waited for, and the rule is blocked', async () => {
    await using provider = await startInFront({ token }, ({ body, response, pass }) =>
      body.includes('"name":true') ? refuse(response, 429, { 'retry-after': '3600' }) : pass(),
    );
    const report = await check(provider.url);
    expect(report.conclusion).toBe('incomplete');
    expect(report.rules.find(({ id }) => id === 'request/name-is-a-string')).toMatchObject({
      verdict: 'blocked',
      reason: 'a plant whose name is true was not processed: the response is 429',
    });
  });

  test('is not judged on the body of that response: limits are not shown', async () => {
    let asked = 0;
    await using provider = await startInFront({ token }, ({ response, pass }) => {
      if (asked++ !== 5) return pass();
      response.writeHead(429, { 'retry-after': '0', 'content-type': 'text/html' }).end('<h1>slow down</h1>');
    });
    const report = await check(provider.url);
    expect(verdicts(report)).toMatchObject({
      'failure/media-type-is-json': 'pass',
      'failure/body-is-an-error': 'pass',
    });
    expect(report.conclusion).toBe('conforms');
  });
});

describe('a provider that does not respond to invalid requests', { concurrent: true }, () => {
  test('fails, and the timeouts run concurrently', async () => {
    await using provider = await startInFront({ token }, ({ body, pass }) =>
      body.includes('"name":"') ? pass() : undefined,
    );
    const report = await check(provider.url, { timeoutMs: 200, only: ['request', 'failure'] });
    const failures = evidenceOf(report, 'failure/refusal-is-4xx');
    expect(failures.length).toBeGreaterThan(5);
    expect(failures[0]?.actual).toBe('no response within 200 ms');
  });
});

describe('an invalid request that times out beside others', { concurrent: true }, () => {
  test('is judged on the response that it gets alone', async () => {
    let asked = 0;
    await using provider = await startInFront({ token }, ({ body, pass }) => {
      if (!body.includes('"name":true') || asked++ > 0) pass();
    });
    const report = await check(provider.url, { timeoutMs: 2_000 });
    expect(report.conclusion).toBe('conforms');
    const waited = report.exchanges.find(({ failure }) => failure?.kind === 'timeout');
    const answered = report.exchanges.findLast(({ name }) => name === waited?.name);
    expect(waited).toMatchObject({ role: 'superseded', failure: { kind: 'timeout' } });
    expect(answered).toMatchObject({ role: 'judged', response: { status: 400 } });
  });
});

describe('a provider that closes idle connections', () => {
  test('between two requests breaks no rule', async () => {
    const used = new WeakSet<object>();
    await using provider = await startInFront({ token }, ({ request, pass }) => {
      const { socket } = request;
      if (used.has(socket)) return socket.destroy();
      used.add(socket);
      return pass();
    });
    const report = await check(provider.url);
    expect(report.conclusion).toBe('conforms');
    expect(report.rules.find(({ id }) => id === 'auth/connection-is-not-authenticated')).toMatchObject({
      verdict: 'not-applicable',
      reason: 'the interface allows the provider to close each connection, and it does',
    });
    const tried = report.exchanges.filter(({ name }) => name === 'no-token-on-used-connection');
    expect(tried.map(({ role }) => role)).toEqual(['superseded', 'superseded', 'judged', 'judged']);
    expect(tried[1]?.failure?.kind).toBe('reset');
  });
});

describe('TLS', () => {
  test('with an unknown certificate cannot be tested, and says why', async () => {
    await using provider = await startTls(token);
    const report = await check(provider.url);
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toMatch(/TLS fails: self-signed certificate\. .*--ca <file>.*--insecure\.$/);
  });

  test('reached without TLS cannot be tested, and says what to write', async () => {
    await using provider = await startTls(token);
    const report = await check(provider.url.replace('https:', 'http:'));
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain('write https:// instead of http://');
  });

  test.each([
    ['its CA', { ca: certificate }],
    ['insecure', { insecure: true }],
  ])('is checked with %s', async (_what, options) => {
    await using provider = await startTls(token);
    const report = await check(provider.url, options);
    expect(report.conclusion).toBe('conforms');
    expect(verdicts(report)['auth/connection-is-not-authenticated']).toBe('pass');
  });
});

describe('a response that is not HTTP', () => {
  test('is reported as such', async () => {
    await using provider = await startHandler((request) => {
      request.socket.end('HTTP/1.1 two hundred\r\n\r\n');
    });
    const report = await check(provider.url);
    expect(report.summary).toContain('the response is not well-formed HTTP');
  });
});

describe('an endless response', () => {
  test('is cut off, and reported as incomplete', async () => {
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
