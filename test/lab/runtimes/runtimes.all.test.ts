import { expect, onTestFinished, test } from 'vitest';
import { commandLine } from '../../once.js';
import { CommandLine } from './cli.mjs';
import { COMMANDS } from './commands.mjs';

async function plantStore(): Promise<CommandLine> {
  const cli = new CommandLine([process.execPath], await commandLine());
  onTestFinished(() => cli.remove());
  return cli;
}

// All of them run in this version of Node in test/cli.
test.each(COMMANDS.slice(0, 3))('this version of Node runs $what', async ({ exercise }) => {
  await exercise(await plantStore());
});

test('another exit status, another output or a server that ends is a failure', async () => {
  const cli = await plantStore();
  await expect(cli.run(['--version'], 1, /./)).rejects.toThrow('the exit status is 0 instead of 1');
  await expect(cli.run(['--version'], 0, /plants/)).rejects.toThrow('the output does not match /plants/');
  await expect(cli.start(['serve', '--no-such-flag'])).rejects.toThrow('it ended with 2');
});
