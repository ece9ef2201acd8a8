import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../once.js';
import { rawResponse } from '../proxy/messages/stored.js';

describe('the process of a command', () => {
  test.skipIf(!existsSync('/dev/full'))(
    'ends with 2 if its output cannot be written, and says so',
    async () => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [await commandLine(), 'rules'], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      expect(stderr).toContain('plant-store-contract: standard output cannot be written: ENOSPC');
      expect(status).toBe(2);
    },
  );

  test.skipIf(!existsSync('/dev/zero'))('reads no file without an end', async () => {
    const argv = [await commandLine(), 'check', 'http://127.0.0.1:9', '--token', 'secret'];
    for (const flag of ['--ca', '--expect-failures', '--config']) {
      const { status, stderr } = spawnSync(process.execPath, [...argv, flag, '/dev/zero'], {
        encoding: 'utf8',
      });
      expect([status, stderr]).toEqual([2, expect.stringContaining('it is longer than the limit of')]);
    }
  });

  test('ends with its own status if the reader of its output has gone', async () => {
    const child = spawn(process.execPath, [await commandLine(), 'rules'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
  });

  test('writes all to a slow reader of a pipe that another program made non-blocking', async () => {
    const argv = [await commandLine(), 'rules', '--json'];
    const { stdout: all } = spawnSync(process.execPath, argv, { encoding: 'utf8', maxBuffer: 2 ** 24 });
    // Node makes a pipe of its own standard output non-blocking, and so it is for the command, too.
    const parent = `const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ${JSON.stringify(argv)}, { stdio: 'inherit' });
      process.stdout;
      child.on('exit', (status) => { process.exitCode = status; });`;
    const child = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'close');
    await once(child.stdout, 'readable');
    await sleep(500);
    expect(await text(child.stdout)).toBe(all);
    expect(await ended).toEqual([0, null]);
  });

  test('ends within 2 s of a signal even if nobody reads its output', { timeout: 60_000 }, async () => {
    const child = spawn(process.execPath, [await commandLine(), 'rules', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // What Node reads ahead fills up, then the pipe.
    await once(child.stdout, 'readable');
    const ended = once(child, 'exit');
    const sent = performance.now();
    child.kill('SIGTERM');
    await ended;
    expect(performance.now() - sent).toBeLessThan(2_000);
  });

  test('reads standard input to its end and as it is', async () => {
    const validate = async (input: readonly Buffer[]) => {
      const child = spawn(process.execPath, [await commandLine(), 'validate', 'response', '-', '--quiet']);
      const outcome = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
      child.stdin.end(Buffer.concat(input));
      const [stdout, stderr, [status]] = await outcome;
      return { status, stdout, stderr };
    };
    // More than a pipe holds, and bytes that no text has.
    const long = rawResponse(Buffer.from(`{"name":"${'a'.repeat(500_000)}\xe4"}`, 'latin1'));
    const piped = await validate([long]);
    expect(piped.stdout).toContain('the body is not JSON: the bytes are not well-formed UTF-8');
    expect(piped.status).toBe(1);
    expect(await validate([])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'plant-store-contract: standard input is empty\n',
    });
  });
});
