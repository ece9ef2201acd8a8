import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { readExample, root } from './project.js';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** Blocks of JavaScript that say in their first line which file they are. */
const blocks = [...readme.matchAll(/^```js\n(\/\/ (\S+)\n.*?)^```$/gms)].map(([, code = '', file = '']) => ({
  file,
  code,
}));
const examples = readdirSync(join(root, 'test/examples'), { recursive: true, encoding: 'utf8' });

test.for(blocks)('the README shows $file of an example, word for word', ({ file, code }) => {
  const paths = examples.filter((path) => basename(path) === file && !path.includes('node_modules'));
  expect(paths).toHaveLength(1);
  expect(readExample(paths[0] as string)).toBe(code);
});

test('the README shows the files of a consumer', () => {
  expect(blocks.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['vitest.config.js', 'plants.pact.test.js']),
  );
});
