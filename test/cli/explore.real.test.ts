import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const flags = ['--token', token, '--only', 'success', '--explore', '--time', '2s'];

describe('plant-store check --explore', () => {
  test('says what it drew, and how to draw it again', async () => {
    await using store = await startPlantStore({ token });
    const { status, stdout, stderr, files } = await plantStore(['check', store.url, ...flags, '--seed', '4']);
    expect(status).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /To draw the same requests again: --explore --seed 4 --time \d+s/,
    );
    expect(files).toEqual({});
    expect(stderr).not.toContain('plant-store-failures.json');
  });

  test('writes failures to a file, and --replay sends them again', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const { status, files, stderr } = await plantStore(['check', store.url, ...flags]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/\nwrote plant-store-failures\.json\n$/);
    expect(Object.keys(files)).toEqual(['plant-store-failures.json']);
    const text = files['plant-store-failures.json'] ?? '';
    expect(JSON.parse(text)).toMatchObject({ failuresVersion: 1 });
    expect(text).not.toContain(token);
    const readFile = async () => text;
    const replay = ['check', store.url, '--token', token, '--replay', 'plant-store-failures.json'];
    const broken = await plantStore(replay, { readFile });
    expect(broken.status).toBe(1);
    expect(broken.stdout).toMatch(/^does not conform: /m);
    await using fixed = await startPlantStore({ token });
    const replayed = await plantStore(['check', fixed.url, ...replay.slice(2)], { readFile });
    expect(replayed.status).toBe(0);
    expect(replayed.stdout).toMatch(/^conforms: /m);
  });
});
