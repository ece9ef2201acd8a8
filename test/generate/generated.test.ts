import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GENERATED, root } from './files.js';

const quick = GENERATED.filter(({ needs }) => needs === undefined);

test.for(quick)('$file is up to date', async ({ file, text }) => {
  expect(await text()).toBe(readFileSync(join(root, file), 'utf8'));
});
