import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CheckReport, type Profile, planCheck, rules } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { mayWrite } from '../../src/cli/may-write.js';
import { startInFront } from '../conformance/providers/in-front.js';
import { certificate, startTls } from '../conformance/providers/tls.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const demands = rules.filter(({ level }) => level !== 'unspecified').length;

describe('plant-store check', () => {
  test('exits with 0 and a report for people where the provider conforms', async () => {
    await using store = await startPlantStore({ token });
    const { status, stdout, stderr } = await plantStore(['check', store.url, '--token', token]);
    expect(status).toBe(0);
    expect(stderr).toMatch(/^checking \S+ with \d+ requests; they create \d+ to \d+ plants, .*\n$/);
    expect(stdout).toContain(`conforms: ${demands} pass, ${rules.length - demands} observed`);
  });

  test('exits with 1 if the provider breaks a rule', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const { status, stdout } = await plantStore(['check', store.url, '--token', token]);
    expect(status).toBe(1);
    expect(stdout).toContain('a 200 with "id"');
  });

  test.each([['the token is refused', ['--token', 'wrong'], 'every plain plant gets 400 ("']])(
    'exits with 2 where %s',
    async (_why, flags, sentence) => {
      await using store = await startPlantStore({ token });
      const { status, stdout } = await plantStore(['check', store.url, ...flags]);
      expect(status).toBe(2);
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(sentence);
    },
  );

  test.each([
    [['check'], 'the base URL is missing: pass'],
    [['check', '', '--token', 't'], 'must be an absolute URL'],
    [['check', 'http://127.0.0.1:1'], 'the token is missing'],
    [['check', 'ftp://127.0.0.1', '--token', 't'], 'must begin with http:// or https://'],
    [
      ['check', 'http://127.0.0.1:1', '--token', 't', '--reporter', 'pdf'],
      'there is no reporter "pdf"; there are: text, json, ',
    ],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--timeout', 'soon'], 'must be a whole number'],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--frobnicate'], "unknown option '--frobnicate'"],
    [['chekc'], 'Did you mean check?'],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--only', 'auht'], '"auht" is not a rule, a topic'],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--level', 'vague'], 'unknown level "vague"'],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--header', 'X'], 'must look like "Name: value"'],
    [['check', 'http://127.0.0.1:1', '--token', 't', '--ca', 'no.pem'], 'the CA cannot be read from no.pem'],
    [
      ['check', 'http://127.0.0.1:1', '--token', 't', '--expect-failures', 'package.json'],
      'package.json must be a list',
    ],
    [
      ['check', 'http://127.0.0.1:1', '--token', 't', '--reporter', 'json', '--reporter', 'html'],
      'json and html would both go to standard output',
    ],
  ])('%j is a usage error: exit status 2 and a sentence', async (argv, sentence) => {
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

  test('a report that goes to a file leaves a line on standard error', async () => {
    await using store = await startPlantStore({ token });
    const argv = ['check', store.url, '--token', token, '--only', 'success', '--reporter', 'json=a.json'];
    const { stdout, stderr } = await plantStore(argv);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/\nThe provider satisfies all \d+ rules that apply to it\.\n$/);
  });

  test('a file that cannot be written is reported before anything is sent', async () => {
    await using store = await startPlantStore({ token });
    const argv = ['check', store.url, '--token', token, '--profile', 'test', '--reporter', 'json=a.json'];
    const { status, stderr } = await plantStore(argv, { mayWrite });
    expect([status, stderr]).toEqual([2, 'plant-store: test cannot be written: it is a folder\n']);
    expect(store.received()).toEqual([]);
  });

  test.each([
    ['package.json/report.json', `${resolve('package.json')} is not a folder`],
    ['test', 'it is a folder'],
  ])('%s can hold no report', async (path, why) => {
    await expect(mayWrite(path)).rejects.toThrow(why);
  });

  test.each(['package.json', 'new/folder/report.json'])('%s can hold a report', async (path) => {
    await mayWrite(path);
    expect(existsSync('new')).toBe(false);
  });

  test('a report that cannot be written is reported, not thrown', async () => {
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

describe('the flags of check', () => {
  test('--only, --skip and --level choose rules', async () => {
    await using store = await startPlantStore({ token });
    const argv = ['check', store.url, '--token', token, '--reporter', 'json', '--no-prism'];
    const { stdout } = await plantStore([
      ...argv,
      ...['--only', 'auth,failure', '--only', 'state', '--skip', 'failure', '--level', 'implied'],
    ]);
    const { rules: judged } = JSON.parse(stdout) as CheckReport;
    expect(new Set(judged.map(({ level }) => level))).toEqual(new Set(['implied']));
    expect(new Set(judged.map(({ id }) => id.split('/')[0]))).toEqual(new Set(['auth', 'state']));
  });

  test('--profile writes what was observed, on its own', async () => {
    await using store = await startPlantStore({ token, duplicateId: 'replace' });
    const flags = ['--token', token, '--profile', 'profile.json', '--implementation', '@acme/plants@2.0'];
    const { files } = await plantStore(['check', store.url, ...flags]);
    const profile: Profile = JSON.parse(files['profile.json'] ?? '');
    expect(profile.implementation).toEqual({ name: '@acme/plants', version: '2.0' });
    expect(profile.behaviours.length).toBeGreaterThanOrEqual(20);
    expect(profile.behaviours).toContainEqual({
      rule: 'unspecified/repeated-id',
      sentence: 'A duplicate id returns 200.',
      value: '200',
    });
  });

  test('--expect-failures excuses what is listed, and nothing else', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const list = [{ rule: 'success/plant-fields-only', reason: 'old clients', until: '2999-01-01' }];
    const argv = ['check', store.url, '--token', token, '--expect-failures', 'known.json'];
    const known = await plantStore(argv, { readFile: async () => JSON.stringify(list) });
    expect(known.status).toBe(0);
    expect(known.stdout).toContain('expected to fail until 2999-01-01: old clients');
    const more = [...list, { rule: 'success/name-comes-back', reason: 'fixed long ago' }];
    const outdated = await plantStore(argv, { readFile: async () => JSON.stringify(more) });
    expect(outdated.status).toBe(1);
    expect(outdated.stdout).toContain('Expected failures now pass: success/name-comes-back.');
  });

  test('--dry-run prints what would be sent, without a token, and sends nothing', async () => {
    const { status, stdout } = await plantStore(['check', 'http://127.0.0.1:1', '--dry-run']);
    expect(status).toBe(0);
    // Requests on one connection are one command.
    expect(stdout.match(/^curl |\| curl | --next /gm)?.length).toBe(planCheck().requests);
    expect(stdout).toContain('# a plain plant without a tag (created)\n');
  });

  test('--header, --timeout and --concurrency reach the requests', async () => {
    let most = 0;
    let now = 0;
    await using provider = await startInFront({ token }, async ({ request, pass }) => {
      most = Math.max(most, ++now);
      // So that the next request arrives meanwhile.
      if (most < 2) await sleep(20);
      if (request.headers['x-tenant'] === 'a: b') await pass();
      now--;
    });
    const flags = ['--header', 'X-Tenant: a: b', '--timeout', '4000', '--concurrency', '2'];
    const { status } = await plantStore(['check', provider.url, '--token', token, ...flags]);
    expect([status, most]).toEqual([0, 2]);
  });

  test('--insecure and --ca take a certificate that nobody knows', async () => {
    await using provider = await startTls(token);
    const argv = ['check', provider.url, '--token', token, '--only', 'auth'];
    expect((await plantStore(argv)).status).toBe(2);
    expect((await plantStore([...argv, '--insecure'])).status).toBe(0);
    const readFile = async () => certificate;
    expect((await plantStore([...argv, '--ca', 'ca.pem'], { readFile })).status).toBe(0);
  });

  test('--quiet, and CI, leave out what is as it should be', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const argv = ['check', store.url, '--token', token];
    const whole = (await plantStore(argv)).stdout;
    const quiet = (await plantStore([...argv, '--quiet'])).stdout;
    const ci = (await plantStore(argv, { env: { CI: 'true' } })).stdout;
    expect(whole).toContain('✓');
    expect(quiet).not.toContain('✓');
    expect(quiet).toContain('✗ A 200 has only the fields of Plant');
    expect(ci.split('\n').length).toBe(quiet.split('\n').length);
  });

  test('github writes annotations, and appends a summary where the runner has one', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const argv = ['check', store.url, '--token', token, '--reporter', 'github', '--reporter', 'text'];
    const env = { GITHUB_STEP_SUMMARY: '/summary.md' };
    const { stdout, files } = await plantStore(argv, { env });
    expect(stdout).toMatch(/^::error title=success\/plant-fields-only::/m);
    expect(files['/summary.md']).toContain('success/plant-fields-only');
  });
});

