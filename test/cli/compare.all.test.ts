import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import type { Variation } from '../conformance/providers/correct/provider.js';
import { startCorrect } from '../conformance/providers/correct/provider.js';
import { startHandler } from '../conformance/providers/handler.js';
import { HOSTILE } from '../report/formats/hostile.js';
import { schemaErrors } from '../report/formats/schema.js';
import { plantStore } from './console.js';

const token = 'token-of-these-tests';
const other = 'another-token-of-these-tests';

/** Compares, and returns the JSON report beside the exit status. */
async function compared(argv: readonly string[], io: Parameters<typeof plantStore>[1] = {}) {
  const { status, stdout, stderr } = await plantStore(
    ['compare', ...argv, '--token', token, '--reporter', 'json'],
    io,
  );
  expect(stdout, stderr).not.toBe('');
  return { status, stderr, report: JSON.parse(stdout) };
}

/** A profile as `check --profile` writes it. */
async function profileOf(url: string, flags: readonly string[] = []): Promise<string> {
  const argv = ['check', url, '--token', token, '--profile', 'profile.json', ...flags];
  const { files } = await plantStore(argv);
  return files['profile.json'] ?? '';
}

const filesOf = (files: Readonly<Record<string, string>>) => ({
  readBytes: async (path: string) => {
    if (files[path] === undefined) throw new Error(`there is no file ${path}`);
    return Buffer.from(files[path] ?? '');
  },
});

const differing = (report: { differences: { id: string }[] }): string[] =>
  report.differences.map(({ id }) => id);

describe('plant-store compare', () => {
  test.for<[string, Variation]>([
    ['rejects duplicate ids', {}],
    ['replaces a plant', { store: { duplicateId: 'replaces' } }],
    ['has unique names', { store: { uniqueNames: true } }],
    [
      'has ids 0 and at both ends from the start',
      { store: { seed: [0n, 2n ** 63n - 1n].map((id) => ({ name: 'Fern', id })) } },
    ],
  ])('says that a provider that %s is like itself', async ([_what, variation]) => {
    await using provider = await startCorrect(token, variation);
    const { status, report } = await compared([provider.url, provider.url]);
    expect([status, report.conclusion, differing(report)]).toEqual([0, 'alike', []]);
    expect(report.counts.pass).toBeGreaterThan(60);
    expect(schemaErrors(report)).toEqual([]);
  });

  test('says that a provider is like its saved profile, which has no token', async () => {
    await using store = await startPlantStore({ token });
    const profile = await profileOf(store.url);
    expect(profile).not.toContain(token);
    const { status, stderr } = await compared(['saved.json', store.url], filesOf({ 'saved.json': profile }));
    expect(status).toBe(0);
    expect(stderr).toMatch(/^checking \S+ with \d+ requests/);
  });

  test('shows what differs in what is left open, and in what is demanded', async () => {
    await using first = await startPlantStore({ token });
    await using second = await startPlantStore({
      token: other,
      authenticationFailureStatus: 401,
      faults: ['leaks-id'],
    });
    const { status, report } = await compared([first.url, second.url, '--token-b', other]);
    expect([status, report.conclusion]).toEqual([1, 'different']);
    expect(schemaErrors(report)).toEqual([]);
    expect(differing(report)).toContain('success/plant-fields-only');
    expect(differing(report)).toContain('unspecified/missing-token');
    expect(differing(report)).not.toContain('unspecified/repeated-id');
    expect(
      report.differences.find(({ id }: { id: string }) => id === 'unspecified/missing-token'),
    ).toMatchObject({
      kind: 'open',
      first: 'A missing token returns 400.',
      second: 'A missing token returns 401.',
    });
    expect(JSON.stringify(report)).not.toContain(token);
  });

  test.for(['text', 'junit', 'github', 'markdown', 'html', 'ctrf'])('reports it as %s', async (reporter) => {
    await using first = await startPlantStore({ token });
    await using second = await startPlantStore({ token, duplicateId: 'replace' });
    const argv = ['compare', first.url, second.url, '--token', token, '--only', 'unspecified'];
    const { status, stdout } = await plantStore([...argv, '--reporter', reporter]);
    expect(status).toBe(1);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('A duplicate id returns 400.');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('A duplicate id returns 200.');
    expect(stdout).toMatch(/different/i);
  });

  test.for(['text', 'junit', 'github', 'markdown', 'html'])(
    'lets a hostile profile forge nothing as %s',
    async (reporter) => {
      const behaviours = (sentence: string) => [{ rule: 'unspecified/challenge', sentence, value: sentence }];
      const empty = { profileVersion: 1, interfaceVersion: '1.0.0', demands: [] };
      const files = filesOf({
        'a.json': JSON.stringify({ ...empty, behaviours: behaviours(HOSTILE) }),
        'b.json': JSON.stringify({ ...empty, behaviours: behaviours('none') }),
      });
      const { status, stdout } = await plantStore(
        ['compare', 'a.json', 'b.json', '--reporter', reporter],
        files,
      );
      expect(status).toBe(1);
      expect(stdout).toContain('END');
      expect(stdout).not.toMatch(/^(::error title=forged|##\[error\]forged|# forged)/m);
      expect(stdout).not.toMatch(/[^\P{Cc}\n]/u);
      if (reporter === 'html' || reporter === 'junit') expect(stdout).not.toContain('<b>forged');
    },
  );

  test('does not count what changes from check to check', async () => {
    let requests = 0;
    await using provider = await startHandler((request, response) => {
      request.resume().on('end', () => {
        const isUnauthorised = request.headers.authorization === undefined;
        // The first request without a token is in the first check, the others are later.
        const status = isUnauthorised ? (++requests === 1 ? 401 : 403) : 400;
        response.writeHead(request.headers.authorization === `Bearer ${token}` ? 200 : status, {
          'Content-Type': 'application/json',
        });
        response.end('{"error":1,"message":"no","name":"Aloe"}');
      });
    });
    await using steady = await startHandler((request, response) => {
      request.resume().on('end', () => {
        const isUnauthorised = request.headers.authorization === undefined;
        response.writeHead(
          request.headers.authorization === `Bearer ${token}` ? 200 : isUnauthorised ? 403 : 400,
          {
            'Content-Type': 'application/json',
          },
        );
        response.end('{"error":1,"message":"no","name":"Aloe"}');
      });
    });
    const flags = ['--only', 'unspecified/missing-token'];
    const { status, report } = await compared([provider.url, steady.url, ...flags]);
    const [only] = report.groups[0].cases;
    expect(only).toMatchObject({ id: 'unspecified/missing-token', verdict: 'not-applicable' });
    expect(only.detail).toContain('changes from check to check: 401 and 403');
    expect(status).toBe(2);
  });

  test('exits with 2 if a provider could not be tested', async () => {
    await using store = await startPlantStore({ token });
    const { status, report } = await compared([store.url, store.url, '--token-b', 'wrong']);
    expect([status, report.conclusion]).toEqual([2, 'not-testable']);
    expect(report.notes).toEqual([expect.stringContaining('the token is unknown')]);
    expect(schemaErrors(report)).toEqual([]);
  });

  test('takes the tokens from PLANT_STORE_TOKEN and PLANT_STORE_TOKEN_B', async () => {
    await using first = await startPlantStore({ token });
    await using second = await startPlantStore({ token: other });
    const env = { PLANT_STORE_TOKEN: token, PLANT_STORE_TOKEN_B: other };
    const argv = ['compare', first.url, second.url, '--only', 'success'];
    const { status } = await plantStore(argv, { env });
    expect(status).toBe(0);
  });
});
