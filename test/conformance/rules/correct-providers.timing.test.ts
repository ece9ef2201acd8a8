import { describe, test, vi } from 'vitest';
import { throttledFailures } from '../providers/correct/failures.js';
import { serial, slow } from '../providers/correct/traffic.js';
import { throttling, timed } from '../providers/correct/variations.js';
import { expectCorrect } from './correct-providers.js';

// Each check waits most of the time. More at once would leave some of them no time for their last requests on a busy machine.
vi.setConfig({ maxConcurrency: 5 });

describe('a correct provider breaks no rule if', () => {
  test.concurrent.for(Object.entries({ ...throttling, ...timed, ...throttledFailures }))(
    '%s',
    async ([, variation]) => expectCorrect(variation),
  );

  // Alone: a request of this provider may take almost the whole timeout.
  test('16 requests that wait in line take longer than the timeout', async () =>
    expectCorrect({ layers: () => [serial(), slow(40)] }, { timeoutMs: 500, quick: true }));
});
