import { probes } from 'plant-store-contract/conformance';
import { describe, expect, test } from 'vitest';
import { freshValues, type Probe } from '../../../src/conformance/probe.js';
import { TOKEN, textOf } from './drawn.js';

/** Keys that are nearly the name of a field: they differ in case, in width, or in what nobody sees. */
const NEARLY = /^[\s\p{Cf}]*(?:name|id|tag|ｎａｍｅ|ｉｄ|ｔａｇ)[\s\p{Cf}\p{M}]*(?:\0.*)?$/isu;
const isNearly = (key: string) =>
  !['name', 'id', 'tag'].includes(key) && NEARLY.test(key.normalize('NFD').replaceAll(/\p{M}/gu, ''));
const hasNearlyField = (body: string) => Object.keys(JSON.parse(body)).some(isNearly);

/** The field that a body misses, by its own members. */
function missingIn(body: string): string | undefined {
  const parsed = JSON.parse(body);
  return ['name', 'id'].find((key) => !Object.hasOwn(parsed, key));
}

const core = probes.filter(({ name }) => name.startsWith('keys/'));
const requestsOf = (probe: Probe | undefined) => probe?.requests(freshValues(TOKEN)) ?? [];

describe('plants with a member under a wrong key', () => {
  test.each(core.filter(({ expectation }) => expectation === 'rejected'))('$name', (probe) => {
    const body = textOf(requestsOf(probe)[0]);
    const missing = missingIn(body);
    expect(probe.name).toMatch(`keys/${missing}-`);
    expect(probe.rules).toEqual([
      hasNearlyField(body) ? 'request/keys-are-exact' : `request/${missing}-is-required`,
    ]);
  });
});

describe('plants with unknown members, or with escapes in keys', () => {
  test.each(core.filter(({ expectation }) => expectation !== 'rejected'))('$name', (probe) => {
    const [request, ...others] = requestsOf(probe);
    const { name, id, tag, ...unknown } = JSON.parse(textOf(request));
    expect(request?.plant).toEqual(tag === undefined ? { name, id } : { name, id, tag });
    expect(Object.keys(unknown).length > 0).toBe(probe.expectation !== 'created' || others.length > 0);
    expect(probe.rules?.includes('request/keys-are-exact')).toBe(Object.keys(unknown).some(isNearly));
  });

  test.each([
    ['keys/other-id-beside', ['_id', 'plant_id', 'id2', 'key']],
    ['keys/id-in-other-case-beside', ['ID', 'Id']],
  ])('%s: the second plant has the id that was under other keys before', (named, keys) => {
    const [first, second, again] = requestsOf(core.find(({ name }) => name === named)).map((request) =>
      JSON.parse(textOf(request)),
    );
    expect(keys.map((key) => first[key])).toEqual(keys.map(() => second.id));
    expect(again.id).toBe(first.id);
    expect(second.id).toBeLessThan(2 ** 31);
  });
});
