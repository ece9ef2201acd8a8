import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const flags = ['--token', token, '--no-prism', '--explore', '--runs', '50'];

describe('plant-store check --explore', () => {
  test('says what it drew, and how to draw it again', async () => {
    await using store = await startPlantStore({ token });
    const { status, stdout, files } = await plantStore(['check', store.url, ...flags, '--seed', '4']);
    expect(status).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'To draw the same probes again: --explore --seed 4 --runs 50',
    );
    expect(files).toEqual({});
  });

  test('writes failures to a file, and --replay says of each whether it is fixed', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const argv = ['check', store.url, ...flags, '--failures', 'f.json'];
    const { status, files, stderr } = await plantStore(argv);
    expect(status).toBe(1);
    expect(stderr).toContain('the failures are in f.json');
    const text = files['f.json'] ?? '';
    expect(JSON.parse(text)).toMatchObject({ failuresVersion: 1 });
    expect(text).not.toContain(token);
    const readFile = async () => text;
    const replay = ['check', store.url, '--token', token, '--replay', 'f.json'];
    const broken = await plantStore(replay, { readFile });
    expect(broken.status).toBe(1);
    expect(broken.stdout).toContain('STILL FAILS');
    await using fixed = await startPlantStore({ token });
    const replayed = await plantStore(['check', fixed.url, ...replay.slice(2)], { readFile });
    expect(replayed.status).toBe(0);
    expect(replayed.stdout).toMatch(/, \d+ FIXED and 0 STILL FAILS\./);
  });

  test('shows its progress on a terminal', async () => {
    await using store = await startPlantStore({ token });
    let text = '';
    const stderr = { isTTY: true, write: (part: string) => (text += part) };
    await plantStore(['check', store.url, ...flags.slice(0, 4), '--time', '300ms'], { stderr });
    expect(text).toMatch(/exploring: \d+ requests a second, \d+ s remaining, 0 failures/);
  });
});

describe('plant-store merge', () => {
  test('combines the reports of two shards', async () => {
    await using store = await startPlantStore({ token });
    const reports: Record<string, string> = {};
    for (const index of [1, 2]) {
      const shard = ['--seed', '3', '--shard', `${index}/2`, '--reporter', `json=${index}.json`];
      Object.assign(reports, (await plantStore(['check', store.url, ...flags, ...shard])).files);
    }
    const readBytes = async (file: string) => Buffer.from(reports[file] ?? '');
    const { status, stdout } = await plantStore(['merge', '1.json', '2.json'], { readBytes });
    expect(status).toBe(0);
    expect(stdout).toContain('This report combines 2 reports.');
    const missing = await plantStore(['merge', '1.json'], { readBytes });
    expect(missing.status).toBe(2);
    expect(missing.stdout).toContain('The report of shard 2 of 2 is missing.');
  });

  test.each([
    ['{', 'is not JSON'],
    ['{}', 'is not a report of'],
    ['{"kind":"check","reportVersion":1}', '"subject" is not as it must be'],
  ])('refuses %s', async (text, sentence) => {
    const { status, stderr } = await plantStore(['merge', 'a.json'], {
      readBytes: async () => Buffer.from(text),
    });
    expect(status).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
