import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage } from './pages.js';

const root = new URL('../..', import.meta.url).pathname;
const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.ts$/.test(file) && !/\.generated\.ts$/.test(file))
  .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
  .join('\n');

/** A message is shown as a paragraph of its own: bold, and as code. */
const messages = [...readPage('docs/troubleshooting.md').text.matchAll(/^\*\*`(.*)`\*\*$/gm)].map(
  ([, message = '']) => message,
);

test('the page has the twelve messages that people meet first', () => {
  expect(messages).toHaveLength(12);
});

/** Sentences are put together by the code, and `…` stands for what differs. */
test.for(messages)('%s is a message of the code', (message) => {
  const parts = message
    .split(/…|\. |\.$|: (?=the |Give|--)|\? |40[14]/)
    .filter((part) => part.trim().length > 3);
  expect(parts.length).toBeGreaterThan(0);
  // The first letter of a sentence may be made a capital.
  const isSaid = (part: string): boolean => sources.includes(part.trim().slice(1));
  expect(parts.filter((part) => !isSaid(part))).toEqual([]);
});
