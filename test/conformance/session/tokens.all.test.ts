import { type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { replayFailures } from '../../../src/conformance/exploring/replay.js';
import { refuse, startInFront } from '../providers/in-front.js';
import { createWith, startIssuer, startWith } from './expiring-tokens.js';

const failing = ({ rules }: CheckReport): string[] =>
  rules
    .filter(({ verdict }) => !['pass', 'observed', 'not-applicable'].includes(verdict))
    .map(({ id }) => id);

describe('a token that expires', () => {
  test('is renewed while the check explores and looks for limits', async () => {
    const issuer = startIssuer((accepted) => accepted < 300);
    const { fetch } = createWith(issuer);
    const options = { baseUrl: 'http://localhost', fetch, prism: false, discover: true };
    const explore = { runs: 600, seed: 1 };
    const report = await checkConformance({ ...options, token: () => issuer.issue(), explore });
    expect(failing(report)).toEqual([]);
    expect(report.exploration).toMatchObject({ draws: 600, failures: [], intermittent: {} });
    expect(report.profile.limits?.map(({ outcome }) => outcome)).not.toContain('unknown');
    expect(issuer.given.length).toBeGreaterThan(4);
  });

  test('is renewed on the shared connections of exploring', async () => {
    const issuer = startIssuer((accepted) => accepted < 300);
    await using store = await startWith(issuer);
    const options = { baseUrl: store.url, prism: false, only: ['auth'] };
    const explore = { runs: 400, seed: 1 };
    const report = await checkConformance({ ...options, token: () => issuer.issue(), explore });
    expect(report.exploration).toMatchObject({ draws: 400, failures: [], intermittent: {} });
    expect(issuer.given.length).toBeGreaterThan(1);
  });

  test('is renewed while saved failures are sent again', async () => {
    const issuer = startIssuer((accepted) => accepted < 4);
    await using store = await startWith(issuer);
    const row = {
      name: 'plain/saved',
      title: 'a plain plant',
      expectation: 'created',
      phase: 'valid',
      rules: [],
      requests: [{ body: '{"name":"<NAME>","id":<ID>}' }],
    } as const;
    const failure = { rule: 'success/valid-plant-is-accepted', foundAfter: 1, row };
    const token = (): string => issuer.issue();
    const report = await replayFailures({ baseUrl: store.url, token }, [failure, failure]);
    expect(report.conclusion).toBe('conforms');
    expect(issuer.given.length).toBeGreaterThan(1);
  });

  test('among wrong tokens lets these be sent again, made of the new one', async () => {
    let [valid, count] = ['', 0];
    const issue = (): string => {
      valid = `the-Token-Number-${++count}`;
      return valid;
    };
    await using provider = await startInFront(
      { token: (given) => given.toLowerCase() === valid.toLowerCase(), authenticationFailureStatus: 401 },
      async ({ request, pass }) => {
        // The first wrong token comes when the first token has just expired.
        if (count === 1 && request.headers.authorization?.startsWith('Bearer wrong') === true) valid = 'none';
        await pass();
      },
    );
    const report = await checkConformance({ baseUrl: provider.url, token: issue, prism: false });
    expect(failing(report)).toEqual(['auth/near-miss-token-is-refused']);
    expect(count).toBe(2);
  });
});

describe('a 401 that is no sign of an expired token', () => {
  test('stands if the same token is accepted again', async () => {
    let [calls, requests] = [0, 0];
    const token = (): string => `token-of-these-tests-${++calls}`;
    await using provider = await startInFront({ token: () => true }, async ({ response, pass }) =>
      ++requests % 20 === 0 ? refuse(response, 401) : await pass(),
    );
    const report = await checkConformance({ baseUrl: provider.url, token, prism: false, skip: ['auth'] });
    expect(failing(report)).toContain('state/no-intermittent-failures');
    expect(calls).toBe(1);
  });

  test('counts as an intermittent failure without another token, too', async () => {
    let requests = 0;
    await using provider = await startInFront(
      { token: 'token-of-these-tests' },
      async ({ response, pass }) => (++requests % 20 === 0 ? refuse(response, 401) : await pass()),
    );
    const options = { baseUrl: provider.url, token: 'token-of-these-tests', prism: false };
    expect(failing(await checkConformance(options))).toContain('state/no-intermittent-failures');
  });

  test.each([
    ['the same token is given again', (): string => 'token-of-these-tests', 2],
    ['no token was ever accepted', (): string => 'another-token-of-these-tests', 1],
  ])('stands if %s', async (_title, token, atMost) => {
    let [calls, requests] = [0, 0];
    await using provider = await startInFront(
      { token: 'token-of-these-tests', authenticationFailureStatus: 401 },
      async ({ response, pass }) => (++requests > 150 ? refuse(response, 401) : await pass()),
    );
    const given = (): string => {
      calls++;
      return token();
    };
    const { conclusion } = await checkConformance({ baseUrl: provider.url, token: given, prism: false });
    expect(conclusion).toBe(atMost === 1 ? 'not-testable' : 'does-not-conform');
    expect(calls).toBeGreaterThanOrEqual(atMost);
    expect(calls).toBeLessThanOrEqual(atMost === 1 ? 1 : 11);
  });
});

test('a function that fails later ends the check with its sentence', async () => {
  const issuer = startIssuer((accepted) => accepted < 50);
  await using store = await startWith(issuer);
  const token = (): string => {
    if (issuer.given.length > 0) throw new Error('the vault is closed');
    return issuer.issue();
  };
  await expect(checkConformance({ baseUrl: store.url, token, prism: false })).rejects.toMatchObject({
    code: 'invalid-option',
    message: 'the token function failed: the vault is closed',
  });
});
