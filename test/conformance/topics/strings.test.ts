import { checkConformance, probes, type RuleId } from 'plant-store-contract/conformance';
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
  const ids = lengths.map(({ name }) => name.replace('strings/', 'unspecified/') as RuleId);
  const only = [...ids, 'success/plain-names-are-accepted'] as const;
  const { profile, rules } = await checkConformance({
    baseUrl: 'http://a',
    fetch,
    token,
    only,
    prism: false,
  });
  expect(profile.behaviours.map(({ sentence }) => sentence)).toEqual([
    ...['A name of 255 letters returns 200.', 'A name of 1,000 letters returns 200.'],
    ...['A name of 4,096 letters returns 400.', 'A name of 65,536 letters returns 400.'],
    ...['255', '1,000', '4,096', '65,536'].map((length) => `A tag of ${length} letters returns 400.`),
  ]);
  expect(rules.map(({ verdict }) => verdict)).toEqual(['pass', ...ids.map(() => 'observed')]);
});
