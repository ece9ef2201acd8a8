import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { curlExample } from '../../src/cli/serve.js';
import { isRunning } from '../lab/torture/processes.mjs';
import { commandLine } from '../once.js';
import { hasCurl } from '../tools.js';

const exec = promisify(execFile);
const TOKEN = 'token-of-these-tests';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** Starts `plant-store serve`, and reads what it writes at first. */
async function serve(
  flags: readonly string[],
  stdin: 'pipe' | 'ignore' | number = 'ignore',
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

describe.skipIf(!hasCurl)('the curl line that serve prints works as it stands', () => {
  test.each([
    ['with a token that was typed', ['--token', TOKEN]],
    ['with a token that serve made', []],
  ])('%s', async (_what, flags) => {
    const { output } = await serve(flags);
    const line = output.split('\n').find((one) => one.startsWith('curl ')) ?? '';
    const { stdout } = await exec('sh', ['-c', line]);
    expect(stdout).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:.+\r\n)*\r\n\{"name":"Aloe"\}$/);
  });
});

describe('on Windows, the line is split into its arguments', () => {
  test.each([undefined, 'a-token'])('with the token %s', (token) => {
    const [cmd = '', powershell = ''] = curlExample({ url: 'http://127.0.0.1:4010', token }, 'win32');
    const given = [
      '-i',
      'http://127.0.0.1:4010/plants',
      '-H',
      `Authorization: Bearer ${token ?? '%PLANT_STORE_TOKEN%'}`,
      '-H',
      'Content-Type: application/json',
      '-d',
      '{"name":"Aloe","id":7}',
    ];
    expect(argumentsOf(cmd.replace(/^cmd: +/, ''))).toEqual(['curl', ...given]);
    expect(argumentsOf(powershell.replace(/^PowerShell: +/, ''))).toEqual(['curl.exe', '--%', ...given]);
    // PowerShell ends what it leaves alone at a | outside quotes, and cmd has further characters.
    expect(cmd + powershell).not.toMatch(/[|&<>^]/);
  });
});

/** As C programs on Windows split a command line, from the documentation of Microsoft for `main`. */
function argumentsOf(line: string): string[] {
  const found: string[] = [];
  let [text, isQuoted, isOpen] = ['', false, false];
  for (let at = 0; at < line.length; at++) {
    const [backslashes = ''] = /^\\*(?=")/.exec(line.slice(at)) ?? [];
    if (backslashes !== '') {
      // 2n backslashes before a quote are n of them; one more, and the quote is a part of the argument.
      text += '\\'.repeat(Math.floor(backslashes.length / 2));
      at += backslashes.length;
      if (backslashes.length % 2 === 1) text += '"';
      else isQuoted = !isQuoted;
    } else if (line[at] === '"') {
      [isQuoted, isOpen] = [!isQuoted, true];
    } else if (/[ \t]/.test(line[at] ?? '') && !isQuoted) {
      if (text !== '' || isOpen) found.push(text);
      [text, isOpen] = ['', false];
    } else text += line[at];
  }
  return text === '' && !isOpen ? found : [...found, text];
}

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

  test('leaves SIGTERM as it is', async () => {
    const { child } = await serve(['--token', TOKEN, '--until-stdin-closes'], 'pipe');
    const ended = once(child, 'exit');
    const sent = performance.now();
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(performance.now() - sent).toBeLessThan(1_500);
  });

  test.each<[string, () => 'ignore' | number]>([
    ['/dev/null', () => 'ignore'],
    ['a file', () => openSync(new URL(import.meta.url).pathname, 'r')],
  ])('rejects %s as input, which nobody holds open', async (_what, input) => {
    const { child, output } = await serve(['--token', TOKEN, '--until-stdin-closes'], input());
    expect(output).toContain('--until-stdin-closes needs a pipe as standard input');
    if (child.exitCode === null) await once(child, 'exit');
    expect(child.exitCode).toBe(2);
  });
});
