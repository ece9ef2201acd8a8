import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkConformance, combineReports } from 'plant-store-contract/conformance';
import { casesOf, reporters } from 'plant-store-contract/reporters';
import { type RunningPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isRunning } from '../lab/torture/processes.mjs';
import { freePort } from '../package/free-port.js';
import { schemaErrors } from '../reporters/schema.js';
import { plantStore } from './console.js';

const TOKENS = { FIRST: 'the-first-secret-token', SECOND: 'the-second-secret-token' };
const top = mkdtempSync(join(tmpdir(), 'plant-store-providers-'));
let first: RunningPlantStore;
let second: RunningPlantStore;
beforeAll(async () => {
  first = await startPlantStore({ token: TOKENS.FIRST });
  second = await startPlantStore({ token: TOKENS.SECOND, faults: ['leaks-id'] });
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  rmSync(top, { recursive: true, force: true });
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(top, 'project-'));
});

const common = { quick: true, prism: false, only: ['success'] };
const two = () => ({
  node: { baseUrl: first.url, token: { env: 'FIRST' } },
  go: { baseUrl: second.url, token: { env: 'SECOND' } },
});

function write(providers: unknown, options: object = common): void {
  writeFileSync(join(folder, 'plant-store.config.json'), JSON.stringify({ ...options, providers }));
}

const run = (argv: readonly string[], io = {}) =>
  plantStore(argv, { folder, env: TOKENS, readBytes: async (path) => readFileSync(path), ...io });

const jsonOf = (text: string) => JSON.parse(text);
const conclusionsIn = ({ providers }: { providers: readonly { name: string; conclusion: string }[] }) =>
  Object.fromEntries(providers.map(({ name, conclusion }) => [name, conclusion]));

test('all are checked, each with its options, in one report', async () => {
  write(two());
  const { status, stdout, stderr } = await run(['check', '--reporter', 'json']);
  const report = jsonOf(stdout);
  expect(status).toBe(1);
  expect(schemaErrors(report)).toEqual([]);
  expect(report).toMatchObject({
    kind: 'checks',
    conclusion: 'does-not-conform',
    summary: '1 of 2 providers passes the check.',
  });
  expect(conclusionsIn(report)).toEqual({ node: 'conforms', go: 'does-not-conform' });
  expect(report.subject).toBe(`node: POST ${first.url}/plants; go: POST ${second.url}/plants`);
  expect(report.remarks.slice(-2)).toEqual([
    expect.stringMatching(/^node: The provider satisfies all \d+ rules/),
    expect.stringMatching(/^go: The provider breaks 1 of the \d+ rules/),
  ]);
  expect(stderr).toContain(`options from plant-store.config.json: only, quick, prism, providers\n`);
  expect(stderr).toContain(`node: checking ${first.url}/plants with `);
  const failing = casesOf(report).filter(({ verdict }) => verdict === 'fail');
  expect(failing.map(({ id }) => id)).toEqual(['go: success/plant-fields-only']);
  const [evidence] = failing[0]?.evidence ?? [];
  expect(report.findings[evidence?.finding ?? -1]).toMatchObject({
    title: expect.stringMatching(/^go: /),
    cases: ['go: success/plant-fields-only'],
  });
  const exchange = report.exchanges[evidence?.exchanges?.at(-1) ?? -1];
  expect(exchange.name).toMatch(/^go: plain-plant/);
  expect(exchange.request.url).toBe(`${second.url}/plants`);
  expect(Buffer.from(exchange.response.body.text).toString()).toContain('"id"');
});

test('every format names the providers, and no output has a token', async () => {
  write(two());
  const names = ['junit', 'markdown', 'html', 'ctrf', 'har', 'github', 'json'];
  const flags = names.flatMap((name) => ['--reporter', `${name}=${name}.out`]);
  const { status, stdout, stderr, files } = await run(['check', ...flags, '--reporter', 'text']);
  expect(status).toBe(1);
  for (const [name, text] of Object.entries({ ...files, stdout })) {
    expect(text, name).toContain('go: ');
    for (const token of Object.values(TOKENS)) expect(text, name).not.toContain(token);
  }
  expect(Object.keys(files)).toHaveLength(names.length);
  for (const token of Object.values(TOKENS)) expect(stderr).not.toContain(token);
  expect(stdout).toMatch(/go: The provider breaks 1 of the \d+ rules that were judged\.[^\n]*\n/);
});

