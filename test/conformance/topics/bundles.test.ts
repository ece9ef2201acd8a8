import { planCheck, probes } from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { isPlainName, isPlainTag } from '../../../src/conformance/oracle.js';
import { requestsOf } from '../../../src/conformance/row.js';
import { FRESH_NAME, freshValues } from '../../../src/conformance/template.js';
import { bundleRows } from '../../../src/conformance/topics/strings.js';
import { stringClasses } from '../../../src/conformance/values/string-classes.js';
import { checkFetch, token } from '../checks.js';
import { type Constraint, constrained } from '../constrained.js';
import { textOf } from './drawn.js';

const values = freshValues('a-token-of-these-tests');
const bundles = probes.filter(({ parts }) => parts !== undefined);
const plants = bundles.flatMap((probe) => requestsOf(probe, values).flatMap(({ plant }) => plant ?? []));
const texts = { name: plants.map(({ name }) => name), tag: plants.map(({ tag = '' }) => tag) };

/** How many requests a check has at most beside those that it plans: parts of bundles that are not accepted. */
const PARTS = 22;

test('a check has 500 requests or fewer, and creates 300 plants at most', () => {
  const { requests, plants: created, more } = planCheck();
  expect(requests, 'there is no room left: a new row takes the place of another').toBeLessThanOrEqual(
    500 - PARTS,
  );
  expect(created + more).toBeLessThanOrEqual(300);
});

describe('the bundles', () => {
  test('carry at least 42 names, 40 tags and 59 ids, each another one', () => {
    expect(bundles).toHaveLength(bundleRows.length);
    expect(new Set(texts.name).size).toBe(bundles.length);
    expect(new Set(texts.tag).size).toBe(bundles.length);
    expect(new Set(bundleRows.map(({ parts }) => parts?.[2]?.name)).size).toBe(bundles.length);
    expect(bundles.length).toBeGreaterThan(58);
  });

  test('have every class of characters and of texts, in a name and in a tag', () => {
    const parts = bundleRows.flatMap(({ parts: all = [] }) =>
      all.map(({ name }) => name.replace(/-\d+$/, '')),
    );
    // Plain words are named after themselves.
    const isOfWords = ({ name }: { readonly name: string }) => /^(words|capitals|casings)$/.test(name);
    const classes = stringClasses.filter((one) => !isOfWords(one)).map(({ name }) => name);
    for (const field of ['name', 'tag'])
      expect(classes.filter((name) => !parts.includes(`strings/${field}-${name}`))).toEqual([]);
  });

  test('have the lengths at which programs break', () => {
    const lengths = new Set([...texts.name, ...texts.tag].map((text) => text.length));
    for (const end of [32, 64, 128, 256, 1_024])
      for (const length of [end - 1, end, end + 1])
        expect([length, lengths.has(length)]).toEqual([length, true]);
  });

  test('have white space at both ends, and words that languages take for something else', () => {
    for (const field of ['name', 'tag'] as const) {
      for (const space of ' \t\n\r\u0085\u00a0\u2003\u2028\u3000\u200b')
        expect(texts[field].some((text) => text.startsWith(space))).toBe(true);
      for (const word of ['0', '1e5', 'admin', 'nil']) expect(texts[field]).toContain(word);
    }
  });

  test.each(bundleRows)(
    '$name is the plant that its texts say, and its parts have one of them each',
    (row) => {
      const probe = bundles.find(({ name }) => name === row.name);
      const [request] = probe === undefined ? [] : requestsOf(probe, values);
      expect(JSON.parse(textOf(request)).name).toBe(request?.plant?.name);
      // A part has fresh names and digits of its own.
      const settled = (of = '') => of.replaceAll(FRESH_NAME, 'Aloe').replaceAll(/\d{5,}/g, '#');
      const [name, tag, id] = probe?.parts?.map((part) => requestsOf(part, values)[0]?.plant) ?? [];
      expect([settled(name?.name), name?.tag]).toEqual([settled(request?.plant?.name), undefined]);
      expect([settled(tag?.name), settled(tag?.tag)]).toEqual(['Aloe', settled(request?.plant?.tag)]);
      expect([settled(id?.name), id?.tag]).toEqual(['Aloe', undefined]);
    },
  );
});

describe('a provider that rejects', () => {
  test.each<[string, Constraint, RegExp, RegExp]>([
    [
      'both',
      ({ name, tag = 'a' }) => why(isPlainName(String(name)) && isPlainTag(String(tag))),
      /^Every name/,
      /^Every tag/,
    ],
    [
      'long names',
      ({ name }) => why(String(name).length < 1_000),
      /^A name is rejected if it is .*1,023/,
      /^No tag/,
    ],
    ['what is not ASCII', ({ name, tag }) => why(/^[ -~]*$/.test(`${name}${tag}`)), /emoji/, /cactus/],
  ])(
    'telling %s gets 500 requests at most, and reads what it rejects',
    async (_what, constraint, names, tags) => {
      const report = await checkFetch(constrained(createPlantStore({ token }).fetch, constraint));
      expect([report.conclusion, report.counts.blocked]).toEqual(['conforms', 0]);
      expect(report.exchanges.length).toBeLessThanOrEqual(500);
      const said = new Map(report.profile.behaviours.map(({ rule, sentence }) => [rule, sentence]));
      expect(said.get('unspecified/names-refused')).toMatch(names);
      expect(said.get('unspecified/tags-refused')).toMatch(tags);
    },
  );
});

function why(isAllowed: boolean): string | undefined {
  return isAllowed ? undefined : 'not allowed';
}
