import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { isRunning } from '../lab/torture/processes.mjs';
import { commandLine } from '../once.js';
import { hasCurl } from '../tools.js';

const exec = promisify(execFile);
const TOKEN = 'token-of-these-tests';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts `plant-store-contract serve`, and reads what it writes at first. */
async function serve(
  flags: readonly string[],
  stdin: 'pipe' | 'ignore' = 'ignore',
): Promise<{ child: ChildProcess; output: string }> {
  const argv = [await commandLine(), 'serve', ...flags];
  const child = spawn(process.execPath, argv, {
    stdio: [stdin, 'pipe', 'pipe'],
    env: { PATH: process.env.PATH },
  });
  children.push(child);
  const [output] = await Promise.race([
    once(child.stdout as NodeJS.ReadableStream, 'data'),
    once(child.stderr as NodeJS.ReadableStream, 'data'),
  ]);
  return { child, output: String(output) };
}

test.skipIf(!hasCurl)('the curl line that serve prints works as it stands', async () => {
  const { output } = await serve([]);
  const line = output.split('\n').find((one) => one.startsWith('curl ')) ?? '';
  const { stdout } = await exec('sh', ['-c', line]);
  expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*\r\n\{"name":"Aloe"\}$/);
});

describe('--until-stdin-closes', () => {
  test('ends the server when its input closes', async () => {
    const { child } = await serve(['--token', TOKEN, '--until-stdin-closes'], 'pipe');
    const ended = once(child, 'exit');
    child.stdin?.write('what is written means nothing\n');
    await sleep(200);
    expect(child.exitCode).toBe(null);
    child.stdin?.end();
    expect(await ended).toEqual([0, null]);
  });

  test('ends it when the process that started it is killed, through a shell that passes no signal on', async () => {
    const server = `"${process.execPath}" "${await commandLine()}" serve --token ${TOKEN} --until-stdin-closes`;
    const script = `
      const { spawn } = require('child_process');
      const shell = spawn('sh', ['-c', ${JSON.stringify(`exec 3<&0; ${server} <&3 & echo $!; wait`)}], { stdio: ['pipe', 'pipe', 'inherit'] });
      shell.stdout.pipe(process.stdout);`;
    // A shell gives what it starts in the background /dev/null as input, unless a redirection says otherwise.
    const started = spawn(process.execPath, ['-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(started);
    let output = '';
    started.stdout.on('data', (text) => {
      output += text;
    });
    while (!output.includes('listening')) await sleep(10);
    const pid = Number.parseInt(output, 10);
    expect(isRunning(pid)).toBe(true);
    started.kill('SIGKILL');
    const end = performance.now() + 5_000;
    while (isRunning(pid) && performance.now() < end) await sleep(20);
    expect(isRunning(pid)).toBe(false);
  });

  test('rejects a file as input, which nobody holds open', async () => {
    const { child, output } = await serve(['--token', TOKEN, '--until-stdin-closes'], 'ignore');
    expect(output).toContain('--until-stdin-closes needs a pipe as standard input');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(2);
  });
});