test('--provider picks some; a picked one has a report of its own', async () => {
  write({ ...two(), rust: { baseUrl: first.url, token: { env: 'NOT_SET' } } });
  const one = jsonOf((await run(['check', '--provider', 'node', '--reporter', 'json'])).stdout);
  expect(one).toMatchObject({ kind: 'check', conclusion: 'conforms' });
  const some = jsonOf((await run(['check', '--provider', 'go,node', '--reporter', 'json'])).stdout);
  expect(conclusionsIn(some)).toEqual({ node: 'conforms', go: 'does-not-conform' });
});

test('a base URL on the command line is another provider', async () => {
  write(two());
  const argv = ['check', first.url, '--token', TOKENS.FIRST, '--reporter', 'json'];
  expect(jsonOf((await run(argv)).stdout)).toMatchObject({ kind: 'check', conclusion: 'conforms' });
});

test('a flag on the command line is for all', async () => {
  write(two());
  const { stdout } = await run(['check', '--only', 'auth', '--reporter', 'json']);
  const rules = jsonOf(stdout).providers.flatMap(({ rules }: { rules: { id: string }[] }) => rules);
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.every(({ id }: { id: string }) => id.startsWith('auth/'))).toBe(true);
});

test('one that cannot be tested does not stop the others, and its exit status is the worst', async () => {
  const port = await freePort();
  const lost = `http://127.0.0.1:${port}`;
  write({
    ...two(),
    lost: { baseUrl: lost, token: { env: 'FIRST' } },
    broken: { baseUrl: lost, token: { env: 'FIRST' }, start: 'echo no such database; exit 3' },
  });
  const { status, stdout, stderr } = await run(['check', '--reporter', 'json']);
  const report = jsonOf(stdout);
  expect(status).toBe(2);
  expect(schemaErrors(report)).toEqual([]);
  expect(report).toMatchObject({ conclusion: 'incomplete', summary: '1 of 4 providers passes the check.' });
  expect(conclusionsIn(report)).toEqual({
    node: 'conforms',
    go: 'does-not-conform',
    lost: 'not-testable',
    broken: 'not-testable',
  });
  expect(casesOf(report).find(({ id }) => id === 'broken: provider')).toMatchObject({
    verdict: 'blocked',
    detail: expect.stringContaining('it ended with exit code 3'),
  });
  expect(stderr).toContain('no such database');
});

test('if none can be tested, neither can they together', async () => {
  const lost = `http://127.0.0.1:${await freePort()}`;
  write({ a: { baseUrl: lost, token: { env: 'FIRST' } }, b: { baseUrl: lost, token: { env: 'FIRST' } } });
  const { status, stdout } = await run(['check', '--reporter', 'json']);
  expect([status, jsonOf(stdout).conclusion]).toEqual([2, 'not-testable']);
});

test('the token of one is hidden if another one shows it', async () => {
  await using leaky = await startPlantStore({ token: TOKENS.SECOND });
  const short = 'kurz17';
  const leak = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(400, { 'Content-Type': 'application/json', 'X-Leak': short });
      response.end(`{"error":1,"message":"${TOKENS.SECOND} ${short}"}`);
    });
  }).listen(0, '127.0.0.1');
  await once(leak, 'listening');
  const { port } = leak.address() as AddressInfo;
  write({
    leak: { baseUrl: `http://127.0.0.1:${port}`, token: { env: 'FIRST' } },
    other: { baseUrl: leaky.url, token: { env: 'SECOND' }, header: ['X-Key: kurz17'] },
  });
  const { stdout, files } = await run(['check', '--reporter', 'json', '--reporter', 'har=run.har']);
  leak.close();
  for (const text of [stdout, ...Object.values(files)]) {
    expect(text).not.toContain(TOKENS.SECOND);
    expect(jsonOf(text)).toBeTruthy();
  }
  expect(JSON.stringify(jsonOf(stdout).exchanges)).not.toContain(short);
  expect(stdout).toContain('[secret]');
});

