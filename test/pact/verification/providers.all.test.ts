import { describe, expect, test } from 'vitest';
import { verify } from '../../../src/pact/verification/verify.js';
import { casesOf } from '../../../src/report/frame.js';
import { startCorrect } from '../../conformance/providers/correct/provider.js';
import * as variations from '../../conformance/providers/correct/variations.js';
import { startPython } from '../../conformance/providers/programs.js';
import type { Provider } from '../../conformance/providers/provider.js';
import { hasPython } from '../../tools.js';

// The shipped pact, no state handlers, and no help of any kind from the provider.
const token = 'a-token-of-these-tests';

async function problems(provider: Provider): Promise<string[]> {
  const report = await verify({ baseUrl: provider.url, token });
  const { conclusion, summary } = report;
  const failed = casesOf(report).filter(({ verdict }) => verdict !== 'pass');
  return [
    ...(conclusion === 'conforms' ? [] : [summary]),
    ...failed.map(({ title, evidence }) => [title, JSON.stringify(evidence)].join(' ')),
  ];
}

describe('other correct providers satisfy it', () => {
  const { statuses, stores, plants, writings } = variations;
  const { authentication } = variations;
  const chosen = Object.entries({ ...statuses, ...stores, ...plants, ...writings, ...authentication });

  // The shipped pact always sends the same names.
  const twice = new Set(Object.keys(stores).filter((name) => !name.includes('names are unique')));

  test.concurrent.for(chosen)('%s', async ([name, variation]) => {
    await using provider = await startCorrect(token, variation);
    expect(await problems(provider)).toEqual([]);
    // It creates plants and cannot delete them. A second verification must pass too.
    if (twice.has(name)) expect(await problems(provider)).toEqual([]);
  });

  test.runIf(hasPython)('one in Python', async () => {
    await using provider = await startPython(token, 'http11');
    expect(await problems(provider)).toEqual([]);
  });
});
