import { checkConformance } from 'plant-store-contract/conformance';
import { describe, expect, test, vi } from 'vitest';
import { hasPython } from '../../tools.js';
import { documentedOnly, failures } from '../providers/correct/failures.js';
import { ownFailures } from '../providers/correct/own-failures.js';
import { startCorrect } from '../providers/correct/provider.js';
import { strings } from '../providers/correct/strings.js';
import * as variations from '../providers/correct/variations.js';
import { startPython } from '../providers/programs.js';
import { expectConforming, expectCorrect, token } from './correct-providers.js';

// Starts first: it checks a hundred providers.

// Some of these wait, so a few run at the same time. With more of them, a check ends by its time limit on a busy machine.
vi.setConfig({ maxConcurrency: 4 });

describe('a correct provider breaks no rule if', { concurrent: true }, () => {
  const { statuses, stores, plants, authentication, fields, limits, writings, traffic, transfers } =
    variations;
  const others = {
    ...{ ...traffic, ...authentication, ...fields, ...statuses },
    ...{ ...plants, ...strings, ...limits, ...writings, ...transfers, ...failures, ...ownFailures },
  };

  test.for(Object.entries(others))('%s', async ([, variation]) => expectCorrect(variation));

  test.for(Object.entries(documentedOnly))('%s, and only documented rules count', async ([, variation]) =>
    expectCorrect(variation, { levels: ['documented'] }),
  );

  test.for(Object.entries(stores))('%s, in a second check too', async ([, variation]) =>
    expectCorrect(variation, { checks: 2 }),
  );

  test.skipIf(!hasPython).for([
    ['closes each connection, as HTTP/1.0 does', 'http10'],
    ['keeps connections', 'http11'],
    ['takes chunks for further requests', 'http11+no-chunks'],
    ['has one thread', 'single'],
    ['has one thread, and keeps connections', 'single+http11'],
  ] as const)("it uses Python's standard library and %s (needs python3)", async ([, variation]) => {
    await using provider = await startPython(token, variation);
    await expectConforming(provider.url);
  });
});

test('a provider that reads keys in any case has one finding', async () => {
  const variation = documentedOnly['keys are read in any case, and the last one counts'];
  await using provider = await startCorrect(token, variation);
  const { findings } = await checkConformance({ baseUrl: provider.url, token, prism: false });
  expect(findings.map(({ id, cases }) => [id, ...cases])).toEqual([
    ['keys-ignore-case', 'request/keys-are-exact'],
  ]);
});
