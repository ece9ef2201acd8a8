import { catalogue } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { causes } from '../../../src/conformance/causes/causes.js';
import { recipes } from '../../../src/conformance/causes/recipes/index.js';
import { files, literalsOf } from '../../source.js';

const LANGUAGES =
  /\b(?:C|JavaScript|TypeScript|Node|Python|Go|Java|Kotlin|Rust|Ruby|PHP)\b(?![+#:])|C#|\.NET/g;

test('advice names no language that the provider may not be written in: none, or several', () => {
  const advice = files.filter((file) => /^conformance\/(?:rules|causes)\/[\w-]+\.ts$/.test(file));
  const ofOneLanguage = advice
    .filter((file) => !file.endsWith('/marks.ts'))
    .flatMap(literalsOf)
    .filter(({ kind, text }) => kind !== 'regex' && new Set(text.match(LANGUAGES)).size === 1);
  expect(ofOneLanguage).toEqual([]);
});

test('every recipe is for a finding that exists', () => {
  const ids = new Set([...causes, ...catalogue()].map(({ id }) => id));
  const unknown = Object.entries(recipes).flatMap(([framework, { byFinding }]) =>
    Object.keys(byFinding).flatMap((id) => (ids.has(id) ? [] : `${framework}: ${id}`)),
  );
  expect(unknown).toEqual([]);
});
