import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPlantStore } from 'plant-store-contract/server';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { folderWith } from '../../folder.js';
import { isRunning } from '../../lab/torture/processes.mjs';
import { commandLine } from '../../once.js';
import { freePort } from '../../package/free-port.js';
import { plantStore } from '../console.js';

const TOKEN = 'a-token-that-must-not-be-shown';
const PROVIDER = new URL('provider.mjs', import.meta.url).pathname;
const MORTAL = new URL('mortal.mjs', import.meta.url).pathname;
const folder = folderWith();

let port: number;
let url: string;
let count = 0;
const file = (name: string): string => join(folder, `${count}-${name}`);
beforeEach(async () => {
  count++;
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
});

const provider = (...options: readonly string[]): string =>
  [`"${process.execPath}" "${PROVIDER}" ${port}`, ...options.map((one) => `'${one}'`)].join(' ');

const check = (start: string, ...flags: readonly string[]) =>
  plantStore(['check', url, '--token', TOKEN, '--only', 'auth', '--start', start, ...flags]);

async function pidIn(name: string): Promise<number> {
  while (!existsSync(file(name)) || readFileSync(file(name), 'utf8') === '') await sleep(10);
  return Number(readFileSync(file(name), 'utf8'));
}

async function isFree(): Promise<boolean> {
  return await fetch(url).then(
    () => false,
    () => true,
  );
}

async function untilEnded(pid: number, withinMs: number): Promise<boolean> {
  const end = performance.now() + withinMs;
  while (isRunning(pid) && performance.now() < end) await sleep(10);
  return !isRunning(pid);
}

describe('--start', () => {
  test.each(['check', 'verify'])('runs the provider for %s, and stops it', async (command) => {
    const serve = `"${process.execPath}" "${await commandLine()}" serve --port ${port} --token ${TOKEN}`;
    const { status, stdout } = await plantStore([command, url, '--token', TOKEN, '--start', serve]);
    expect([status, stdout]).toEqual([0, expect.stringContaining('conforms')]);
    expect(await isFree()).toBe(true);
  });

  test('keeps the secrets for a broker and for the control interface from the command', async () => {
    const ours = ['PACT_BROKER_TOKEN', 'PACT_BROKER_PASSWORD', 'PLANT_STORE_CONTROL_TOKEN'];
    for (const name of [...ours, 'PACT_BROKER_USERNAME', 'PLANT_STORE_TOKEN', 'FOR_PROVIDER'])
      vi.stubEnv(name, 'has-a-value');
    await check(`env > '${file('env')}'; exit 1`);
    vi.unstubAllEnvs();
    const names = (name: string) => readFileSync(file(name), 'utf8').replaceAll(/=.*/g, '').split('\n');
    expect(names('env').filter((name) => ours.includes(name))).toEqual([]);
    expect(names('env')).toEqual(
      expect.arrayContaining(['PACT_BROKER_USERNAME', 'PLANT_STORE_TOKEN', 'FOR_PROVIDER', 'PATH']),
    );
  });

  test('stops a child of the provider, although both ignore SIGTERM', async () => {
    await check(provider('ignores-sigterm=', `pid=${file('pid')}`, `stubborn=${file('child')}`));
    expect(isRunning(await pidIn('pid'))).toBe(false);
    // SIGKILL ends it as soon as it has a turn.
    expect(await untilEnded(await pidIn('child'), 1_000)).toBe(true);
  });

  test('shows the end of the output of a provider that fails at once, without secrets and commands', async () => {
    const says = `${'x'.repeat(20_000)}\n::error::listen EADDRINUSE\u001b[31m\u0007 ${TOKEN}`;
    const start = performance.now();
    const { status, stdout, stderr } = await check(provider('exits=3', `says=${says}`));
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(
      `did not answer at ${url}/plants: it ended with exit code 3; the end of its output:`,
    );
    expect(stderr).toContain('\n  | ::error::listen EADDRINUSE\\u0007 [redacted]\n');
    expect(stderr.length).toBeLessThan(1_500);
    expect(performance.now() - start).toBeLessThan(20_000);
  });

  test('gives up a provider that does not answer in time, and ends it', async () => {
    const never = `echo listening; echo $$ > '${file('pid')}'; exec sleep 60`;
    const { status, stderr } = await check(never, '--wait', '500ms');
    expect(stderr).toMatch(
      /did not answer at .*: connect ECONNREFUSED .* \(waited 0\.5 s\); the end of its output:\n {2}\| listening/,
    );
    expect([status, isRunning(await pidIn('pid'))]).toEqual([2, false]);
  });

  test.runIf(process.platform === 'linux')('says on which other port the provider listens', async () => {
    const other = await freePort();
    const { status, stderr } = await check(provider().replace(String(port), String(other)), '--wait', '5s');
    expect(status).toBe(2);
    expect(stderr).toContain(
      `the provider listens on port ${other}, and the check asks port ${port}: give it that port, or change the base URL`,
    );
  });

  test('gives no verdict on a provider in the background, and ends it', async () => {
    const { status, stderr } = await check(
      `${provider('late-ms=300', `pid=${file('pid')}`)} >/dev/null 2>&1 &`,
    );
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('it ended with exit code 0, but the command must run as long as the provider'),
    ]);
    expect(await isFree()).toBe(true);
  });

  test('gives no verdict if another server still answers when the provider was stopped', async () => {
    const judged = check(provider('never=', `pid=${file('pid')}`));
    await pidIn('pid');
    await using store = await startPlantStore({ port, token: TOKEN });
    const { status, stderr } = await judged;
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining(`another server answers at ${store.url}/plants after the provider has ended`),
    ]);
  });

  test('starts nothing if another server answers there already', async () => {
    await using store = await startPlantStore({ port });
    const { status, stderr } = await check(provider(`pid=${file('pid')}`));
    expect(stderr).toContain(`a server answers at ${store.url}/plants before the provider is started`);
    expect([status, existsSync(file('pid'))]).toEqual([2, false]);
  });

  test('says that the provider failed during the check', async () => {
    const { status, stderr } = await check(provider('dies-after=3'));
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('the provider has ended by itself: it ended with exit code 7'),
    ]);
  });

  test('gives no verdict if the provider failed, and another server answers in its place', async () => {
    const sign = file('sign');
    // The provider waits for this sign, as one does that reads its options before it finds its port in use.
    const judged = check(provider(`pid=${file('pid')}`, `fails-after=${sign}`));
    await pidIn('pid');
    await using store = await startPlantStore({ port, token: TOKEN, delayMs: 30 });
    await vi.waitUntil(() => store.received().length > 1, { timeout: 60_000 });
    writeFileSync(sign, '');
    const { status, stderr } = await judged;
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(
        /the provider has ended by itself: it ended with exit code 2.*another server answers at /s,
      ),
    ]);
  });

  test('starts a provider again that a request has ended, and sends what is missing', async () => {
    const server = join(dirname(await commandLine()), '../server/index.js');
    const start = `"${process.execPath}" "${MORTAL}" "${server}" ${port} ${TOKEN}`;
    const only =
      'auth/missing-token-is-refused,auth/near-miss-token-is-refused,request/body-is-required,state';
    const args = ['check', url, '--token', TOKEN, '--start', start, '--only', only];
    const { status, stdout, stderr } = await plantStore([...args, '--reporter', 'json']);
    expect(stderr).toMatch(
      /it ended with exit code 7; it wrote nothing\nthe provider stopped responding; starting it again\n/,
    );
    const { findings, rules } = JSON.parse(stdout);
    expect(findings.map(({ title }: { title: string }) => title)).toEqual([
      expect.stringMatching(
        /^The provider stopped responding .* none to a request without a body, nor to anything after it, until it was started again\.$/,
      ),
    ]);
    const judged = Object.fromEntries(
      rules.map(({ id, verdict }: { id: string; verdict: string }) => [id, verdict]),
    );
    expect(judged).toMatchObject({
      'state/provider-keeps-responding': 'fail',
      'auth/missing-token-is-refused': 'pass',
      'auth/near-miss-token-is-refused': 'pass',
    });
    expect(Object.values(judged)).not.toContain('blocked');
    expect([status, await isFree()]).toEqual([1, true]);
  });

  test('starts nothing for --dry-run, or if a flag is wrong', async () => {
    const start = provider(`pid=${file('pid')}`);
    await check(start, '--dry-run');
    await check(start, '--timeout', '0');
    await plantStore(['verify', url, '--token', 'Bearer x', '--start', start]);
    expect(existsSync(file('pid'))).toBe(false);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s to the command ends the provider and its processes',
    async (signal) => {
      const start = provider('never=', 'ignores-sigterm=', `pid=${file('pid')}`, `stubborn=${file('child')}`);
      const argv = [await commandLine(), 'check', url, '--token', TOKEN, '--start', start];
      const child = spawn(process.execPath, argv, { stdio: 'ignore' });
      const pids = [await pidIn('pid'), await pidIn('child')];
      const ended = once(child, 'exit');
      const sent = performance.now();
      child.kill(signal);
      await ended;
      for (const pid of pids) expect(await untilEnded(pid, 2_000 - (performance.now() - sent))).toBe(true);
    },
  );
});

