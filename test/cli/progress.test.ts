import { expect, test } from 'vitest';
import { Progress } from '../../src/cli/progress.js';
import { steady } from '../steady.js';

/** What is written first of a check of 100 requests of which 25 were sent, one of them twice, and what is written at the end. */
async function written(isTTY: boolean): Promise<[first: string, last: string]> {
  const texts: string[] = [];
  let isWritten = (): void => {};
  const first = new Promise<void>((resolve) => {
    isWritten = resolve;
  });
  const write = (text: string): void => {
    texts.push(text);
    isWritten();
  };
  const progress = new Progress(100, { isTTY, write }, 5);
  for (let step = 0; step < 25; step++) progress.saw({ probe: 'row', step, role: 'judged' });
  progress.saw({ probe: 'row', step: 0, role: 'judged' });
  progress.saw({ probe: 'plain-plant', step: 0, role: 'confirmation' });
  await first;
  progress.end();
  return [texts[0] ?? '', texts.at(-1) ?? ''];
}

test('a log gets lines with the time that is left', async () => {
  expect(steady((await written(false))[0])).toBe('25 of 100 requests, about <duration> left\n');
});

test('a terminal gets one line, which is gone at the end', async () => {
  const [first, last] = await written(true);
  expect(steady(first)).toBe('\r\x1b[K25 of 100 requests, about <duration> left');
  expect(last).toBe('\r\x1b[K');
});
