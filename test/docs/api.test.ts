import { expect, test } from 'vitest';
import { readPage } from './pages.js';

test('every export says in a docstring what it is', () => {
  const { text } = readPage('docs/api.md');
  const rows = [...text.matchAll(/^\| `(\w+)` \| \w+ \| (.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(100);
  expect(rows.filter(([, , summary]) => summary === '').map(([, name]) => name)).toEqual([]);
});
