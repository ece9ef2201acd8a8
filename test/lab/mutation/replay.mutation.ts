import { describe, expect, test } from 'vitest';
import { records, replay } from './records.js';

// Each test reads its record anew: Stryker runs the tests that reached a mutant, and what one test keeps for the next would
// hide that.
describe('a check has the same outcome', () => {
  test.for(records())('as in %s', async (file) => {
    const { now, before } = await replay(file);
    expect(now).toEqual(before);
  });
});
