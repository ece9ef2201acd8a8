import { type CheckReport, checkConformance, rules } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { startHandler } from './providers/handler.js';
import { refuse, startInFront } from './providers/in-front.js';

const token = 'a-token-that-no-report-may-hold';

function broken(report: CheckReport): string[] {
  return report.rules.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
}

describe('the reference server', () => {
  let report: CheckReport;
  let stored: readonly string[];
  beforeAll(async () => {
    await using store = await startPlantStore({ token });
    report = await checkConformance({ baseUrl: store.url, token });
    stored = store.plants().map(({ id }) => String(id));
  });

  test('conforms, and every rule is judged', () => {
    expect(report.conclusion).toBe('conforms');
    const demands = rules.filter(({ level }) => level !== 'unspecified').length;
    expect(report.counts).toEqual({
      ...{ pass: demands, observed: rules.length - demands },
      ...{ fail: 0, blocked: 0, 'not-applicable': 0, error: 0 },
    });
    expect(report.exchanges.length).toBeLessThanOrEqual(450);
  });

  test('has exactly the plants that the report lists as created', () => {
    // An id that was sent as 7.0 is listed as 7.0.
    const listed = report.createdIds.map((id) => id.replace(/\.0$/, ''));
    expect(listed.sort()).toEqual([...stored].sort());
  });

  test.each([
    ['leaks-id', ['success/plant-fields-only']],
    ['accepts-missing-token', ['auth/missing-token-is-refused']],
    ['answers-html-errors', ['failure/media-type-is-json', 'failure/body-is-an-error']],
  ] as const)('with the fault %s breaks %j', async (fault, expected) => {
    await using store = await startPlantStore({ token, faults: [fault] });
    const report = await checkConformance({ baseUrl: store.url, token, prism: false });
    expect(report.conclusion).toBe('does-not-conform');
    expect(broken(report)).toEqual(expected);
  });

  test('conforms with every other option where the interface is silent', async () => {
    await using store = await startPlantStore({
      token,
      authenticationFailureStatus: 403,
      duplicateId: 'replace',
      unknownFields: 'reject',
      delayMs: 5,
      cors: true,
    });
    const { conclusion } = await checkConformance({ baseUrl: store.url, token, prism: false });
    expect(conclusion).toBe('conforms');
  });
});