test('a response time is measured while no other check runs', async () => {
  const seen: string[] = [];
  const watched = ['a', 'b'].map((name) =>
    createServer((request, response) => {
      seen.push(name);
      request.resume().on('end', () => response.writeHead(403).end());
    }).listen(0, '127.0.0.1'),
  );
  const providers = await Promise.all(
    watched.map(async (server, at) => {
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      return ['ab'[at], { baseUrl: `http://127.0.0.1:${port}`, token: { env: 'FIRST' } }];
    }),
  );
  write(Object.fromEntries(providers), { ...common, maxResponseTime: 5_000 });
  await run(['check', '--quiet']);
  expect(seen.join('')).toMatch(/^a{2,}b{2,}$/);
  seen.length = 0;
  write(Object.fromEntries(providers));
  await run(['check', '--quiet']);
  expect(seen.join('')).not.toMatch(/^a+b+$/);
  for (const server of watched) server.close();
});

describe('files', () => {
  test('each has its own list of expected failures, which is updated', async () => {
    const own = Object.fromEntries(
      Object.entries(two()).map(([name, options]) => [name, { ...options, expectFailures: `${name}.json` }]),
    );
    write(own);
    for (const name of Object.keys(own)) writeFileSync(join(folder, `${name}.json`), '[]');
    const { files, stderr } = await run(['check', '--update-expected-failures', '--quiet', '--no-quick'], {
      readFile: async (path: string) => readFileSync(path, 'utf8'),
    });
    const written = Object.entries(files).map(([path, text]) => [path.split('/').at(-1), jsonOf(text)]);
    expect(Object.fromEntries(written)).toMatchObject({
      'node.json': [],
      'go.json': [{ rule: 'success/plant-fields-only' }],
    });
    expect(stderr).toMatch(/go: \S*go\.json: added success\/plant-fields-only\n/);
  });

  test('what exploring finds has the name of the provider', async () => {
    write(two(), { prism: false, only: ['success'], explore: true, runs: 20, seed: 5 });
    const { files, status } = await run(['check', '--quiet']);
    expect(status).toBe(1);
    expect(Object.keys(files)).toEqual(['plant-store-failures-go.json']);
  });

  test.for([
    [
      '--profile',
      'p.json',
      'p.json would be written for node and for go: name a file for each in the options file, or pick one with --provider',
    ],
    ['--like-reference', '', '--like-reference is for one provider: pick one with --provider'],
    ['--replay', 'x.json', '--replay is for one provider: pick one with --provider'],
  ] as const)('%s is for one', async ([flag, value, problem]) => {
    write(two());
    const { status, stderr } = await run(['check', flag, ...(value === '' ? [] : [value])]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`plant-store: ${problem}\n`)]);
  });
});

test('--dry-run prints the requests of each', async () => {
  write(two());
  const { stdout, status } = await run(['check', '--dry-run']);
  expect(status).toBe(0);
  expect(stdout.indexOf('# Provider node')).toBeLessThan(stdout.indexOf(first.url));
  expect(stdout.indexOf(first.url)).toBeLessThan(stdout.indexOf('# Provider go'));
  expect(stdout.indexOf('# Provider go')).toBeLessThan(stdout.indexOf(second.url));
});

test('if the command is stopped, it ends, and so does everything that it started', async () => {
  const provider = new URL('start/provider.mjs', import.meta.url).pathname;
  const started = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const port = await freePort();
      const start = `"${process.execPath}" "${provider}" ${port} pid=${join(folder, name)} unavailable-ms=60000`;
      return [name, { baseUrl: `http://127.0.0.1:${port}`, token: { env: 'FIRST' }, start }];
    }),
  );
  write(Object.fromEntries(started), { prism: false });
  let stop = (): void => {};
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const ending = run(['check', '--reporter', 'json', '--wait', '60s'], { untilStopped: () => stopped });
  const pids = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const file = join(folder, name);
      while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
      return Number(readFileSync(file, 'utf8'));
    }),
  );
  stop();
  const { status, stdout, stderr } = await ending;
  expect(status).toBe(2);
  expect(conclusionsIn(jsonOf(stdout))).toEqual({ a: 'not-testable', b: 'not-testable' });
  expect(stdout).toContain('stopped while it was awaited');
  expect(stderr).toMatch(/^a: stopping: \d+ requests? sent/m);
  expect(pids.map((pid) => isRunning(pid))).toEqual([false, false]);
});

