import { expect, test } from 'vitest';
import { groupsOf, OUTPUTS, token } from './outputs.js';
import { finderOf, simpleOf } from './spellings.js';

// Each spelling of a token with each escape or encoding, in each output. outputs.all.test.ts has those with two, and whole
// commands.
const spellings = simpleOf(token);
const shownIn = finderOf(spellings);

test.each(Object.entries(OUTPUTS))('%s shows no spelling of the token', async (_what, write) => {
  const outputs = Object.entries(await write(groupsOf(spellings, 8)));
  expect(outputs.flatMap(([name, output]) => shownIn(output).map((spelling) => [name, spelling]))).toEqual(
    [],
  );
  // Otherwise nothing that was sent is in them.
  const hidden = outputs.map(([, output]) => output.split(/PLANT_STORE_TOKEN|redacted|\[token\]/).length);
  expect(Math.max(...hidden)).toBeGreaterThan(spellings.length / 2);
});
