import { test } from 'vitest';
import { expectConforming, token } from '../conformance/verdicts/expect-conforming.js';
import { careful } from './careful.js';

// What these frameworks reject by themselves, an author can write as an Error. So no rule may say anything against them.

test.each(Object.entries(careful))('%s conforms if its author is careful', async (_name, start) => {
  await using provider = await start(token);
  await expectConforming(provider.url);
});
