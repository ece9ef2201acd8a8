import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectProxy, startConnectProxy } from '../http/connect-proxy.js';
import { freePort } from '../package/free-port.js';
import { plantStore } from './console.js';

const TOKEN = 'token-of-these-tests';
const PASSWORD = 'pass-word-of-the-proxy';
const FLAGS = ['--token', TOKEN, '--only', 'auth', '--quick', '--quiet'];

let store: Awaited<ReturnType<typeof startPlantStore>>;
let proxy: ConnectProxy;
let url: string;
beforeAll(async () => {
  store = await startPlantStore({ token: TOKEN });
  proxy = await startConnectProxy();
  url = proxy.url.replace('//', `//me:${PASSWORD}@`);
});
afterAll(async () => {
  await store.close();
  await proxy.close();
});

const check = (env: Record<string, string>, ...flags: readonly string[]) =>
  plantStore(['check', store.url, ...FLAGS, ...flags], { env });

/** Only the proxy knows this name. */
const checkByName = (env: Record<string, string>, ...flags: readonly string[]) =>
  plantStore(['check', `http://provider.test:${store.port}`, ...FLAGS, ...flags], { env });

const through = async (work: () => Promise<unknown>): Promise<boolean> => {
  const before = proxy.asked.length;
  await work();
  return proxy.asked.length > before;
};

test('the environment names the proxy, but not for this machine', async () => {
  expect(await through(() => checkByName({ HTTP_PROXY: url }))).toBe(true);
  expect(await through(() => check({ HTTP_PROXY: url }))).toBe(false);
  expect(await through(() => check({ HTTP_PROXY: url }, '--proxy', url))).toBe(true);
  expect(await through(() => check({ NO_PROXY: '127.0.0.1' }, '--proxy', url))).toBe(false);
  expect(await through(() => checkByName({ HTTP_PROXY: url }, '--proxy', ''))).toBe(false);
});

test('the report names the proxy, and shows no password', async () => {
  const { status, stdout, stderr } = await check({}, '--proxy', url, '--wait', '20s', '--reporter', 'json');
  expect([status, JSON.parse(stdout).notes]).toEqual([
    0,
    expect.arrayContaining([
      expect.stringContaining(`The requests went through the proxy at ${new URL(url).host},`),
    ]),
  ]);
  expect(stdout + stderr).not.toContain(PASSWORD);
});

test('waiting for a provider behind a proxy names the proxy', async () => {
  const port = await freePort();
  const argv = ['check', `http://127.0.0.1:${port}`, ...FLAGS, '--wait', '1s', '--proxy', url];
  const { status, stderr } = await plantStore(argv);
  expect(status).toBe(2);
  expect(stderr).toContain(
    `the proxy at ${new URL(url).host} returned 502: it cannot reach 127.0.0.1:${port}`,
  );
  expect(stderr).not.toContain(PASSWORD);
});

test('saved failures go through it too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-proxy-'));
  const file = join(folder, 'failures.json');
  const readFile = async (path: string): Promise<string> =>
    path === file ? '{ "failuresVersion": 1, "failures": [] }' : readFileSync(path, 'utf8');
  const replay = ['check', store.url, '--token', TOKEN, '--replay', file, '--proxy', url];
  expect(await through(() => plantStore(replay, { readFile }))).toBe(true);
  rmSync(folder, { recursive: true });
});

test('the demo of the reference server goes through none', async () => {
  const argv = ['demo', '--only', 'auth', '--quick', '--quiet'];
  expect(await through(() => plantStore(argv, { env: { HTTP_PROXY: url } }))).toBe(false);
  expect((await plantStore([...argv, '--proxy', url])).stderr).toContain('--proxy needs a base URL');
});
