import { expect, test } from 'vitest';
import { groupsOf, OUTPUTS, token } from './outputs.js';
import { finderOf, spellingsOf } from './spellings.js';

// Each spelling of a token that is hidden, in each output. outputs.all.test.ts has whole commands.
const spellings = spellingsOf(token);
const shownIn = finderOf(spellings);

test.each(Object.entries(OUTPUTS))('%s shows no spelling of the token', async (_what, write) => {
  const outputs = Object.entries(await write(groupsOf(spellings, 8)));
  expect(outputs.flatMap(([name, output]) => shownIn(output).map((spelling) => [name, spelling]))).toEqual(
    [],
  );
  // Otherwise nothing that was sent is in them.
  const hidden = outputs.map(([, output]) => output.split(/PLANT_STORE_TOKEN|redacted/).length);
  expect(Math.max(...hidden)).toBeGreaterThan(spellings.length / 2);
});
