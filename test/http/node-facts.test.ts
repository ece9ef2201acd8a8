import { test } from 'vitest';
import { NODE_FACTS } from './node-facts.mjs';

// `npm run runtimes` checks the same on the other versions of Node.
test.each(NODE_FACTS)('this version of Node $what', async ({ check }) => check());
