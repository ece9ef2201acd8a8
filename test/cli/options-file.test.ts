import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunningPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { folderWith } from '../folder.js';
import { plantStore } from './console.js';

const TOKEN = 'a-token-that-must-not-be-shown';
let store: RunningPlantStore;
beforeAll(async () => {
  store = await startPlantStore({ token: TOKEN });
});
afterAll(() => store.close());

let folder: string;
beforeEach(() => {
  folder = folderWith();
});

const NAME = 'plant-store.config.json';
const write = (options: unknown, name = NAME): void =>
  writeFileSync(join(folder, name), typeof options === 'string' ? options : JSON.stringify(options));
const run = (argv: readonly string[], io = {}) =>
  plantStore(argv, {
    folder,
    env: { PLANT_STORE_TOKEN: TOKEN },
    readBytes: async (path) => readFileSync(join(folder, path)),
    ...io,
  });

const firstLines = (text: string, count = 1): readonly string[] => text.split('\n').slice(0, count);

/** What a check without sending anything shows of its options. */
const dryRun = (...flags: readonly string[]) => run(['check', '--dry-run', ...flags]);

test('gives the base URL and the flags of a check, and the output says which', async () => {
  write({ $schema: './x', baseUrl: store.url, check: { only: ['success'], quiet: true, reporter: 'json' } });
  const { status, stdout, stderr } = await run(['check']);
  expect([status, JSON.parse(stdout).conclusion]).toEqual([0, 'conforms']);
  expect(JSON.parse(stdout).rules.every(({ id }: { id: string }) => id.startsWith('success/'))).toBe(true);
  expect(firstLines(stderr)).toEqual([
    'options from plant-store.config.json: baseUrl, only, quiet, reporter',
  ]);
});

test('is overridden by the command line: a list that is typed does not add to it', async () => {
  write({ baseUrl: 'http://from-the-file', check: { header: ['X-From: file', 'X-Two: 2'], only: 'auth' } });
  const outcome = await dryRun('http://from-the-flag', '--header', 'X-One: 1', '--header', 'X-Three: 3');
  expect(outcome.stdout).toContain("'http://from-the-flag/plants'");
  expect(outcome.stdout).not.toMatch(/from-the-file|X-From|X-Two/);
  expect(outcome.stdout).toMatch(/X-One.*X-Three/);
});

test('and a typed flag may exclude each other', async () => {
  write({ baseUrl: 'http://x', check: { ca: 'package.json' } });
  expect((await dryRun('--insecure')).stderr).toContain(
    "option '--insecure' cannot be used with option '--ca <file>'",
  );
});

test('may be another one, or none', async () => {
  write({ baseUrl: 'http://usual' });
  write({ baseUrl: 'http://other' }, 'other.json');
  expect((await dryRun('--config', 'other.json')).stdout).toContain('http://other/plants');
  expect((await dryRun('--config=other.json')).stdout).toContain('http://other/plants');
  expect((await run(['--config', 'other.json', 'check', '--dry-run'])).stdout).toContain(
    'http://other/plants',
  );
  expect((await dryRun('--no-config')).stderr).toContain('the base URL is missing');
  expect(await dryRun('--config', 'none.json')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('the options file none.json cannot be read: there is no such file'),
  });
});

test('is read in the working directory only: a file above it could belong to somebody else', async () => {
  write({ baseUrl: 'http://x', check: { start: 'touch planted' } });
  const below = join(folder, 'below');
  const readBytes = async (path: string) => readFileSync(join(below, path));
  expect((await run(['check', '--dry-run'], { folder: below, readBytes })).stderr).toContain(
    'the base URL is missing',
  );
});

test('says before they run which commands and modules it gives, escaped', async () => {
  write({ baseUrl: 'http://x', check: { start: 'go run .\n::error::', rules: ['a.js', 'b.js'] } });
  const { stderr } = await run(['check']);
  expect(firstLines(stderr, 3)).toEqual([
    'options from plant-store.config.json: baseUrl, start, rules',
    '  start: go run .\\n::error::',
    '  rules: a.js, b.js',
  ]);
});

