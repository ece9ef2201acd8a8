import { expect, test } from 'vitest';
import { entry, har } from '../messages/stored.js';
import { plantStore } from './console.js';

const picture = { content: { size: 600_000, encoding: 'base64', text: 'Zm9v'.repeat(200_000) } };
const get = entry({ request: { method: 'GET', url: 'http://store/picture' }, response: picture });

test.each([
  ['a large file', 24, true, true],
  ['a small file', 1, true, false],
  ['a large file without a terminal', 24, false, false],
])('of %s, a terminal shows how much is judged', async (_what, pictures, isTTY, isShown) => {
  let written = '';
  const stderr = { isTTY, write: (text: string) => (written += text) };
  const readBytes = async () => har([...Array(pictures).fill(get), entry()]);
  const { status } = await plantStore(['validate', 'response', 'a.har', '--quiet'], { stderr, readBytes });
  expect(status).toBe(0);
  // It is erased at the end.
  expect(/judging: \d+ % of \d+ MB/.test(written) && written.endsWith('\r\u001b[K')).toBe(isShown);
  if (!isShown) expect(written).toBe('');
});
