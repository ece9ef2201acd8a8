import { setImmediate as turn } from 'node:timers/promises';
import {
  assertConformance,
  checkConformance,
  type FetchHandler,
  type Fields,
} from 'plant-store-contract/conformance';
import { createPlantStore, type FaultName } from 'plant-store-contract/server';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkFetch, checkStore, token } from './checks.js';

afterEach(() => vi.unstubAllGlobals());

describe('the options of a check', () => {
  test.each([
    [{ baseUrl: 'localhost:3000' }, 'the base URL must be an absolute URL'],
    [{ baseUrl: 'plants' }, 'must be an absolute URL'],
    [{ baseUrl: 'http://localhost?x=1' }, 'without a user, a query or a fragment'],
    [{ baseUrl: 'http://user:secret@localhost' }, 'without a user, a query or a fragment'],
    [{ token: '' }, 'the token must be'],
    [{ token: 'two words' }, 'the token must be'],
    [{ timeoutMs: 0 }, 'the timeout'],
    [{ timeLimitMs: 4_999 }, 'the time limit must be a whole number from 5000 to 3600000 ms'],
    [{ concurrency: 1.5 }, 'the concurrency'],
    [{ only: ['auht'] }, '"auht" is not a rule, a topic'],
    [{ only: ['auth'], skip: ['implied', 'documented'] }, 'the options select no rule'],
    [{ headers: [['Authorization', 'x']] as Fields }, 'the header "Authorization" cannot be set'],
    [{ headers: [['X-A', 'a\nb']] as Fields }, 'cannot be sent as it is'],
    [{ ca: 'certificate' }, 'the CA must be certificates in PEM'],
    [{ fetch: 'http://localhost' as never }, '"fetch" must be a function'],
    [
      { expectedFailures: [{ rule: 'success/x', reason: 'y' }] },
      'the expected failures: /0/rule names an unknown rule',
    ],
    [{ explore: 500 as never }, '"explore" must be an object'],
    [{ explore: null as never }, '"explore" must be an object'],
    [{ explore: { runs: 0 } }, 'the number of runs must be a whole number from 1'],
    [{ explore: { timeMs: 0.5 } }, 'the time must be a whole number from 1'],
    [{ explore: { seed: -1 } }, 'the seed must be a whole number from 0'],
    [
      { token: () => Promise.reject(new Error('the identity provider is down')) },
      'the token function failed: the identity provider is down',
    ],
  ])('%j is rejected with a message that names it', async (wrong, sentence) => {
    const check = checkConformance({ baseUrl: 'http://127.0.0.1:1', token, ...wrong });
    await expect(check).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining(sentence),
    });
    await expect(check).rejects.not.toMatchObject({ message: expect.stringContaining('secret') });
  });

  test('/plants is appended to the path of the base URL', async () => {
    const urls = new Set<string>();
    const missing: FetchHandler = ({ url }) => {
      urls.add(url);
      return new Response(null, { status: 404 });
    };
    for (const base of ['', '/', '/api/v1', '/api/v1/'])
      await checkFetch(missing, { baseUrl: `http://localhost${base}` });
    expect([...urls]).toEqual(['http://localhost/plants', 'http://localhost/api/v1/plants']);
  });

  test.each([1, 3])('no more than %i requests are under way at once', async (concurrency) => {
    const { fetch } = createPlantStore({ token });
    let [now, most] = [0, 0];
    const counting: FetchHandler = async (request) => {
      most = Math.max(most, ++now);
      await turn();
      const response = await fetch(request);
      now--;
      return response;
    };
    const report = await checkFetch(counting, { concurrency });
    expect(report).toConform();
    expect(most).toBe(concurrency);
  });

  test('a token can come from a function, which is called once', async () => {
    const give = vi.fn(async () => token);
    const { conclusion } = await checkStore([], { token: give, only: ['auth'] });
    expect(conclusion).toBe('conforms');
    expect(give).toHaveBeenCalledTimes(1);
  });

  test('further headers are sent with every request', async () => {
    const { fetch } = createPlantStore({ token });
    const seen = new Set<unknown>();
    const keep: FetchHandler = (request) => {
      seen.add(request.headers.get('x-tenant'));
      return fetch(request);
    };
    await checkFetch(keep, { headers: [['X-Tenant', 'a']] });
    expect([...seen]).toEqual(['a']);
  });
});

describe('assertConformance', () => {
  const assert = (faults: readonly FaultName[], given = token) =>
    assertConformance({
      baseUrl: 'http://localhost',
      token: given,
      prism: false,
      only: ['success'],
      fetch: createPlantStore({ token, faults }).fetch,
    });

  test('throws with the broken rules', async () => {
    await expect(assert(['leaks-id'])).rejects.toMatchObject({
      code: 'does-not-conform',
      message: expect.stringContaining('expected   only the fields "name" and "tag"'),
    });
  });

  test('throws another code if nothing could be tested', async () => {
    await expect(assert([], 'wrong')).rejects.toMatchObject({ code: 'provider-not-testable' });
  });
});

/** As in jsdom and happy-dom: Node does not accept its signals. */
class ForeignController {
  readonly signal = Object.assign(Object.create(null), {
    aborted: false,
    addEventListener() {},
    removeEventListener() {},
  });
  abort(): void {}
}

test('a check works with signals that are not those of Node', async () => {
  const own = AbortController;
  vi.stubGlobal('AbortController', ForeignController);
  const started = checkStore([], { only: ['success'] });
  vi.stubGlobal('AbortController', own);
  expect(await started).toConform();
});
