import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderWith } from '../../folder.js';
import { violationOf } from './probe/judge.mjs';
import type { Kind } from './probe/requests.mjs';
import { effectOf, isNoticed, scoreOf } from './score.mjs';

const MAIN = new URL('main.mjs', import.meta.url).pathname;

function mutants(...args: readonly string[]) {
  return spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', timeout: 170_000 });
}

test('npm run mutants runs a check and the probe on mutants, and goes on with what is left', () => {
  const folder = folderWith();
  const asked = ['--provider', 'node-http', '--tool', 'check', '--results', join(folder, 'runs.jsonl')];
  const first = mutants(...asked, '--mutants', '2');
  expect(first.status, first.stderr).toBe(0);
  expect(first.stdout).toMatch(/^\| node-http \| StrykerJS \S+ \| 2 \| /m);
  // The check finds nothing in the provider itself.
  expect(first.stdout).toMatch(/^\| plant-store-contract check \S+ \| 2 \| .* \| 0 of 1 \| [\d.]+ \|$/m);
  const second = mutants(...asked, '--mutants', '3');
  expect(second.status, second.stderr).toBe(0);
  expect(second.stderr).toMatch(/^node-http \w+, 0 of 1 are left$/m);
});

test('a wrong option gets the help and one sentence', () => {
  const { status, stderr } = mutants('--tool', 'none');
  expect(status).toBe(2);
  expect(stderr).toMatch(/^Usage: npm run mutants[\s\S]*\nthere is no tool "none"\n$/);
});

describe('a score', () => {
  const right = { provider: { kind: 'go' }, findings: ['noise'], failed: false };
  const run = (failed: boolean, ...findings: string[]) => ({ isStarted: true, failed, findings });

  test('counts what a tool does not say about the right provider', () => {
    expect(isNoticed(run(false, 'noise'), [right])).toBe(false);
    expect(isNoticed(run(false, 'noise', 'an id'), [right])).toBe(true);
    expect(isNoticed(run(true, 'noise'), [right])).toBe(true);
    expect(isNoticed(run(true, 'noise'), [right, { ...right, failed: true }])).toBe(false);
    expect(isNoticed(run(true), [{ ...right, failed: true }])).toBe(true);
  });

  test('keeps mutants apart that change nothing that is documented', () => {
    const tried = [
      { effect: effectOf({ violations: 2, differences: 9 }), run: run(true), rights: [right] },
      { effect: effectOf({ violations: 1, differences: 1 }), run: run(false), rights: [right] },
      { effect: effectOf({ violations: 0, differences: 0 }), run: run(false, 'blame'), rights: [right] },
      { effect: effectOf({ violations: 0, differences: 3 }), run: run(false), rights: [right] },
      {
        effect: effectOf({ violations: 1, differences: 3 }, { effect: 'limits' }),
        run: run(false),
        rights: [right],
      },
    ];
    expect(scoreOf(tried, [right])).toMatchObject({
      real: 2,
      noticed: 1,
      harmless: 3,
      blamed: 1,
      rightsBlamed: 0,
    });
  });
});

describe('the judge of the probe', () => {
  const json = 'application/json';
  const plant = { name: 'Aloe' };
  const judged = (kind: Kind, status: number, body: unknown, type = json) =>
    violationOf({ kind, plant }, { status, headers: [], type, body: JSON.stringify(body) });

  test('accepts what the interface demands', () => {
    expect(judged('plain', 200, plant)).toBeUndefined();
    expect(judged('mistake', 400, { error: 1, message: 'no', more: [] })).toBeUndefined();
    expect(judged('open', 409, { error: 1, message: 'no' })).toBeUndefined();
    expect(judged('elsewhere', 500, 'anything')).toBeUndefined();
  });

  test('finds what it forbids', () => {
    expect(judged('plain', 400, { error: 1, message: 'no' })).toBe('a plain plant is rejected');
    expect(judged('plain', 201, plant)).toBe('the status of a success is not 200');
    expect(judged('plain', 200, { ...plant, id: 7 })).toBe('the plant has another field');
    expect(judged('plain', 200, { ...plant, tag: null })).toBe('the tag is no string');
    expect(judged('plain', 200, { name: 'aloe' })).toBe('another plant comes back');
    expect(judged('plain', 200, plant, 'text/plain')).toBe('the media type of a plant is not JSON');
    expect(judged('mistake', 200, plant)).toBe('a mistake is not rejected');
    expect(judged('mistake', 400, { error: 'x', message: 'no' })).toBe('a rejection has no Error');
    expect(judged('open', 500, {})).toBe('the provider fails');
  });
});
