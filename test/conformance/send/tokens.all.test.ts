import { createPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { checkFetch } from '../checks.js';

/** A provider that accepts each token so many times, and a function that gives the next token. */
function expiring(uses: number) {
  const given: string[] = [];
  let used = 0;
  const { fetch } = createPlantStore({
    authenticationFailureStatus: 401,
    token: (token) => token === given.at(-1) && used++ < uses,
  });
  const token = (): string => {
    used = 0;
    given.push(`token-${given.length + 1}-of-these-tests`);
    return given.at(-1) as string;
  };
  return { fetch, token, given };
}

test('a function gives a token at the start, and another one before exploring', async () => {
  const { fetch, token, given } = expiring(1_000);
  const report = await checkFetch(fetch, { token, explore: { runs: 50, seed: 1 } });
  expect([report.conclusion, given.length]).toEqual(['conforms', 2]);
  expect(report.exploration).toMatchObject({ draws: 50, failures: [] });
  for (const one of given)
    for (const secret of [one, one.slice(0, -1), btoa(`${one}:`)])
      expect(JSON.stringify(report)).not.toContain(secret);
});

test('a 401 to everything after a success is said as such', async () => {
  const { fetch, token, given } = expiring(100);
  const report = await checkFetch(fetch, { token });
  expect(given).toHaveLength(1);
  expect(report.summary).toMatch(
    / \d+ of \d+ requests were sent: after request \d+, every plain plant was rejected: 401 .*\. If the token has expired, use one that lives longer than the check\./,
  );
});

test('a lockout after wrong tokens does not look like an expired token', async () => {
  let [wrong, isLocked] = [0, false];
  const { fetch } = createPlantStore({
    authenticationFailureStatus: 401,
    token: (token) => {
      if (token === 'the-right-token' && !isLocked) return true;
      if (++wrong > 10) isLocked = true;
      return false;
    },
  });
  expect((await checkFetch(fetch, { token: 'the-right-token' })).summary).not.toContain('expired');
});
