import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../lab/bench/peers/main.mjs', import.meta.url));

function peers(...args: readonly string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', timeout: 170_000 });
}

test('npm run bench:peers scores a check and Pact', () => {
  const asked = ['--peers', 'plant-store check,Pact', '--faults', 'leaks-id,answers-201', '--correct', '1'];
  const { status, stdout, stderr } = peers(...asked);
  expect(status, stderr).toBe(0);
  const rows = stdout
    .split('\n')
    .slice(4)
    .map((line) => line.split(' | ').slice(0, 5).join(' '))
    .filter((line) => line !== '');
  // Pact finds the status, and accepts further fields in a response.
  expect(rows).toEqual([
    expect.stringMatching(/^\| plant-store check \S+ 2 of 2 2 of 2 2 of 2 0 of 1$/),
    expect.stringMatching(/^\| Pact 1\d\S+ 1 of 2 1 of 2 1 of 2 0 of 1$/),
  ]);
});

test('a wrong option gets one sentence and the help', () => {
  const { status, stderr } = peers('--peers', 'none');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^there is no tool "none"\n\nUsage: npm run bench:peers/);
});

test('--list says what each tool is run with, and who recommends it', () => {
  const { status, stdout } = peers('--list');
  expect(status).toBe(0);
  expect(stdout).toMatch(/^Pact\n {2}.*Verifier.*\n {2}https:\/\/docs\.pact\.io\//m);
});
