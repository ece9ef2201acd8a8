import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { correctProviders, startByName } from '../../../conformance/providers/correct/all.js';
import {
  closed,
  shipped,
  withExamples,
  withOtherRejections,
  withoutAllOf,
  withoutExamples,
  yamlOf,
} from './document.mjs';
import { chosen, optionsFrom } from './options.mjs';
import { cpuSecondsOfChildren, runCommand } from './processes.mjs';
import { Results } from './results.mjs';
import { type Run, score } from './score.mjs';
import { tableOf } from './table.mjs';
import { findingsOf as ofDredd } from './tools/dredd.mjs';
import { findingsOf as ofPortman } from './tools/portman.mjs';
import { findingsOf as ofSchemathesis } from './tools/schemathesis.mjs';
import { findingsOf as ofSpecmatic } from './tools/specmatic.mjs';
import { TOOLS } from './tools.mjs';

const REFERENCE = 'the reference server';

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

  test('has medians, also if the machine does not say the CPU time', () => {
    const runs = [3, 1, 2].map((seconds) => ({ ...run('fault', 'x'), seconds, requests: seconds * 10 }));
    const without = runs.map(({ cpuSeconds, ...others }) => others);
    expect(score(without)).toMatchObject({ seconds: 2, requests: 20, cpuSeconds: undefined });
  });

  test('names the runs that took too long', () => {
    expect(score([{ ...run('fault', 'hangs'), timedOut: true }]).timedOut).toEqual(['hangs']);
  });
});

test('the table has a line for each tool, also for one that is missing', () => {
  const runs = [run('correct', REFERENCE), run('fault', 'leaks-id', 'an id'), run('fault', 'unseen')];
  const tools = [{ name: 'a tool' }, { name: 'CATS', missing: 'not installed here' }, { name: 'idle' }];
  expect(tableOf(tools, runs).split('\n').slice(2)).toEqual([
    '| a tool 1.2.3 | 1 of 2 | 1 of 2 | 1 of 2 | 0 of 1 | 5 | 1.0 | 0.5 |',
    '| CATS | not installed here |  |  |  |  |  |  |',
    '| idle | not run |  |  |  |  |  |  |',
    '',
  ]);
});

describe('options', () => {
  const named = (kind: 'fault' | 'correct', ...names: string[]) => names.map((name) => ({ kind, name }));
  const all = {
    faults: named('fault', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    correct: named('correct', REFERENCE, 'p', 'q', 'r', 's', 't'),
  };
  const of = (...args: string[]) => chosen(all, optionsFrom(args)).map(({ name }) => name);

  test('ask for everything by default', () => expect(of()).toHaveLength(14));

  test('choose faults and correct providers', () =>
    expect(of('--faults', 'a,c', '--correct', '1')).toEqual([REFERENCE, 'a', 'c']));

  test('draw a sample that a seed repeats, with the reference server', () => {
    const drawn = of('--sample', '3', '--seed', '7');
    expect(drawn).toHaveLength(7);
    expect(drawn[0]).toBe(REFERENCE);
    expect(of('--sample', '3', '--seed', '7')).toEqual(drawn);
    expect(of('--sample', '3', '--seed', '8')).not.toEqual(drawn);
  });

  test.each([
    [['--sample', 'x'], '--sample must be a whole number, not "x"'],
    [['--faults', 'a,none'], 'there is no fault "none"'],
    [['--unknown'], "Unknown option '--unknown'"],
  ])('are rejected in a sentence: %s', (args, sentence) => {
    expect(() => of(...args)).toThrow(sentence);
    expect(() => of(...args)).toThrow(TypeError);
  });
});

test('a run that was stopped goes on with what is left', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-test-'));
  const file = join(folder, 'runs.jsonl');
  new Results(file).add(run('fault', 'leaks-id', 'an id'));
  const later = new Results(file);
  expect(later.has('a tool', { kind: 'fault', name: 'leaks-id' })).toBe(true);
  expect(later.has('a tool', { kind: 'correct', name: 'leaks-id' })).toBe(false);
  expect(later.has('another', { kind: 'fault', name: 'leaks-id' })).toBe(false);
  later.add(run('fault', 'b'));
  expect(readFileSync(file, 'utf8').trimEnd().split('\n')).toHaveLength(2);
  expect(new Results().runs).toEqual([]);
  rmSync(folder, { recursive: true });
});

