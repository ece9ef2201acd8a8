import { startPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { verify } from '../../../src/pact/verification/verify.js';
import { PROVIDER, startBroker } from './stub.js';

const token = 'a-token-of-these-tests';
const stages: Record<string, (m: string, u: string) => boolean> = {
  none: () => false,
  index: (_m, u) => u === '/' || u === '',
  list: (_m, u) => u.includes('for-verification'),
  post: (m, u) => m === 'POST' && u.includes('for-verification'),
  pact: (m, u) => m === 'GET' && u.includes('pact-version'),
  publish: (_m, u) => u.includes('verification-results'),
  branch: (m) => m === 'PUT',
};
for (const [name, at] of Object.entries(stages))
  for (const how of name === 'none' ? [0] : [503, 0, 500500])
    test(`${name} ${how}`, async () => {
      let failed = false;
      await using broker = await startBroker({
        override: (q, r) => {
          if (!at(q.method ?? '', q.url ?? '') || (failed && how !== 500500)) return false;
          failed = true;
          if (how === 0) q.socket.destroy();
          else r.writeHead(how === 500500 ? 500 : how).end('gateway');
          return true;
        },
      });
      await using provider = await startPlantStore({ token });
      const t = Date.now();
      const report = await verify({
        baseUrl: provider.url,
        token,
        provider: PROVIDER,
        broker: {
          pactBrokerUrl: broker.url,
          enablePending: true,
          providerVersion: '1',
          providerVersionBranch: 'main',
          publishVerificationResult: true,
        },
      });
      console.log(
        name,
        how,
        report.conclusion,
        Date.now() - t,
        report.summary,
        report.notes,
        report.remarks,
        broker.calls.map(({ method, target }) => `${method} ${target.slice(0, 60)}`),
      );
    });
