import { expect, test } from 'vitest';
import { importsOf } from '../source.js';

/** What a file loads before it runs, and what it loads in turn; and what it loads later. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  for (const { to, isPackage, kind } of importsOf(file)) {
    if (kind === 'type' || seen.has(to)) continue;
    seen.add(to);
    if (!isPackage) loadedBy(to, seen);
  }
  return seen;
}

test('the validators import nothing of Node: a bundler for browsers or k6 takes them as they are', () => {
  const loaded = [...loadedBy('validation/index.ts')];
  expect(loaded).toContain('validation/json.ts');
  expect(loaded.filter((name) => name.startsWith('node:'))).toEqual([]);
});
