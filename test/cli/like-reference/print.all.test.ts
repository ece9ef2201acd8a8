import type { DiscoveredLimit, Profile } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { referenceLike } from '../../../src/cli/like-reference/print.js';

function withRate(value: string): Profile {
  const rate: DiscoveredLimit = {
    ...{ id: 'requests-per-second', outcome: 'found', sentence: 'Requests per second: about 3.', value },
    approximate: true,
  };
  const empty = { profileVersion: 1, interfaceVersion: '1.0.0', demands: [], behaviours: [] } as const;
  return { ...empty, limits: [rate] };
}

test('a rate limit is reproduced, and the server that is compared does not have it', async () => {
  const selection = { only: ['success/status-is-200'] };
  const printed = await referenceLike(withRate('3'), selection);
  expect(printed).toBe('plant-store serve --requests-per-second=3\n');
  expect(await referenceLike(withRate('0'), selection)).toMatch(
    /^plant-store serve\n# not reproduced: Requests per second: about 3\. The reference server: /,
  );
});
