import { readdirSync, readFileSync } from 'node:fs';
import { catalogue } from 'plant-store-contract/conformance';
import { expect, test } from 'vitest';
import { causes } from '../../../src/conformance/report/causes.js';
import { marks, recipes } from '../../../src/conformance/report/frameworks.js';

const FOLDER = new URL('../../../src/conformance/report/recipes/', import.meta.url);

const LANGUAGES =
  /\b(?:C|JavaScript|TypeScript|Node|Python|Go|Java|Kotlin|Rust|Ruby|PHP)\b(?![+#:])|C#|\.NET/g;

test('advice names no language that the provider may not be written in: none, or several', () => {
  const advice = causes.flatMap((cause): unknown[] => Object.values(cause));
  const ofOneLanguage = advice.filter(
    (text) => typeof text === 'string' && new Set(text.match(LANGUAGES)).size === 1,
  );
  expect(advice.length).toBeGreaterThan(50);
  expect(ofOneLanguage).toEqual([]);
});

test('every recipe is for a finding that exists', () => {
  const ids = new Set([...causes, ...catalogue()].map(({ id }) => id));
  const unknown = [...recipes()].flatMap(([framework, byFinding]) =>
    [...byFinding.keys()].flatMap((id) => (ids.has(id) ? [] : `${framework}: ${id}`)),
  );
  expect(unknown).toEqual([]);
});

test('every recipe is for a framework that responses show, and has its words, its language and its code', () => {
  const known = new Set<string>(marks.map(({ framework }) => framework));
  expect(recipes().size).toBe(15);
  for (const [framework, byFinding] of recipes()) {
    expect(known).toContain(framework);
    for (const recipe of byFinding.values()) {
      expect(Object.values(recipe)).not.toContain('');
      expect(recipe.code).not.toMatch(/^<|```/m);
    }
  }
});

/** A report prints the code of each recipe, and a reader should see the whole problem at once. */
const MOST_LINES = 15;

/** Without imports, which an editor writes, and empty lines. */
function linesOfCode(code: string): string[] {
  const withoutImports = code.replace(/^import \([^)]*\)$/gm, '').replace(/^(?:import|from) .*$/gm, '');
  return withoutImports.split('\n').filter((line) => line.trim() !== '');
}

test('no recipe is longer than a reader reads', () => {
  const long = [...recipes()].flatMap(([framework, byFinding]) =>
    [...byFinding].flatMap(([finding, { code }]) => {
      const { length } = linesOfCode(code);
      return length > MOST_LINES ? `${framework}: ${finding} has ${length} lines` : [];
    }),
  );
  expect(long).toEqual([]);
});

test('every heading of a file of recipes begins one, or a part of one', () => {
  for (const name of readdirSync(FOLDER)) {
    const text = readFileSync(new URL(name, FOLDER), 'utf8');
    const outside = text.replace(/^```\w+\n[\s\S]*?\n```$/gm, '```');
    expect(outside.match(/^## .*\n\n.+\n\n```$/gm)?.length, name).toBe(outside.match(/^## /gm)?.length);
  }
});
