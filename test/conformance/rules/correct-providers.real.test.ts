import { test } from 'vitest';
import { plants, writings } from '../providers/correct/variations.js';
import { expectCorrect } from './correct-providers.js';

// correct-providers.all.test.ts has all of them.
test.for([
  ['is as strict as the interface allows', plants['everything is as strict as possible']],
  ['writes its responses in its own way', writings['responses are in Brotli, in chunks']],
] as const)('a correct provider that %s breaks no rule', async ([, variation = {}]) =>
  expectCorrect(variation),
);
