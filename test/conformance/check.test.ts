import { checkConformance, type Report, rules } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startExpress } from './providers/express.js';
import { startHandler } from './providers/handler.js';
import { startPrismMock } from './providers/prism-mock.js';

const token = 'a-token-that-no-report-may-hold';

function broken(report: Report): string[] {
  return report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

describe('the reference server', () => {
  test('conforms, and every rule is judged', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token });
    expect(report.conclusion).toBe('conforms');
    expect(report.counts).toMatchObject({ pass: rules.length, fail: 0, blocked: 0, error: 0 });
  });

  test('holds exactly the plants that the report lists as created', async () => {
    await using store = await startPlantStore({ token });
    const report = await checkConformance({ baseUrl: store.url, token });
    const stored = store.plants().map(({ id }) => String(id));
    expect([...report.createdIds].sort()).toEqual(stored.sort());
  });

  test.each([
    ['leaks-id', ['success/plant-fields-only']],
    ['accepts-missing-token', ['auth/missing-token-is-refused']],
    ['answers-html-errors', ['failure/media-type-is-json', 'failure/body-is-an-error']],
  ] as const)('with the fault %s breaks %j', async (fault, expected) => {
    await using store = await startPlantStore({ token, faults: [fault] });
    const report = await checkConformance({ baseUrl: store.url, token });
    expect(report.conclusion).toBe('breaks-rules');
    expect(broken(report)).toEqual(expected);
  });

  test('conforms with every other choice where the interface is silent', async () => {
    await using store = await startPlantStore({
      token,
      authenticationFailureStatus: 403,
      repeatedId: 'replace',
      unknownFields: 'refuse',
      delayMs: 5,
      cors: true,
    });
    expect((await checkConformance({ baseUrl: store.url, token })).conclusion).toBe('conforms');
  });
});

describe("Prism's mock server", () => {
  test('breaks what a mock without state and with problem+json breaks', async () => {
    await using prism = await startPrismMock();
    const report = await checkConformance({ baseUrl: prism.url, token });
    expect(report.conclusion).toBe('breaks-rules');
    expect(broken(report)).toEqual([
      // It answers every creation with the example of the schema, which has the name "string" and a tag.
      'success/name-comes-back',
      'success/tag-comes-back',
      'success/absent-tag-stays-absent',
      // It checks that there is a token, not which.
      'auth/wrong-token-is-refused',
      // A missing token is answered by 401 application/problem+json with neither "error" nor "message".
      'failure/media-type-is-json',
      'failure/body-is-an-error',
      // Malformed JSON is answered by {"error":{"code":…,"message":…}}.
      'failure/error-is-an-int32',
    ]);
  });
});

describe('Express with express.json()', () => {
  test('breaks only what its default error page breaks', async () => {
    await using provider = await startExpress(token);
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(broken(report)).toEqual(['failure/media-type-is-json', 'failure/body-is-an-error']);
    const [failure] = report.rules.find(({ id }) => id === 'failure/body-is-an-error')?.failures ?? [];
    expect(failure?.actual).toContain('the body is not JSON');
    expect(report.exchanges[failure?.exchange ?? -1]?.response?.body.text).toContain('<!DOCTYPE html>');
  });
});

describe('a provider that cannot be tested', () => {
  test.each([
    [401, {}, 'every plain, valid plant is answered with 401'],
    [302, { location: '/login' }, 'every plain, valid plant is answered with 302'],
  ])('because it answers everything with %i', async (status, headers, reason) => {
    await using provider = await startHandler((_request, response) => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end('{"error":1,"message":"no"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain(reason);
    expect(report.counts.blocked).toBe(rules.length);
    expect(report.exchanges.every(({ probe }) => probe.startsWith('plain-plant'))).toBe(true);
  });

  test('because nothing listens there', async () => {
    const provider = await startHandler(() => {});
    await provider[Symbol.asyncDispose]();
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain('cannot be reached');
  });

  test('because it never answers', async () => {
    await using provider = await startHandler(() => {});
    const report = await checkConformance({ baseUrl: provider.url, token, timeoutMs: 50 });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain('no answer within 50 ms');
  });

  test('because it speaks TLS', async () => {
    await using provider = await startHandler(() => {});
    const report = await checkConformance({ baseUrl: provider.url.replace('http:', 'https:'), token });
    expect(report.summary).toMatch(/TLS fails/);
  });
});

describe('a provider that is wrong as a whole', () => {
  test('accepting everything passes no refusal', async () => {
    await using provider = await startHandler((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe"}');
      });
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    const refusals = report.rules.filter(({ id }) => /^(auth|request|failure)\//.test(id));
    const verdicts = new Set(refusals.map(({ verdict }) => verdict));
    expect(verdicts).toEqual(new Set(['fail', 'blocked']));
  });

  test('answering everything with 500 is judged, and passes no refusal', async () => {
    await using provider = await startHandler((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":1,"message":"oops"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('breaks-rules');
    expect(broken(report)).toEqual(['success/status-is-200']);
    expect(
      report.rules
        .filter(({ id }) => id.startsWith('request/'))
        .every(({ verdict }) => verdict === 'blocked'),
    ).toBe(true);
  });

  test('answering a creation with 201 fails for the status, and its body is not judged', async () => {
    await using store = await startPlantStore({ token, faults: ['answers-201'] });
    const report = await checkConformance({ baseUrl: store.url, token });
    const body = report.rules.find(({ id }) => id === 'success/body-is-a-plant');
    expect(broken(report)).toEqual(['success/status-is-200']);
    expect(body).toMatchObject({ verdict: 'blocked', reason: 'no creation was answered with 200 and JSON' });
  });
});

describe('what the report says besides', () => {
  test('that the right token is locked out after wrong ones, and blames nothing on it', async () => {
    await using store = await startPlantStore({ token });
    let locked = false;
    await using provider = await startHandler(async (request, response) => {
      const body = Buffer.concat(await request.toArray());
      const answer = await fetch(`${store.url}/plants`, {
        method: 'POST',
        headers: request.headers as Record<string, string>,
        body,
      });
      const wrong =
        request.headers.authorization !== undefined && request.headers.authorization !== `Bearer ${token}`;
      const status = locked ? 429 : answer.status;
      locked ||= wrong;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 429 ? '{"error":429,"message":"slow down"}' : await answer.text());
    });
    const report = await checkConformance({ baseUrl: provider.url, token, concurrency: 1 });
    expect(report.conclusion).toBe('conforms');
    expect(report.notes).toEqual([expect.stringContaining('refused with 429')]);
  });

  test('never the token, even where the provider sends it back', async () => {
    await using provider = await startHandler((request, response) => {
      response
        .writeHead(500, { 'x-echo': request.headers.authorization ?? '' })
        .end(`bad ${request.headers.authorization}`);
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(JSON.stringify(report)).not.toContain(token);
    expect(JSON.stringify(report)).toContain('$PLANT_STORE_TOKEN');
  });
});
