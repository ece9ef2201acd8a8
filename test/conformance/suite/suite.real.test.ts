import { once } from 'node:events';
import { createServer } from 'node:http';
import {
  type CheckReport,
  conformanceSuite,
  rules,
  type SuiteOptions,
} from 'plant-store-contract/conformance';
import { createPlantStore, type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test, vi } from 'vitest';
import { Recorder } from './recorder.js';

const token = 'a-token-of-these-tests';
const store = (...faults: readonly FaultName[]) => createPlantStore({ token, faults });

describe('the tests of a suite', () => {
  test('are named by the ids of the rules, and have a timeout that is long enough for a check', () => {
    const suite = Recorder.of({ target: store() });
    expect(suite.names()).toEqual(rules.map(({ id }) => id));
    // 30 s to start, 150 s for the check, 5 s to stop, and 5 s to spare.
    expect(new Set(suite.tests.map(({ timeoutMs }) => timeoutMs))).toEqual(new Set([190_000]));
    // Jest would wait for a call of the parameter.
    expect(suite.tests.every(({ run }) => run.length === 0)).toBe(true);
  });

  test('share one check, which starts with the first test', async () => {
    const reports: CheckReport[] = [];
    const started = vi.fn(() => store());
    const suite = Recorder.of({
      target: { start: started },
      onReport: (report) => void reports.push(report),
    });
    expect(started).not.toHaveBeenCalled();
    await Promise.all([suite.run('success/status-is-200'), suite.run('auth/missing-token-is-refused')]);
    const ended = await suite.runAll();
    expect([...ended.values()].filter(({ error }) => error !== undefined)).toEqual([]);
    expect(started).toHaveBeenCalledTimes(1);
    expect(reports).toHaveLength(1);
    expect(reports[0]?.conclusion).toBe('conforms');
    expect(reports[0]?.prism).toBeUndefined();
  });
});

