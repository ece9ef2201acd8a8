import { checkConformance, probes } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { freshValues } from '../../../src/conformance/probe.js';
import { requestsOf } from '../../../src/conformance/row.js';
import { constrained } from '../constrained.js';
import { textOf } from './drawn.js';

const values = freshValues('a-token-of-these-tests');
const core = probes.filter(({ name }) => name.startsWith('strings/') && !name.includes('bundle'));
const words = core.filter(({ expectation }) => expectation === 'created');
const lengths = core.filter(({ name }) => name.endsWith('-letters'));
const others = core.filter(({ name, expectation }) => expectation === 'open' && !name.endsWith('-letters'));
const requests = [...words, ...others].flatMap((probe) => requestsOf(probe, values));

describe('core strings', () => {
  test('are in the body as the plant says', () => {
    for (const request of requests) {
      expect(JSON.parse(textOf(request))).toEqual(request.plant);
      expect(request.plant?.id).toBe(request.id);
    }
  });

  test('have fresh names where names may have to be unique', () => {
    const again = others.flatMap((probe) => requestsOf(probe, freshValues('a-token-of-these-tests')));
    const names = new Set(requests.map(({ plant }) => plant?.name));
    expect(again.filter(({ plant }) => names.has(plant?.name))).toEqual([]);
  });
});

test('lengths of names and tags are recorded, and never judged', async () => {
  const sent = lengths.flatMap((probe) => requestsOf(probe, values)).map(({ plant }) => plant);
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