describe('documents for the tools', () => {
  test('one without allOf has all fields of NewPlant', () => {
    const { NewPlant } = withoutAllOf(shipped()).components.schemas;
    expect(NewPlant).not.toHaveProperty('allOf');
    expect(NewPlant.required).toEqual(['name', 'id']);
    expect(Object.keys(NewPlant.properties)).toEqual(['name', 'tag', 'id']);
  });

  test('one that is closed has no other fields in a 200, and any in a request', () => {
    const { schemas } = closed(withoutAllOf(shipped())).components;
    expect(schemas.Plant.additionalProperties).toBe(false);
    expect(schemas.NewPlant).not.toHaveProperty('additionalProperties');
    expect(schemas.Error.properties.error.maximum).toBe(2 ** 31 - 1);
  });

  test('one has further rejections, and an example for each body', () => {
    const { post } = withExamples(withOtherRejections(shipped())).paths['/plants'];
    expect(Object.keys(post.responses)).toEqual(['200', '400', '4XX']);
    const bodies = [post.requestBody, ...Object.values(post.responses)] as { content: object }[];
    for (const { content } of bodies)
      expect(content).toHaveProperty(['application/json', 'example'], expect.any(Object));
    expect(yamlOf(post)).not.toMatch(/[&*]a1/);
  });

  test('one has no examples', () => {
    expect(yamlOf(shipped())).toContain('example');
    expect(yamlOf(withoutExamples(shipped()))).not.toContain('example');
  });
});

describe('findings of', () => {
  test('Schemathesis are the failures without values, and the errors', () => {
    const stdout = [
      '==== ERRORS ====',
      '____ POST /plants ____',
      'Network Error',
      '',
      'Connection failed',
      '',
      '    Connection reset by peer',
      '',
      '==== FAILURES ====',
      '1. Test Case ID: 9p2ug4',
      '',
      '- ST103 Undocumented status code',
      '',
      '    Received: 201',
      '    Documented: 200, 400',
      '',
      '[201] Created:',
      '',
      '    `{"name":"x"}`',
      '',
    ].join('\n');
    expect(ofSchemathesis(stdout)).toEqual([
      'Network Error',
      'Connection failed',
      'ST103 Undocumented status code: Received: 201 Documented: 200, 400',
    ]);
  });

  test('Dredd are the lines that say what failed', () => {
    const stdout = "fail: POST (200) /plants duration: 12ms\nfail: statusCode: Expected '200'\nbody: {}\n";
    expect(ofDredd(stdout)).toEqual(['fail: POST (200) /plants', "fail: statusCode: Expected '200'"]);
  });

  test('Specmatic are scenarios and reasons without values', () => {
    const junit = `<testcase name="Contract Tests &gt; +ve POST /plants -&gt; 200 with all the keys" time="1">
<failure message="Testing &quot;a plant&quot;&#10;  R2003: Unknown property" type="x">…</failure></testcase>
<testcase name="passes" time="1"></testcase>`;
    expect(ofSpecmatic(junit)).toEqual(['200 with all the keys: Testing "…" R2003: Unknown property']);
  });

  test('Newman are the assertions that fail', () => {
    const failures = [
      {
        source: { name: 'Creates a plant' },
        error: { test: 'status is 200', message: 'expected 201 to equal 200\nat' },
      },
      { error: { name: 'Error', message: 'connect ECONNREFUSED http://127.0.0.1:4010/plants' } },
    ];
    expect(ofPortman(JSON.stringify({ run: { failures } }))).toEqual([
      'Creates a plant: status is 200: expected 201 to equal 200',
      ': Error: connect ECONNREFUSED <url>/plants',
    ]);
  });
});

describe('processes', () => {
  test('give their output and their CPU time', async () => {
    const before = cpuSecondsOfChildren() ?? 0;
    const loop =
      'const end = Date.now() + 200; while (Date.now() < end); console.log(process.env.WORD); process.exit(3)';
    const { status, stdout, timedOut } = await runCommand(process.execPath, ['-e', loop], {
      env: { WORD: 'here' },
    });
    expect({ status, stdout, timedOut }).toEqual({ status: 3, stdout: 'here\n', timedOut: false });
    if (process.platform === 'linux') expect((cpuSecondsOfChildren() ?? 0) - before).toBeGreaterThan(0.05);
  });

  test('end at the time limit, with those that they started', async () => {
    const start = performance.now();
    const script = "require('child_process').spawn('sleep', ['60'], { stdio: 'inherit' })";
    const { timedOut } = await runCommand(process.execPath, ['-e', script], { limitMs: 500 });
    expect(timedOut).toBe(true);
    // The output would stay open as long as a process has it.
    expect(performance.now() - start).toBeLessThan(30_000);
  });

  test('that do not exist are an error', async () => {
    await expect(runCommand('/no/such/command', [])).rejects.toThrow('ENOENT');
  });
});

test('there are many correct providers, and an unknown name is an error', async () => {
  expect(Object.keys(correctProviders).length).toBeGreaterThan(90);
  await expect(startByName('secret', 'none')).rejects.toThrow('there is no correct provider "none"');
});

test('a tool that is not installed is missing', async () => {
  const path = process.env.PATH;
  process.env.PATH = '/no/such/folder';
  try {
    const found = await Promise.all(
      TOOLS.filter(({ name }) => /^(Schema|Spec|Dredd|Portman|CATS)/.test(name)).map((tool) =>
        tool.find('/none'),
      ),
    );
    for (const state of found) expect(state).toEqual({ missing: expect.any(String) });
  } finally {
    process.env.PATH = path;
  }
});
