import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { commandLine } from '../once.js';

describe('the process of a command', () => {
  test.skipIf(!existsSync('/dev/full'))(
    'ends with 2 if its output cannot be written, and says so',
    async () => {
      const full = openSync('/dev/full', 'w');
      const { status, stderr } = spawnSync(process.execPath, [await commandLine(), 'rules'], {
        stdio: ['ignore', full, 'pipe'],
        encoding: 'utf8',
      });
      expect(stderr).toContain('plant-store: standard output cannot be written: ENOSPC');
      expect(status).toBe(2);
    },
  );

  test('ends with its own status if the reader of its output has gone', async () => {
    const child = spawn(process.execPath, [await commandLine(), 'rules'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    expect(await once(child, 'close')).toEqual([0, null]);
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
});