describe('a wrong options file or flag is named', () => {
  test.for([
    [[], '"providers" must be an object with the options of each provider, by its name'],
    [{}, '"providers" must be an object with the options of each provider, by its name'],
    [{ 'a b': {} }, '"providers.a b" is no name: use up to 40 letters, digits, ".", "_" and "-"'],
    [{ a: 7 }, '"providers.a" must be an object with the options of that provider'],
    [{ a: { baseURL: 'x' } }, '"providers.a.baseURL" is no option; did you mean "baseUrl"?'],
    [{ a: { reporter: ['json'] } }, '"providers.a.reporter" is no option'],
    [
      { a: { token: 'secret' } },
      '"providers.a.token" is a secret: write the name of an environment variable',
    ],
    [{ a: { rate: 'x' } }, '"providers.a.rate" must be a whole number; got "x"'],
  ] as const)('%j', async ([providers, problem]) => {
    write(providers);
    const { status, stderr } = await run(['check']);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`plant-store.config.json: ${problem}`)]);
  });

  test.for([
    [['--provider', 'nod'], 'there is no provider "nod"; there are: node, go; did you mean "node"?'],
    [
      ['http://127.0.0.1:1', '--provider', 'node'],
      '--provider needs "providers" in plant-store.config.json, and no base URL on the command line',
    ],
    [['--rate', '1'], 'provider node: the rate must be 5 to 1000 requests per second'],
  ] as const)('%j', async ([flags, problem]) => {
    write(two());
    const { status, stderr } = await run(['check', ...flags]);
    expect([status, stderr]).toEqual([2, expect.stringContaining(`plant-store: ${problem}\n`)]);
  });

  test('a provider without a base URL, or without a token', async () => {
    write({ a: { token: { env: 'FIRST' } }, b: { token: { env: 'FIRST' } } });
    expect((await run(['check'])).stderr).toContain('plant-store: provider a: the base URL is missing');
    write({ a: { token: { env: 'NOT_SET' } }, b: { token: { env: 'FIRST' } } });
    expect((await run(['check'])).stderr).toContain('the environment variable NOT_SET, which is not set');
    write({ a: { baseUrl: first.url }, b: { baseUrl: first.url } });
    expect((await run(['check'])).stderr).toContain('plant-store: provider a: the token is missing');
  });

  test('a token of its own goes before a common command that gets one', async () => {
    write(
      { a: { ...two().node }, b: { baseUrl: second.url } },
      { ...common, tokenCommand: `echo ${TOKENS.SECOND}` },
    );
    const { stdout } = await run(['check', '--reporter', 'json']);
    expect(conclusionsIn(jsonOf(stdout))).toEqual({ a: 'conforms', b: 'does-not-conform' });
  });
});

test('the evidence of each provider points to its own finding and exchanges', async () => {
  const options = { baseUrl: second.url, token: TOKENS.SECOND, ...common };
  const report = await checkConformance(options);
  const both = combineReports(['a', 'b'].map((name) => ({ name, report })));
  for (const name of ['a', 'b']) {
    const id = `${name}: success/plant-fields-only`;
    const [evidence] = casesOf(both).find((one) => one.id === id)?.evidence ?? [];
    expect(both.findings[evidence?.finding ?? -1]?.cases).toEqual([id]);
    expect(both.exchanges?.[evidence?.exchanges?.[0] ?? -1]?.name).toMatch(new RegExp(`^${name}: `));
  }
});

test('reports can be combined in code; names are unique', async () => {
  expect(() => combineReports([])).toThrow('there is no report to combine');
  const one = { name: 'a', baseUrl: 'http://localhost', problem: 'it is off' };
  expect(() => combineReports([one, one])).toThrow('two providers have the name "a"');
  const report = combineReports([one]);
  expect(report).toMatchObject({ conclusion: 'not-testable', summary: '0 of 1 provider pass the check.' });
  for (const name of ['text', 'junit', 'html'] as const)
    expect(reporters[name](report)).toContain('it is off');
});
