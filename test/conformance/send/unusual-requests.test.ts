import type { Server } from 'node:http';
import { checkConformance } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { isBroken } from '../../../src/report/conclusion.js';
import { startCorrect } from '../providers/correct/provider.js';

test('a request with a trailer is not sent again if it gets 503 with Retry-After, as from Varnish', async () => {
  const token = 'a-token-of-these-tests';
  let seen = 0;
  await using provider = await startCorrect(token, {
    layers: () => [
      async ({ request }, next) => {
        if (request.rawTrailers.length === 0) return next();
        seen++;
        return { status: 503, headers: { 'Retry-After': '1' }, page: 'Backend fetch failed' };
      },
    ],
  });
  const only = ['unspecified/odd-framing'];
  const { conclusion } = await checkConformance({ baseUrl: provider.url, token, only, prism: false });
  expect([conclusion, seen]).toEqual(['conforms', 1]);
});

test('a provider that dies of a trailer, as Robyn does, is judged by all other rules before', async () => {
  const token = 'a-token-of-these-tests';
  let listening: Server | undefined;
  await using provider = await startCorrect(token, {
    server: (server) => {
      listening = server;
    },
    layers: () => [
      async ({ request }, next) => {
        if (request.rawTrailers.length === 0) return next();
        listening?.close();
        listening?.closeAllConnections();
        return next();
      },
    ],
  });
  const { rules } = await checkConformance({ baseUrl: provider.url, token, prism: false });
  expect(rules.filter(isBroken).map(({ id }) => id)).toEqual(['state/provider-keeps-responding']);
  expect(rules.filter(({ verdict }) => verdict === 'blocked')).toEqual([]);
});
