import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { picture } from './picture.js';

test('the picture of the README shows the report as it is today', async () => {
  const shown = readFileSync(new URL('check.svg', import.meta.url), 'utf8');
  expect(await picture(), 'make the picture anew: npm run picture').toBe(shown);
});