describe('--wait', () => {
  const waiting = (...flags: readonly string[]) =>
    plantStore(['check', url, '--token', TOKEN, '--only', 'auth', ...flags]);

  test('waits for a provider that starts, past refused connections and 503, and creates no plant', async () => {
    const start = provider('late-ms=300', 'unavailable-ms=900', `log=${file('log')}`);
    const child = spawn(start, { shell: true, stdio: 'ignore', detached: true });
    try {
      const { stdout } = await waiting('--wait', '30s');
      expect(stdout).toContain('every plain plant gets 400');
      const methods = readFileSync(file('log'), 'utf8').trim().split('\n');
      const asked = methods.indexOf('POST');
      expect(asked).toBeGreaterThan(1);
      expect(new Set(methods.slice(0, asked))).toEqual(new Set(['GET']));
    } finally {
      process.kill(-(child.pid as number), 'SIGKILL');
    }
  });

  test('is content with the head of a response: its body may never end', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.method === 'GET' ? 200 : 400);
      if (request.method === 'GET') response.write('[');
      else response.end();
    }).listen(port, '127.0.0.1');
    await once(server, 'listening');
    const { stdout } = await waiting('--wait', '30s');
    expect(stdout).toContain('every plain plant gets 400');
    server.closeAllConnections();
    server.close();
  });

  test('gives up after its time', async () => {
    const { status, stderr } = await waiting('--wait', '300ms');
    expect([status, stderr]).toEqual([
      2,
      expect.stringMatching(/connect ECONNREFUSED 127\.0\.0\.1:\d+ \(waited 0\.3 s\)/),
    ]);
  });
});
