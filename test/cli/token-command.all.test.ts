import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenFromCommand } from '../../src/cli/start/process.js';
import { startHandler } from '../conformance/providers/handler.js';
import { startIssuer, startWith } from '../conformance/session/expiring-tokens.js';
import { isRunning } from '../lab/torture/processes.mjs';
import { plantStore } from './console.js';

const TOKEN = 'a-token-that-must-not-be-shown';
const folder = mkdtempSync(join(tmpdir(), 'plant-store-token-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let store: Awaited<ReturnType<typeof startPlantStore>>;
beforeAll(async () => {
  store = await startPlantStore({ token: TOKEN });
});
afterAll(() => store.close());

const never = new Promise<void>(() => {});
const QUICK = ['--only', 'auth', '--quick', '--quiet'];

async function pidIn(file: string): Promise<number> {
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
  return Number(readFileSync(file, 'utf8'));
}

describe('--token-command', () => {
  test.each([
    ['check', QUICK],
    ['check', [...QUICK, '--wait', '20s']],
    ['verify', []],
  ])('gives %s its token', async (command, flags) => {
    const env = { PLANT_STORE_TOKEN: 'another-token' };
    const argv = [command, store.url, '--token-command', `echo ${TOKEN}`, ...flags];
    const { status, stdout, stderr } = await plantStore(argv, { env });
    expect([status, stdout]).toEqual([0, expect.stringContaining('conforms')]);
    expect(stdout + stderr).not.toContain(TOKEN);
  });

  test('runs again when a token has expired', async () => {
    const issuer = startIssuer((accepted) => accepted < 150);
    await using provider = await startWith(issuer);
    await using issuing = await startHandler((_request, response) => response.end(issuer.issue()));
    const ask = 'fetch(process.argv[1]).then((response) => response.text()).then(console.log)';
    const command = `"${process.execPath}" -e "${ask}" ${issuing.url}`;
    const argv = ['check', provider.url, '--token-command', command, '--reporter', 'json'];
    const { status, stdout, stderr } = await plantStore(argv);
    expect([status, JSON.parse(stdout).conclusion]).toEqual([0, 'conforms']);
    expect(issuer.given.length).toBeGreaterThan(1);
    for (const token of issuer.given) expect(stdout + stderr).not.toContain(token);
  });

  test('runs in the folder of the options file', async () => {
    const below = join(folder, 'below');
    mkdirSync(below);
    writeFileSync(join(folder, 'its-token'), TOKEN);
    writeFileSync(join(folder, 'plant-store.config.json'), '{ "tokenCommand": "cat its-token" }');
    const { status } = await plantStore(['check', store.url, ...QUICK], { folder: below });
    expect(status).toBe(0);
  });

  test('is not run by a dry run', async () => {
    const file = join(folder, 'was-run');
    const argv = ['check', store.url, '--token-command', `touch '${file}'`, '--only', 'auth', '--dry-run'];
    expect((await plantStore(argv)).status).toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    [`echo ${TOKEN}; echo ${TOKEN} >&2; exit 3`, 'it ended with exit code 3'],
    [`echo ${TOKEN} >&2`, 'it wrote nothing to standard output'],
    [`echo '{"access_token":"${TOKEN}"}'`, 'it wrote JSON'],
    [`echo logged in; echo ${TOKEN}`, 'it wrote more than one line'],
    [`yes ${TOKEN} | head -c 20000`, 'it wrote more than 16384 characters'],
    [`echo Bearer ${TOKEN}`, 'the token must not begin with "Bearer"'],
    [`printf '${TOKEN}\\303\\251'`, 'the token must be a string of visible ASCII characters'],
  ])('%j gets a sentence, and its output is not shown', async (command, sentence) => {
    const { status, stdout, stderr } = await plantStore([
      'check',
      store.url,
      '--token-command',
      command,
      ...QUICK,
    ]);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain(TOKEN);
  });
});

describe('the processes of the command', () => {
  test('end with it', async () => {
    const file = join(folder, 'left');
    const command = `sleep 100 > /dev/null & echo $! > '${file}'; echo ${TOKEN}`;
    expect(await tokenFromCommand(command, folder, never)).toBe(TOKEN);
    expect(isRunning(await pidIn(file))).toBe(false);
  });

  test('end when it is late', async () => {
    const file = join(folder, 'late');
    const late = tokenFromCommand(`echo $$ > '${file}'; sleep 100`, folder, never, 300);
    await expect(late).rejects.toThrow('the token command failed: it did not end within 0.3 s');
    expect(isRunning(await pidIn(file))).toBe(false);
  });

  test('end when the check is stopped', async () => {
    const file = join(folder, 'stopped');
    const command = `trap '' TERM; echo $$ > '${file}'; sleep 100; sleep 100`;
    const untilStopped = (): Promise<void> => pidIn(file).then(() => {});
    const start = performance.now();
    const argv = ['check', store.url, '--token-command', command, ...QUICK];
    const { status, stderr } = await plantStore(argv, { untilStopped });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('the token command failed: it was stopped'),
    ]);
    expect(isRunning(await pidIn(file))).toBe(false);
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});
