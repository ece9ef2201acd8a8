import { describe, expect, test } from 'vitest';
import { plantStore } from './console.js';

describe('what was mistyped is named, with what may be meant', () => {
  test.each<[string, readonly string[], string]>([
    ['a command', ['chek'], "unknown command 'chek'\n(Did you mean check?)"],
    ['a command after help', ['help', 'chek'], "unknown command 'chek'\n(Did you mean check?)"],
    ['a flag', ['check', 'http://x', '--tokn', 'a'], "unknown option '--tokn'\n(Did you mean --token?)"],
    ['a rule', ['rules', 'succes/plant-fields-only'], 'did you mean "success/plant-fields-only"?'],
    ['a topic', ['check', 'http://x', '--token', 'a', '--only', 'auht'], 'did you mean "auth"?'],
    ['a level', ['check', 'http://x', '--token', 'a', '--level', 'impled'], 'did you mean "implied"?'],
    ['a reporter', ['check', 'http://x', '--token', 'a', '--reporter', 'jnit'], 'did you mean "junit"?'],
    ['a fault', ['serve', '--fault', 'leaks-ids'], 'got "leaks-ids"; did you mean "leaks-id"?'],
  ])('%s', async (_what, argv, hint) => {
    const { status, stderr, stdout } = await plantStore(argv);
    expect(stderr).toContain(hint);
    expect([status, stdout]).toEqual([2, '']);
  });

  test('the help of a command is shown as before', async () => {
    const { status, stdout } = await plantStore(['help', 'check']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('Usage: plant-store check')]);
    expect((await plantStore(['help'])).stdout).toContain('Usage: plant-store [options] [command]');
  });
});

test.each([
  ['check', ['check', 'http://127.0.0.1:1', '--token', 'Bearer hidden']],
  ['verify', ['verify', 'http://127.0.0.1:1', '--token', 'bearer hidden']],
  ['serve', ['serve', '--token', 'Bearer hidden']],
])('%s says to leave out the word Bearer', async (_command, argv) => {
  const { status, stderr } = await plantStore(argv);
  expect(stderr).toMatch(/leave out the word/);
  expect([status, stderr]).toEqual([2, expect.not.stringContaining('hidden')]);
});