describe('a test', () => {
  const only = ['success'];

  test('fails with the request, the expected and the actual response, and how to fix it', async () => {
    const { error } = await Recorder.of({ target: store('leaks-id'), only }).run('success/plant-fields-only');
    expect(error).toMatchObject({ name: 'ToolkitError', code: 'does-not-conform' });
    expect(error?.message.split('\n')).toEqual([
      expect.stringMatching(/^The response has "id", .* \(breaks clients\)$/),
      expect.stringMatching(/^(?:Usual cause|Cause): /),
      expect.stringMatching(/^Fix: /),
      expect.stringMatching(/^Rule: A 200 has only the fields of Plant: .* \(documented; /),
      'sent       a plain plant without a tag',
      'expected   only the fields "name" and "tag"',
      expect.stringMatching(/^got {8}a 200 with "id" \(\d+\)$/),
      expect.stringMatching(/^reproduce {2}curl -i .*"Authorization: Bearer \$PLANT_STORE_TOKEN"/),
      ...[expect.anything(), expect.anything(), expect.anything(), expect.anything()],
      expect.stringMatching(/^also fails for /),
      '',
      expect.stringContaining('The provider was called as a function'),
    ]);
  });

  test('fails if its rule could not be judged, and says why', async () => {
    const { error } = await Recorder.of({ target: store('answers-204'), only }).run('success/body-is-json');
    expect(error).toMatchObject({ code: 'provider-not-testable' });
    expect(error?.message.split('\n\n').at(-1)).toBe('It could not be judged: no creation returned 200');
  });

  test('that does not apply is skipped with the reason, and what is observed passes', async () => {
    const [free, observed] = ['failure/other-4xx-is-json', 'unspecified/repeated-id'] as const;
    const suite = Recorder.of({ target: store(), only: [free, observed] }, ['skip']);
    expect((await suite.run(free)).calls).toEqual([['skip', 'every failure has the status 400']]);
    expect(await suite.run(observed)).toEqual({ calls: [] });
  });
});

describe('an expected failure', () => {
  const rule = 'success/plant-fields-only';
  const expectedFailures = [{ rule, reason: 'old clients read the id', until: '2999-12-31' }];
  const known = 'expected to fail until 2999-12-31: old clients read the id';

  test('is skipped with the reason', async () => {
    const suite = Recorder.of({ target: store('leaks-id'), expectedFailures, only: [rule] }, ['skip']);
    expect(await suite.run(rule)).toEqual({ calls: [['skip', known]] });
  });

  test('fails the test when the rule passes', async () => {
    const { error } = await Recorder.of({ target: store(), expectedFailures, only: [rule] }).run(rule);
    expect(error?.message).toMatch(
      /expected failure now passes; remove it from the list \(it was expected to fail .*\)$/,
    );
  });
});

describe('a target', () => {
  test('can be a function from a Request to a Response', async () => {
    const { fetch } = store();
    const urls: string[] = [];
    const target = {
      fetch(request: Request): Promise<Response> {
        urls.push(request.url);
        return fetch(new Request(request.url.replace('/api', ''), request));
      },
    };
    const suite = Recorder.of({ target, token, baseUrl: 'http://plants.example/api', only: ['success'] });
    expect((await suite.run('success/status-is-200')).error).toBeUndefined();
    expect(urls[0]).toBe('http://plants.example/api/plants');
  });

  test.each<[string, (running: { url: string }) => Partial<SuiteOptions>]>([
    ['{ url } with a URL object', ({ url }) => ({ target: { url: new URL(url) }, token: () => token })],
    ['{ url }', ({ url }) => ({ target: { url, token } })],
    [
      '{ start } that returns { url } later',
      ({ url }) => ({ target: { start: async () => ({ url, token }) } }),
    ],
    ['{ start } that returns { fetch }', () => ({ target: { start: async () => store() } })],
  ])('can be %s', async (_what, options) => {
    await using running = await startPlantStore({ token });
    const suite = Recorder.of({ ...(options(running) as SuiteOptions), only: ['auth'] });
    expect((await suite.run('auth/missing-token-is-refused')).error).toBeUndefined();
  });

  test('that runs already is not stopped', async () => {
    const close = vi.fn();
    const suite = Recorder.of({ target: { ...store(), close }, only: ['auth'] });
    expect((await suite.run('auth/missing-token-is-refused')).error).toBeUndefined();
    expect(close).not.toHaveBeenCalled();
  });

  test('that was started is stopped once, before the first test ends', async () => {
    const close = vi.fn(async () => {});
    const suite = Recorder.of({ target: { start: () => ({ ...store(), close }) }, only: ['auth'] });
    await suite.run('auth/missing-token-is-refused');
    expect(close).toHaveBeenCalledTimes(1);
    await suite.runAll();
    expect(close).toHaveBeenCalledTimes(1);
  });

  test('that cannot be tested fails every test with the reason, once', async () => {
    const suite = Recorder.of({
      target: { url: 'http://127.0.0.1:9' },
      token,
      only: ['auth', 'unspecified'],
    });
    const messages = [...(await suite.runAll()).values()].map(({ error }) => error?.message);
    expect(new Set(messages)).toEqual(
      new Set([
        expect.stringMatching(
          /^The provider could not be tested: .* nothing listens on 127\.0\.0\.1:9 \(ECONNREFUSED\)\. .*$/,
        ),
      ]),
    );
  });

  test('that cannot be started fails every test with what it threw', async () => {
    const cause = new Error('no database');
    const suite = Recorder.of({ target: { start: () => Promise.reject(cause) }, token, only: ['auth'] });
    const errors = [...(await suite.runAll()).values()].map(({ error }) => error);
    expect(errors.every((error) => error?.cause === cause)).toBe(true);
    expect(errors[0]?.message).toBe('the provider could not be started: no database');
  });

  test('fails every test if some requests were not sent', async () => {
    const stop = new AbortController();
    let sent = 0;
    const target = {
      fetch(request: Request): Promise<Response> {
        // By then there is a verdict on the rule, but not every request was sent.
        if (++sent > 2) stop.abort();
        return store().fetch(request);
      },
    };
    const suite = Recorder.of({ target, token, signal: stop.signal, only: ['success/media-type-is-json'] });
    expect((await suite.run('success/media-type-is-json')).error?.message).toMatch(
      /^No rule failed\. As asked, the check left out \d+ other rules\. \d+ of \d+ requests were sent: the check was stopped\.$/,
    );
  });
});

describe('wrong options are rejected before a test is made', () => {
  test.each<[string, Partial<Record<keyof SuiteOptions, unknown>>, RegExp]>([
    ['no runner', { test: undefined }, /"test" must be the function/],
    [
      'no target',
      { target: undefined },
      /the target must be \{ url \}, \{ fetch \}, or \{ start \}\. Of a server,/,
    ],
    ['a target of another kind', { target: { port: 3000 } }, /the target must be \{ url \}/],
    ['a handler without its name', { target: (request: Request) => request }, /the target must be \{ url \}/],
    ['an invalid URL', { target: { url: 'localhost', token } }, /the base URL must be an absolute URL/],
    ['no token', { target: { url: 'http://localhost' }, token: undefined }, /a token is missing/],
    ['an unknown rule', { only: ['sucess'] }, /"sucess" is not a rule/],
    [
      'an expectation of no rule',
      { expectedFailures: [{ rule: 'a', reason: 'b' }] },
      /names an unknown rule/,
    ],
    ['an invalid timeout', { timeoutMs: 0 }, /the timeout must be/],
    ['the same with { start }', { target: { start: () => '' }, timeoutMs: 0 }, /the timeout must be/],
  ])('%s', (_what, options, message) => {
    const recorder = new Recorder();
    const made = { test: recorder.test, target: store(), ...options } as unknown as SuiteOptions;
    expect(() => conformanceSuite(made)).toThrow(message);
    expect(recorder.tests).toEqual([]);
  });

  test('a server that { start } returns is closed, and the reason is there at once', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    const closed = once(server, 'close');
    const suite = Recorder.of({ target: { start: () => server as never }, token });
    expect((await suite.run('success/status-is-200')).error?.message).toMatchInlineSnapshot(
      `"the target must be { url }, { fetch }, or { start }. Of a server, pass where it listens: { url: 'http://127.0.0.1:3000' }, or { start: … } that returns { url, close }"`,
    );
    await closed;
  });

  test('the result of { start } is checked after it has started', async () => {
    const suite = Recorder.of({ target: { start: () => 7 as never }, token, only: ['auth'] });
    expect((await suite.run('auth/missing-token-is-refused')).error?.message).toMatchInlineSnapshot(
      `"the target must be { url }, { fetch }, or { start }. Of a server, pass where it listens: { url: 'http://127.0.0.1:3000' }, or { start: … } that returns { url, close }"`,
    );
    const withoutToken = Recorder.of({
      target: { start: () => ({ url: 'http://localhost:9' }) },
      only: ['auth'],
    });
    expect((await withoutToken.run('auth/missing-token-is-refused')).error?.message).toMatch(
      /a token is missing/,
    );
  });
});
