import { type CheckReport, probes } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { mayWrite } from '../../src/cli/file-access.js';
import type { CommandIo } from '../../src/cli/io.js';
import { certificate, startTls } from '../conformance/providers/tls.js';
import { steady } from '../steady.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const ONLY = ['--only', 'success/status-is-200,success/plant-fields-only'];

/** Checks the reference server by few rules. */
async function check(flags: readonly string[], io: Partial<CommandIo> = {}, faults: FaultName[] = []) {
  await using store = await startPlantStore({ token, faults });
  const outcome = await plantStore(['check', store.url, '--token', token, ...ONLY, ...flags], io);
  return { ...outcome, received: store.received().length };
}

describe('the flags of check', () => {
  test('a token that is refused is no finding: the exit status is 2', async () => {
    const { status, stdout } = await check(['--token', 'wrong']);
    expect([status, stdout.replaceAll(/\s+/g, ' ')]).toEqual([
      2,
      expect.stringContaining('every plain plant gets 400 ("'),
    ]);
  });

  test('--reporter json alone puts exactly one JSON document on standard output', async () => {
    const { stdout } = await check(['--reporter', 'json']);
    expect(JSON.parse(stdout).rules[0]).toMatchObject({
      id: 'success/status-is-200',
      level: 'documented',
      verdict: 'pass',
    });
  });

  test('--reporter can be repeated and write files', async () => {
    const { stdout, files } = await check(['--reporter', 'text', '--reporter', 'json=out/a=b.json']);
    expect(stdout).toContain('conforms');
    expect(JSON.parse(files['out/a=b.json'] ?? '').conclusion).toBe('conforms');
  });

  test('a report that goes to a file leaves a line on standard error', async () => {
    const { stdout, stderr } = await check(['--reporter', 'json=a.json']);
    expect(stdout).toBe('');
    expect(steady(stderr).split('\n').slice(-3)).toEqual([
      'The provider satisfies 2 of 2 judged rules. As asked, the check left out <number> other rules.',
      'wrote a.json',
      '',
    ]);
  });

  test('a file that cannot be written is reported before anything is sent', async () => {
    const flags = ['--profile', 'test', '--reporter', 'json=a.json'];
    expect(await check(flags, { mayWrite })).toMatchObject({
      status: 2,
      stderr: 'plant-store-contract: test cannot be written: it is a folder\n',
      received: 0,
    });
  });

  test('a report that cannot be written is reported, not thrown', async () => {
    const writeFile = () => Promise.reject(new Error('no such folder'));
    const { status, stderr } = await check(['--reporter', 'json=nowhere/report.json'], { writeFile });
    expect([status, stderr]).toEqual([
      2,
      expect.stringContaining('cannot be written to nowhere/report.json: no such folder'),
    ]);
  });

  test('--only and --skip choose rules', async () => {
    const flags = ['--only', 'auth,failure', '--only', 'state', '--skip', 'failure,documented'];
    await using store = await startPlantStore({ token });
    const argv = ['check', store.url, '--token', token, '--reporter', 'json', ...flags];
    const { rules } = JSON.parse((await plantStore(argv)).stdout) as CheckReport;
    expect(new Set(rules.map(({ level }) => level))).toEqual(new Set(['implied']));
    expect(new Set(rules.map(({ id }) => id.split('/')[0]))).toEqual(new Set(['auth', 'state']));
  });

  test('--dry-run prints what would be sent, without a token, and sends nothing', async () => {
    const { status, stdout } = await plantStore(['check', 'http://127.0.0.1:1', '--dry-run']);
    expect(status).toBe(0);
    const titles = stdout.match(
      /^# \S+: .* \((?:created|rejected|open)\)\n(?:curl -i|npx plant-store-contract check) /gm,
    );
    expect(titles).toHaveLength(probes.length);
    expect(stdout).toContain('# plain-plant: a plain plant without a tag (created)\n');
  });

  test('--insecure and --ca take a certificate that nobody knows', async () => {
    await using provider = await startTls(token);
    const argv = ['check', provider.url, '--token', token, ...ONLY];
    expect((await plantStore(argv)).status).toBe(2);
    expect((await plantStore([...argv, '--insecure'])).status).toBe(0);
    const readFile = async () => certificate;
    expect((await plantStore([...argv, '--ca', 'ca.pem'], { readFile })).status).toBe(0);
  });

  test('--verbose has every rule; --quiet, and CI, have the problems and the conclusion', async () => {
    const whole = (await check(['--verbose'], {}, ['leaks-id'])).stdout;
    const usual = (await check([], {}, ['leaks-id'])).stdout;
    const quiet = (await check(['--quiet'], {}, ['leaks-id'])).stdout;
    const env = { CI: 'true' };
    const ci = (await check([], { env }, ['leaks-id'])).stdout;
    const lengthOf = (text: string): number => text.split('\n').length;
    expect(whole).toContain('✓');
    expect(usual).not.toContain('✓');
    for (const text of [whole, usual, quiet]) expect(text).toContain('1. The response has "id"');
    expect(lengthOf(quiet)).toBeLessThan(lengthOf(usual));
    expect(quiet).not.toContain('The check sent');
    expect(lengthOf(ci)).toBe(lengthOf(quiet));
    expect((await check(['--verbose'], { env })).stdout).toContain('✓');
    expect((await check(['--verbose', '--quiet'])).stdout).toContain('✓');
  });

  test('github writes annotations, and appends a summary where the runner has one', async () => {
    const env = { GITHUB_STEP_SUMMARY: '/summary.md' };
    const reporters = ['--reporter', 'github', '--reporter', 'text'];
    const { stdout, files } = await check(reporters, { env }, ['leaks-id']);
    expect(stdout).toMatch(/^::error title=success\/plant-fields-only::/m);
    expect(files['/summary.md']).toContain('success/plant-fields-only');
    const twice = [...reporters, '--reporter', 'markdown=/summary.md'];
    const { files: once } = await check(twice, { env }, ['leaks-id']);
    expect(once['/summary.md']?.match(/^# /gm)).toHaveLength(1);
  });
});

describe('on a terminal', () => {
  test.each([
    [{}, false, false],
    [{}, true, true],
    [{ NO_COLOR: '1' }, true, false],
    [{ FORCE_COLOR: '1' }, false, true],
  ])('with %j (a terminal: %s), the report has colour: %s', async (env, isTTY, colored) => {
    let text = '';
    await check([], { env, stdout: { isTTY, write: (part: string) => (text += part) } });
    expect(text.includes('\u001b[')).toBe(colored);
  });
});
