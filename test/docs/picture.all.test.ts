import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageOfPicture, textOfPicture } from './picture.js';

test('the picture of the README shows the report as it is today', async () => {
  const shown = readFileSync(new URL('report.txt', import.meta.url), 'utf8');
  expect(textOfPicture(await pageOfPicture()), 'make the picture anew: npm run picture').toBe(shown);
});
