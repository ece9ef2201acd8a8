import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../../../folder.js';
import { Results } from './results.mjs';
import { type Run, score } from './score.mjs';
import { tableOf } from './table.mjs';

const MAIN = new URL('main.mjs', import.meta.url).pathname;
const REFERENCE = 'the reference server';

function peers(...args: readonly string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', timeout: 550_000 });
}

test('npm run bench:peers scores a check and Pact', () => {
  const asked = [
    '--peers',
    'plant-store-contract check,Pact',
    '--faults',
    'leaks-id,answers-201',
    '--correct',
    '1',
  ];
  const { status, stdout, stderr } = peers(...asked);
  expect(status, stderr).toBe(0);
  const rows = stdout
    .split('\n')
    .slice(4)
    .map((line) => line.split(' | ').slice(0, 5).join(' '))
    .filter((line) => line !== '');
  // Pact finds the status, and accepts further fields in a response.
  expect(rows).toEqual([
    expect.stringMatching(/^\| plant-store-contract check \S+ 2 of 2 2 of 2 2 of 2 0 of 1$/),
    expect.stringMatching(/^\| Pact 1\d\S+ 1 of 2 1 of 2 1 of 2 0 of 1$/),
  ]);
});

test('a wrong option gets one sentence and the help', () => {
  const { status, stderr } = peers('--peers', 'none');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^there is no tool "none"\n\nUsage: npm run bench:peers/);
});

function run(kind: 'fault' | 'correct', name: string, ...findings: string[]): Run {
  const provider = { kind, name };
  const measured = { failed: findings.length > 0, timedOut: false, requests: 5, seconds: 1, cpuSeconds: 0.5 };
  return { tool: 'a tool', version: '1.2.3', provider, findings, ...measured };
}

describe('a score', () => {
  test('counts what a tool says about no correct provider', () => {
    const { found, foundByDifference, failing, blamed } = score([
      run('correct', REFERENCE, 'noise'),
      run('correct', 'returns 201 for a duplicate', 'a 201'),
      run('correct', 'quiet'),
      run('fault', 'noisy', 'noise'),
      run('fault', 'answers-201', 'noise', 'a 201'),
      run('fault', 'leaks-id', 'noise', 'an id'),
      run('fault', 'unseen'),
    ]);
    expect(found).toEqual(['leaks-id']);
    expect(foundByDifference).toEqual(['answers-201', 'leaks-id']);
    expect(failing).toEqual(['noisy', 'answers-201', 'leaks-id']);
    expect(blamed).toEqual([REFERENCE, 'returns 201 for a duplicate']);
  });

  test('has a line for each tool, also for one that is missing', () => {
    const runs = [run('correct', REFERENCE), run('fault', 'leaks-id', 'an id'), run('fault', 'unseen')];
    const tools = [{ name: 'a tool' }, { name: 'CATS', missing: 'not installed here' }, { name: 'idle' }];
    expect(tableOf(tools, runs).split('\n').slice(2)).toEqual([
      '| a tool 1.2.3 | 1 of 2 | 1 of 2 | 1 of 2 | 0 of 1 | 5 | 1.0 | 0.5 |',
      '| CATS | not installed here |  |  |  |  |  |  |',
      '| idle | not run |  |  |  |  |  |  |',
      '',
    ]);
  });
});

test('a run that was stopped goes on with what is left', () => {
  const file = join(folderWith(), 'runs.jsonl');
  new Results(file).add(run('fault', 'leaks-id', 'an id'));
  const later = new Results(file);
  expect(later.has('a tool', { kind: 'fault', name: 'leaks-id' })).toBe(true);
  expect(later.has('a tool', { kind: 'correct', name: 'leaks-id' })).toBe(false);
  expect(later.has('another', { kind: 'fault', name: 'leaks-id' })).toBe(false);
});