describe('a person who watches', () => {
  const terminal = () => {
    const written: string[] = [];
    // What cli-progress asks of a terminal.
    const stream = {
      isTTY: true,
      columns: 80,
      write: (text: string) => written.push(text),
      on: () => stream,
    };
    return { stream, written };
  };

  test('sees a bar on a terminal', async () => {
    await using store = await startPlantStore({ token });
    const { stream, written } = terminal();
    await plantStore(['check', store.url, '--token', token], { stderr: stream });
    expect(written.join('')).toMatch(/\d+ of \d+ requests/);
  });

  test.each([[{ CI: 'true' }], [{ TERM: 'dumb' }]])('sees none with %j', async (env) => {
    await using store = await startPlantStore({ token });
    const { stream, written } = terminal();
    await plantStore(['check', store.url, '--token', token], { stderr: stream, env });
    expect(written.join('')).not.toContain('of 1');
  });

  test('can stop, and gets what is known so far', async () => {
    let stop = (): void => {};
    let seen = 0;
    await using provider = await startInFront({ token }, async ({ pass }) => {
      if (++seen === 30) stop();
      await pass();
    });
    const untilStopped = () =>
      new Promise<void>((resolve) => {
        stop = resolve;
      });
    const { status, stdout } = await plantStore(['check', provider.url, '--token', token], { untilStopped });
    expect(status).toBe(2);
    expect(stdout).toContain('stopped before its end');
    expect(stdout).toContain('✓ A valid, authorised creation returns 200.');
  });
});

describe('plant-store demo', () => {
  test('starts the reference server and checks it', async () => {
    const { status, stdout, stderr } = await plantStore(['demo']);
    expect(status).toBe(0);
    expect(stdout).toContain(`The provider satisfies all ${demands} rules that apply to it.`);
    expect(stderr).toMatch(/\nTry next:\n(?: {2}npx plant-store [^\n]+\n){3}$/);
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

  test.each([['--help'], ['check', '--help'], ['rules', '--help'], ['serve', '--help'], ['help', 'demo']])(
    '%s %s is on standard output, status 0',
    async (...argv) => {
      const { status, stdout } = await plantStore(argv.filter((word) => typeof word === 'string'));
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: plant-store/);
    },
  );

  test('plant-store alone shows what there is, as a usage error', async () => {
    const { status, stderr } = await plantStore([]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^Usage: plant-store/);
  });
});
