import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GENERATED, root } from './files.js';

// Starts first: Pact verifies each of the faults.

const slow = GENERATED.filter(({ needs }) => needs !== undefined);

test.for(slow)('$file is up to date: it needs $needs', async ({ file, text }) => {
  expect(await text()).toBe(readFileSync(join(root, file), 'utf8'));
});