test('says only what counts: not what the command line overrides, and no flag that is off', async () => {
  write({ baseUrl: 'http://x', check: { rules: 'a.js', start: 'b', only: 'auth', quiet: false } });
  writeFileSync(join(folder, 'typed.mjs'), 'export default []');
  const flags = ['check', 'http://127.0.0.1:9', '--rules', 'typed.mjs', '--start', 'c'];
  const readFile = async (path: string) => readFileSync(path, 'utf8');
  const { status, stderr } = await run(flags, { readFile });
  expect(status).toBe(2);
  expect(firstLines(stderr, 1)).toEqual(['options from plant-store.config.json: only']);
  expect(stderr).toContain('the house rules in typed.mjs');
});

test('a value is never another option, whatever is in it', async () => {
  write({ baseUrl: 'http://x', check: { only: 'auth', header: ['X-A: --rules=planted.mjs', 'B: -x'] } });
  const { stdout, stderr } = await dryRun();
  expect(stderr).toBe('options from plant-store.config.json: baseUrl, only, header\n');
  expect(stdout).toMatch(/X-A.*B:/);
  write({ baseUrl: 'http://x', check: { only: '--rules=planted.mjs' } });
  expect((await dryRun()).stderr).toContain('--rules=planted.mjs');
});

test('a module is found from the file', async () => {
  mkdirSync(join(folder, 'ci'));
  writeFileSync(join(folder, 'ci/rules.mjs'), 'export default "of the file"');
  write({ check: { rules: ['./rules.mjs'] } }, 'ci/strict.json');
  const readFile = async (path: string) => readFileSync(path, 'utf8');
  const { stderr } = await run(['check', 'http://x', '--config', 'ci/strict.json'], { readFile });
  expect(stderr).toBe(
    'options from ci/strict.json: rules\n  rules: ci/rules.mjs\n' +
      'plant-store-contract: the house rules in ci/rules.mjs must be a list, and the default export: export default [ … ]\n',
  );
});

test.each(['token', 'pactBrokerToken', 'pactBrokerPassword'])('has no secret: %s', async (name) => {
  write({ baseUrl: 'http://x', verify: { [name]: TOKEN } });
  const { status, stderr } = await run(['verify']);
  expect([status, stderr]).toEqual([
    2,
    `plant-store-contract: ${NAME}: "${name}" is a secret; set its environment variable instead (see --help)\n`,
  ]);
});

test('does not concern commands that need none, and no help', async () => {
  write('{');
  expect((await run(['rules', 'auth'])).status).toBe(0);
  expect((await run(['check', '--help'])).status).toBe(0);
});

describe('a mistake is named', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{ "check": ', 'the options file plant-store.config.json is not JSON: '],
    ['an option outside of a command', { timeout: 1 }, '"timeout" is no command; write an option under'],
    ['an unknown option', { check: { quit: true } }, 'unknown option "quit"; did you mean "quiet"?'],
    ['another type', { check: { timeout: true } }, '"timeout" must be a string or a number'],
    ['no list', { check: { timeout: [1, 2] } }, '"timeout" must be a string or a number'],
    ['an empty list', { check: { only: [] } }, '"only" must be a string or a list of strings'],
    ['no number', { check: { timeout: '1s' } }, '"timeout": It must be a whole number.'],
    ['no choice', { serve: { log: 'loud' } }, '"log" must be one of text, json, silent'],
    ['no module', { check: { rules: true, only: 'x.mjs' } }, '"rules" must be a string or a list of strings'],
    ['no URL', { baseUrl: 5 }, '"baseUrl" must be a string'],
    ['a text for a flag', { check: { quiet: 'yes' } }, '"quiet" must be true or false'],
    ['an object', { check: { only: { a: 1 } } }, '"only" must be a string or a list of strings'],
  ])('%s', async (_what, options, says) => {
    write(options);
    const [command = 'check'] = Object.keys(Object(options)).filter((one) => one === 'serve');
    const { status, stdout, stderr } = await run([command]);
    expect(stderr).toContain(says);
    expect([status, stdout]).toEqual([2, '']);
  });
});
