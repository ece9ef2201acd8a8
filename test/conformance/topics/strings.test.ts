import { checkConformance, probes } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { expect, test } from 'vitest';
import { constrained } from '../constrained.js';
import { requestsOf } from './drawn.js';

const lengths = probes.filter(({ name }) => name.endsWith('-letters') && name.startsWith('strings/'));

test('lengths of names and tags are recorded, and never judged', async () => {
  const sent = lengths.flatMap(requestsOf).map(({ plant }) => plant);
  for (const field of ['name', 'tag'] as const)
    expect(sent.map((plant) => plant?.[field]?.length)).toEqual(
      expect.arrayContaining([255, 1_000, 4_096, 65_536]),
    );
  const token = 'a-token-of-these-tests';
  const fetch = constrained(createPlantStore({ token }).fetch, ({ name, tag }) =>
    String(name).length > 1_000 || String(tag ?? '').length > 20 ? 'too long' : undefined,
  );
  const only = ['unspecified/name-lengths', 'unspecified/tag-lengths', 'success/plain-names-are-accepted'];
  const { profile, rules } = await checkConformance({
    baseUrl: 'http://a',
    fetch,
    token,
    only,
    prism: false,
  });
  expect(profile.behaviours).toEqual([
    {
      rule: 'unspecified/name-lengths',
      sentence:
        'Names of 255 and 1,000 letters are accepted and names of 4,096 and 65,536 letters are not accepted.',
      value: '255, 1000',
    },
    {
      rule: 'unspecified/tag-lengths',
      sentence: 'Tags of 255, 1,000, 4,096 and 65,536 letters are not accepted.',
      value: 'none',
    },
  ]);
  expect(rules.map(({ verdict }) => verdict)).toEqual(['pass', 'observed', 'observed']);
});
