import { readFileSync } from 'node:fs';
import { rules } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';

describe('plant-store check', () => {
  test('exits with 0 and a report for people where the provider conforms', async () => {
    await using store = await startPlantStore({ token });
    const { status, stdout, stderr } = await plantStore(['check', store.url, '--token', token]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^checking \S+ with \d+ requests; 3 of them create a plant, .*\n$/);
    expect(stdout).toContain(`conforms: ${rules.length} pass`);
  });

  test('exits with 1 where it breaks a rule', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const { status, stdout } = await plantStore(['check', store.url, '--token', token]);
    expect(status).toBe(1);
    expect(stdout).toContain('got "id" as well');
  });

  test.each([['the token is refused', ['--token', 'wrong'], 'is answered with 400 with the token given']])(
    'exits with 2 where %s',
    async (_why, flags, sentence) => {
      await using store = await startPlantStore({ token });
      const { status, stdout } = await plantStore(['check', store.url, ...flags]);
      expect(status).toBe(2);
      expect(stdout).toContain(sentence);
    },
  );

  test.each([
    [['check'], "missing required argument 'base-url'"],
    [['check', '', '--token', 't'], 'must be an absolute URL'],
    [['check', 'http://127.0.0.1:1'], 'a token is needed'],
    [['check', 'ftp://127.0.0.1', '--token', 't'], 'must begin with http:// or https://'],
    [
      ['check', 'http://127.0.0.1:1', '--token', 't', '--reporter', 'pdf'],
      'there is no reporter "pdf"; there are: text, json',
    ],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--timeout', 'soon'], 'must be a whole number'],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--frobnicate'], "unknown option '--frobnicate'"],
    [['chekc'], 'Did you mean check?'],
  ])('%j is misuse: exit status 2 and a sentence', async (argv, sentence) => {
    const { status, stdout, stderr } = await plantStore(argv);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  });

  test('takes the token from PLANT_STORE_TOKEN', async () => {
    await using store = await startPlantStore({ token });
    const { status } = await plantStore(['check', store.url], { env: { PLANT_STORE_TOKEN: token } });
    expect(status).toBe(0);
  });

  test('--reporter json alone puts exactly one JSON document on standard output', async () => {
    await using store = await startPlantStore({ token });
    const { stdout } = await plantStore(['check', store.url, '--token', token, '--reporter', 'json']);
    const report = JSON.parse(stdout);
    expect(report.rules[0]).toMatchObject({
      id: 'success/status-is-200',
      level: 'documented',
      verdict: 'pass',
    });
  });

  test('--reporter can be repeated and write files', async () => {
    await using store = await startPlantStore({ token });
    const argv = [
      'check',
      store.url,
      '--token',
      token,
      '--reporter',
      'text',
      '--reporter',
      'json=out/a=b.json',
    ];
    const { stdout, files } = await plantStore(argv);
    expect(stdout).toContain('conforms');
    expect(JSON.parse(files['out/a=b.json'] ?? '').conclusion).toBe('conforms');
  });

  test('a report that cannot be written is told, not thrown', async () => {
    await using store = await startPlantStore({ token });
    const argv = ['check', store.url, '--token', token, '--reporter', 'json=nowhere/report.json'];
    const { status, stderr } = await plantStore(argv, {
      writeFile: () => Promise.reject(new Error('no such folder')),
    });
    expect(status).toBe(2);
    expect(stderr).toContain('cannot be written to nowhere/report.json: no such folder');
  });

  test.each([
    [{}, false, false],
    [{}, true, true],
    [{ NO_COLOR: '1' }, true, false],
    [{ TERM: 'dumb' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
  ])('with %j on a terminal (%s) there is colour: %s', async (env, isTTY, colored) => {
    await using store = await startPlantStore({ token });
    let text = '';
    const stdout = { isTTY, write: (part: string) => (text += part) };
    await plantStore(['check', store.url, '--token', token], { env, stdout });
    expect(text.includes('\u001b[')).toBe(colored);
  });
});

describe('plant-store demo', () => {
  test('starts the reference server and checks it', async () => {
    const { status, stdout } = await plantStore(['demo']);
    expect(status).toBe(0);
    expect(stdout).toContain(`The provider keeps all ${rules.length} rules.`);
  });

  test('with a base URL checks that', async () => {
    await using store = await startPlantStore({ token, faults: ['drops-tag'] });
    const { status, stdout } = await plantStore(['demo', store.url, '--token', token]);
    expect(status).toBe(1);
    expect(stdout).toContain('success/tag-comes-back');
  });
});

describe('help', () => {
  test('--version is the version of the package', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(await plantStore(['--version'])).toMatchObject({ status: 0, stdout: `${version}\n` });
  });

  test.each([['--help'], ['check', '--help'], ['serve', '--help'], ['help', 'demo']])(
    '%s %s is on standard output, status 0',
    async (...argv) => {
      const { status, stdout } = await plantStore(argv.filter((word) => typeof word === 'string'));
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: plant-store/);
    },
  );

  test('plant-store alone shows what there is, as misuse', async () => {
    const { status, stderr } = await plantStore([]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Usage: plant-store/);
  });
});
