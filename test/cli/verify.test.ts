import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Verification } from 'plant-store-contract/pact';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { startBrokerStub } from '../pact/verification/broker.js';
import { folderWith, pactFile, pactOf } from '../pact/verification/pacts.js';
import { parseXml } from '../reporters/xml.js';
import { plantStore } from './console.js';

const token = 'a-token-of-these-tests';
const creation = { description: 'a creation', given: { 'no plant with id': '{"id":7}' } };

describe('plant-store verify', () => {
  test('tells people what it saw, and ends with 0', async () => {
    await using store = await startPlantStore({ token });
    const pact = await pactFile(creation);
    const { status, stdout, stderr } = await plantStore([
      'verify',
      store.url,
      '--token',
      token,
      '--pacts',
      pact,
    ]);
    expect(stderr).toBe('');
    expect(
      stdout
        .replace(store.url, 'http://store')
        .replace(pact, 'pact.json')
        .replace(/\d+\.\d+ s/, '0.5 s'),
    ).toBe(
      [
        'plant-store at http://store',
        '',
        'garden → plant-store pact.json',
        '  ✓ a creation given no plant with id',
        '',
        'verified: 1 pass in 0.5 s',
        'The provider keeps all 1 interaction.',
        '',
      ].join('\n'),
    );
    expect(status).toBe(0);
  });

  test('writes out what fails, and ends with 1; the token stands nowhere', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id', 'answers-201'] });
    const argv = ['verify', store.url, '--pacts', await pactFile(creation), '--quiet'];
    const { status, stdout } = await plantStore(argv, { env: { PLANT_STORE_TOKEN: token } });
    expect(stdout).toContain('  ✗ a creation given no plant with id\n      pact: expected 200 but was 201\n');
    expect(stdout).toMatch(/\n {6}sent {2}POST http:\S+ \{"\S+Aloe\S+\}\n/);
    expect(stdout).toContain('\n      got   201 {"name":"Aloe","id":');
    expect(stdout).toContain('not verified: 1 fail in ');
    expect(stdout).not.toContain(token);
    expect(status).toBe(1);
  });

  test('has reporters: one JSON document alone on standard output, JUnit to a file', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const both = await pactFile(creation, {
      description: 'no token',
      authorization: null,
      answers: 'clientError',
    });
    const reporters = ['--reporter', 'json', '--reporter', 'junit=pacts.xml'];
    const argv = ['verify', store.url, '--token', token, '--pacts', both, ...reporters];
    const { status, stdout, files } = await plantStore(argv);
    expect(status).toBe(1);
    const verification: Verification = JSON.parse(stdout);
    expect(verification.pacts[0]?.interactions.map(({ verdict }) => verdict)).toEqual(['fail', 'pass']);
    const root = parseXml(files['pacts.xml'] ?? '');
    expect(root.attributes).toMatchObject({ tests: '2', failures: '1', errors: '0', skipped: '0' });
    const [suite] = root.children;
    expect(suite?.attributes.name).toBe('garden → plant-store');
    const [first, second] = suite?.children.filter(({ name }) => name === 'testcase') ?? [];
    expect(first?.attributes.name).toBe('a creation given no plant with id');
    expect(first?.children[0]?.attributes.message).toMatch(
      /^interface: \/id: a 200 carries the fields of Plant only/,
    );
    expect(second?.children).toEqual([]);
  });

  test('JUnit says what is pending, and what could not be verified', async () => {
    const pact = await pactFile(creation, {
      ...creation,
      description: 'not yet',
      answers: 400,
      pending: true,
    });
    await using store = await startPlantStore({ token });
    const argv = ['verify', store.url, '--token', token, '--pacts', pact, '--reporter', 'junit'];
    expect(parseXml((await plantStore(argv)).stdout).attributes).toMatchObject({
      failures: '0',
      skipped: '1',
    });
    const down = ['verify', 'http://127.0.0.1:9', ...argv.slice(2)];
    const { status, stdout } = await plantStore(down);
    expect([status, parseXml(stdout).attributes.errors]).toEqual([2, '2']);
  });

  test('takes a URL for states, further headers, and no validation', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const argv = ['verify', store.url, '--token', token, '--pacts', await pactFile(creation)];
    expect((await plantStore([...argv, '--no-validation', '--header', 'X-Key: 1'])).status).toBe(0);
    const { status, stdout } = await plantStore([...argv, '--state-url', 'http://127.0.0.1:9/states']);
    expect(stdout).toContain(
      '■ a creation given no plant with id\n      the state "no plant with id" cannot be set up: ',
    );
    expect(status).toBe(2);
  });

  test('passes on everything about a broker', async () => {
    await using store = await startPlantStore({ token });
    await using broker = await startBrokerStub({ pacts: [pactOf([creation])] });
    const flags = [
      '--selectors',
      '[{"branch":"main"}]',
      '--pending',
      '--wip-since',
      '2026-01-31',
      '--publish',
    ];
    const version = [
      '--provider-version',
      '1.2.3',
      '--provider-branch',
      'main',
      '--build-url',
      'https://ci.example',
    ];
    const argv = ['verify', store.url, '--token', token, '--broker', broker.url, ...flags, ...version];
    const { status, stdout } = await plantStore(argv, { env: { PACT_BROKER_TOKEN: 'of-the-broker' } });
    expect(stdout).toContain('consumers → plant-store');
    expect(status).toBe(0);
    expect(broker.calls[0]?.authorization).toBe('Bearer of-the-broker');
    expect(
      broker.calls.find(({ method, path }) => method === 'POST' && path.startsWith('/pacts'))?.body,
    ).toMatchObject({
      consumerVersionSelectors: [{ branch: 'main' }],
      includePendingStatus: true,
    });
    expect(broker.calls.find(({ path }) => path === '/results/0')?.body).toMatchObject({
      providerApplicationVersion: '1.2.3',
    });
  });

  test.each<[string, string[], RegExp]>([
    ['no token', [], /a token is needed that the provider accepts/],
    ['a base URL that is none', ['--token', token], /the base URL must be an absolute URL/],
    ['publishing to nobody', ['--token', token, '--publish'], /--publish needs a broker/],
    [
      'publishing no version',
      ['--token', token, '--broker', 'http://b', '--publish'],
      /needs --provider-version/,
    ],
    [
      'selectors that are no list',
      ['--token', token, '--broker', 'http://b', '--selectors', '{}'],
      /JSON list such as/,
    ],
    [
      'a reporter that there is not',
      ['--token', token, '--reporter', 'html'],
      /there are: text, json, junit/,
    ],
    ['pacts and a broker', ['--token', token, '--broker', 'http://b', '--pacts', 'x'], /and not from both/],
    [
      'a file that is not there',
      ['--token', token, '--ca', 'none.pem'],
      /the CA cannot be read from none.pem/,
    ],
  ])('ends with 2 for %s', async (_what, flags, message) => {
    const { status, stdout, stderr } = await plantStore(['verify', 'nonsense', ...flags]);
    expect(stderr).toMatch(message);
    expect([status, stdout]).toEqual([2, '']);
  });

  test('ends with 2 for an empty folder', async () => {
    const folder = await folderWith({});
    const { status, stderr } = await plantStore([
      'verify',
      'http://127.0.0.1:9',
      '--token',
      token,
      '--pacts',
      folder,
    ]);
    expect(stderr).toBe(`plant-store: no pact can be read from ${folder}: the folder holds no .json file\n`);
    expect(status).toBe(2);
  });

  test('in a plain shell: nothing that Pact prints is on standard output, unless it is asked for', async () => {
    await using store = await startPlantStore({ token });
    const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;
    const argv = [main, 'verify', store.url, '--token', token, '--reporter', 'json', '--pacts'];
    const exec = promisify(execFile);
    const cwd = await folderWith({ 'pact.json': pactOf([creation]) });
    const plain = await exec(process.execPath, [...argv, 'pact.json'], { cwd });
    expect(JSON.parse(plain.stdout).conclusion).toBe('verified');
    expect(plain.stderr).toBe('');
    const loud = await exec(process.execPath, [...argv, join(cwd, 'pact.json'), '--pact-output'], { cwd });
    expect(JSON.parse(loud.stdout).conclusion).toBe('verified');
    expect(loud.stderr).toContain('Verifying a pact between');
  });
});