describe('a provider that cannot be tested', () => {
  test.each([
    [401, {}, 'every plain plant gets 401'],
    [302, { location: '/login' }, 'every plain plant gets 302'],
  ])('because it returns %i for everything', async (status, headers, reason) => {
    await using provider = await startHandler((_request, response) => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end('{"error":1,"message":"no"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain(reason);
    expect(report.counts.blocked).toBe(rules.length);
    expect(report.exchanges.every(({ name }) => name.startsWith('plain-plant'))).toBe(true);
    expect(report.exchanges.length).toBeLessThanOrEqual(4);
  });

  test('because nothing listens there', async () => {
    const provider = await startHandler(() => {});
    await provider[Symbol.asyncDispose]();
    const report = await checkConformance({ baseUrl: provider.url, token });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain('cannot be reached');
  });

  test('because it never responds', async () => {
    await using provider = await startHandler(() => {});
    const report = await checkConformance({ baseUrl: provider.url, token, timeoutMs: 50 });
    expect(report.conclusion).toBe('not-testable');
    expect(report.summary).toContain('no response within 50 ms');
  });

  test('because it speaks TLS', async () => {
    await using provider = await startHandler(() => {});
    const report = await checkConformance({ baseUrl: provider.url.replace('http:', 'https:'), token });
    expect(report.summary).toMatch(/the server does not use TLS; write http:\/\/ instead of https:\/\//);
  });
});

// Where Prism is not asked: its opinion changes no verdict.
describe('a provider that does one thing with every request', () => {
  test('that accepts everything passes no rule about a rejection', async () => {
    await using provider = await startHandler((request, response) => {
      request.resume().on('end', () => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Aloe"}');
      });
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    const refusals = report.rules.filter(({ id }) =>
      /-refused$|-required$|request\/.*-is-|failure\//.test(id),
    );
    const passed = refusals.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
    // That is what it does: it accepts, and its responses contain nothing of the requests.
    expect(passed).toEqual([
      'request/media-type-case-is-ignored',
      'request/spelling-of-json-is-ignored',
      'failure/text-stays-in-the-body',
    ]);
    expect(report.findings.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['response-is-an-example', 'nothing-is-authenticated', 'types-are-converted']),
    );
  });

  test('that returns 500 is judged, and passes no rule about a rejection', async () => {
    await using provider = await startHandler((_request, response) => {
      response.writeHead(500, { 'content-type': 'application/json' }).end('{"error":1,"message":"oops"}');
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false });
    expect(report.conclusion).toBe('does-not-conform');
    expect(broken(report)).toEqual(['success/status-is-200']);
    expect(
      report.rules
        .filter(({ id }) => id.startsWith('request/'))
        .every(({ verdict }) => verdict === 'blocked'),
    ).toBe(true);
  });

  test('that returns 201 for a creation fails for the status, and its body is judged', async () => {
    await using store = await startPlantStore({ token, faults: ['answers-201'] });
    const report = await checkConformance({ baseUrl: store.url, token, prism: false });
    const verdicts = Object.fromEntries(report.rules.map(({ id, verdict }) => [id, verdict]));
    expect(broken(report)).toEqual(['success/status-is-200']);
    expect(verdicts).toMatchObject({
      'success/body-is-a-plant': 'pass',
      'success/texts-come-back': 'pass',
      'state/bad-request-spoils-nothing': 'blocked',
    });
    expect(report.rules.filter(({ verdict }) => verdict === 'not-applicable')).toEqual([]);
  });

  test('that returns 201 with the id fails for both', async () => {
    await using store = await startPlantStore({ token, faults: ['answers-201', 'leaks-id'] });
    const report = await checkConformance({ baseUrl: store.url, token, prism: false });
    expect(broken(report)).toEqual(['success/status-is-200', 'success/plant-fields-only']);
  });
});

describe('the report', () => {
  test.each([429, 403])(
    'that %i locks the right token out after wrong ones, and blames nothing on it',
    async (status) => {
      let locked = false;
      await using provider = await startInFront({ token }, async ({ request, response, pass }) => {
        if (locked) return refuse(response, status);
        locked = request.headers.authorization?.startsWith('Bearer wrong') === true;
        await pass();
      });
      const report = await checkConformance({ baseUrl: provider.url, token, prism: false, concurrency: 1 });
      expect(report.conclusion).toBe('conforms');
      expect(report.notes).toEqual([expect.stringContaining(`rejected with ${status}`)]);
      // What was not looked at any more is not said to be refused.
      const verdicts = Object.fromEntries(report.rules.map(({ id, verdict }) => [id, verdict]));
      expect(verdicts).toMatchObject({
        'auth/wrong-token-is-refused': 'pass',
        'auth/near-miss-token-is-refused': 'not-applicable',
        'auth/bare-token-is-refused': 'not-applicable',
      });
    },
  );

  test('does not call it a lockout if the provider limits its rate from the start', async () => {
    let requests = 0;
    let isLate = false;
    await using provider = await startInFront({ token }, ({ request, response, pass }) => {
      if (++requests === 1) return refuse(response, 429, { 'retry-after': '0' });
      if (isLate) return refuse(response, 429, { 'retry-after': '3600' });
      isLate = request.headers.authorization?.startsWith('Bearer wrong') === true;
      return pass();
    });
    const report = await checkConformance({ baseUrl: provider.url, token, concurrency: 1, only: ['auth'] });
    expect(report.notes).toEqual([]);
  });

  test('does not call it a lockout if the right token gets a 500 after wrong ones', async () => {
    let locked = false;
    await using provider = await startInFront({ token }, async ({ request, response, pass }) => {
      if (locked) return refuse(response, 500);
      locked = request.headers.authorization?.startsWith('Bearer wrong') === true;
      await pass();
    });
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false, concurrency: 1 });
    expect(report.notes).toEqual([]);
    expect(report.conclusion).toBe('does-not-conform');
  });

  test('does not contain the token, even if the provider sends it back', async () => {
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

describe('100 checks of long-lived servers', () => {
  // There are so few of these ids that one of a check before may have been the same.
  const mayExist = ({ name }: CheckReport['exchanges'][number]): boolean =>
    name === 'ids/of-one-digit' || name === 'ids/of-few-digits';

  /** What differs from run to run: times and ids, and the names that go with them. */
  function settled(report: CheckReport): unknown {
    const { exchanges, createdIds, startedAt, durationMs, prism, groups, sections, remarks, ...rest } =
      report;
    const small = exchanges.filter(mayExist);
    const sent = exchanges
      .filter((one) => !mayExist(one))
      .map(({ name, role, response }) => `${name} ${role} ${response?.status}`)
      .sort();
    const created = createdIds.length - small.filter(({ response }) => response?.status === 200).length;
    return { ...rest, created, sent, small: small.length, prism: prism?.differences.length };
  }

  test.each([
    ['20 whole checks', 20, false],
    ['80 quick checks', 80, true],
  ])('%s give equal reports', async (_which, many, quick) => {
    await using store = await startPlantStore({ token });
    const check = () => checkConformance({ baseUrl: store.url, token, quick });
    // The exact ends of int64 are free for the first run only.
    const first = await check();
    const second = settled(await check());
    expect(first.conclusion).toBe('conforms');
    for (let run = 2; run < many; run++) expect(settled(await check())).toEqual(second);
  });
});
