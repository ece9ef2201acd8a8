import type { DiscoveredLimit, LimitId } from 'plant-store-contract/conformance';
import { startPlantStore } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { Command } from '../../../src/cli/commander.js';
import { optionsLike } from '../../../src/cli/like-reference/options.js';
import { type BehaviourFlags, behaviourFrom, withBehaviour } from '../../../src/cli/serve-options.js';
import { startCorrect, type Variation } from '../../conformance/providers/correct/provider.js';
import { plantStore } from '../console.js';

const token = 'token-of-these-tests';

/** What `check --like-reference` prints of a provider: the words after `plant-store serve`, and the comments. */
async function printed(url: string, flags: readonly string[] = []) {
  const argv = ['check', url, '--token', token, '--like-reference', ...flags];
  const { status, stdout, stderr, files } = await plantStore(argv);
  const [command = '', ...comments] = stdout.trimEnd().split('\n');
  expect(command, stderr).toMatch(/^plant-store serve( |$)/);
  return { status, stdout, files, words: wordsOf(command).slice(2), comments };
}

/** The words of a command line as a shell reads them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/(?:[^\s']|'[^']*')+/g)].map(([word]) => word.replaceAll("'", ''));
}

/** The options that `serve` gets from its flags. */
function optionsFrom(words: readonly string[]) {
  const command = withBehaviour(new Command('serve')).exitOverride();
  command.parse(words, { from: 'user' });
  return behaviourFrom(command.opts<BehaviourFlags>());
}

/** The provider of the example: 401, 409, unknown fields rejected. */
const EXAMPLE: Variation = {
  statuses: { token: 401, duplicate: 409 },
  plants: { unknownFields: 'rejected' },
};

describe('plant-store check --like-reference', () => {
  test.for<[string, Variation]>([
    ['with 401, with 409, and without unknown fields', EXAMPLE],
    [
      'with a status for each failure, names of 1 to 255 characters, and positive ids',
      {
        statuses: { token: 401, size: 413, 'media-type': 415, plant: 422, duplicate: 409 },
        plants: { names: /^.{1,255}$/su, ids: (id) => id > 0n, otherSpellings: false },
        largest: 100_000,
        store: { uniqueNames: false, duplicateId: 'rejected-if-different' },
      },
    ],
  ])('a provider %s: its profile, the printed options, compare: alike', async ([_what, variation]) => {
    await using provider = await startCorrect(token, variation);
    const { status, words, comments, files } = await printed(provider.url, ['--profile', 'provider.json']);
    expect([status, comments]).toEqual([0, []]);
    await using reference = await startPlantStore({ ...optionsFrom(words), token: 'another-token' });
    const readBytes = async () => Buffer.from(files['provider.json'] ?? '');
    const argv = ['compare', 'provider.json', reference.url, '--token-b', 'another-token', '--discover'];
    const compared = await plantStore([...argv, '--reporter', 'json'], { readBytes });
    const report = JSON.parse(compared.stdout);
    expect([compared.status, report.conclusion, report.differences]).toEqual([0, 'alike', []]);
  });

  test('prints the options of the example as a person would', async () => {
    await using provider = await startCorrect(token, EXAMPLE);
    const { words } = await printed(provider.url, ['--only', 'unspecified']);
    expect(words).toEqual(expect.arrayContaining(['--authentication-status=401', '--unknown-fields=reject']));
    expect(optionsFrom(words).rejections?.['id-duplicate']?.status).toBe(409);
  });

  test('prints no option for the reference server itself', async () => {
    await using store = await startPlantStore({ token });
    const { stdout } = await printed(store.url);
    expect(stdout).toBe('plant-store serve\n');
  });

  test('lists what cannot be reproduced', async () => {
    const variation: Variation = {
      store: { duplicateId: 'answers-204' },
      writing: { errorMembers: { code: 'E1' } },
    };
    await using provider = await startCorrect(token, variation);
    const only = 'unspecified/repeated-id,unspecified/further-fields-of-errors';
    const { comments } = await printed(provider.url, ['--only', only]);
    expect(comments).toEqual(
      expect.arrayContaining([
        expect.stringMatching(
          /^# not reproduced: A duplicate id returns 204\. The reference server: .* 200\.$/,
        ),
        expect.stringMatching(/^# not reproduced: Failures have further fields: code\. /),
      ]),
    );
  });

  test('lists rules that the provider breaks, and keeps the exit status of the check', async () => {
    await using store = await startPlantStore({ token, faults: ['leaks-id'] });
    const { status, comments } = await printed(store.url, ['--only', 'success']);
    expect(status).toBe(1);
    expect(comments.join('\n')).toContain(
      '# not reproduced: success/plant-fields-only: the provider breaks the rule',
    );
  });

  test('writes the reports to files only, and nothing where nothing could be tested', async () => {
    await using store = await startPlantStore({ token });
    const argv = ['check', store.url, '--like-reference', '--only', 'success'];
    const { stdout, files } = await plantStore([...argv, '--token', token, '--reporter', 'json=report.json']);
    expect(stdout).toBe('plant-store serve\n');
    expect(JSON.parse(files['report.json'] ?? '').kind).toBe('check');
    const both = await plantStore([...argv, '--token', token, '--reporter', 'text']);
    expect([both.status, both.stdout]).toEqual([2, '']);
    expect(both.stderr).toContain('--like-reference and text would both go to standard output');
    const wrong = await plantStore([...argv, '--token', 'wrong']);
    expect([wrong.status, wrong.stdout]).toEqual([2, '']);
    expect(wrong.stderr).toContain('could not be tested');
  });
});

describe('options like a provider', () => {
  test('come from the observations alone if no limits were looked for', () => {
    const behaviours = [
      { rule: 'unspecified/empty-name', sentence: 'It returns 422.', value: '422' },
      { rule: 'unspecified/id-negative', sentence: 'It returns 422.', value: '422' },
      { rule: 'unspecified/id-zero', sentence: 'It returns 200.', value: '200' },
      { rule: 'unspecified/json-suffix', sentence: 'It returns 200.', value: '200' },
    ];
    const options = optionsLike({ profileVersion: 1, interfaceVersion: '1.0.0', demands: [], behaviours });
    expect(options).toEqual({
      rejections: { 'name-not-allowed': { status: 422 }, 'id-not-allowed': { status: 422 } },
      mediaTypes: ['application/vnd.api+json'],
      limits: { shortestName: 1, smallestId: 0n },
    });
  });
  test('come from the limits', () => {
    const found = (id: LimitId, value: string): DiscoveredLimit => ({
      ...{ id, outcome: 'found', sentence: 'It was found.', value },
      rejected: { sent: 'a plant', got: '422', reproduce: [] },
    });
    const limits = [
      found('longest-name', '255'),
      { id: 'largest-body', outcome: 'not-found', sentence: 'It was not found.', upTo: '16777216' },
    ] as const;
    const empty = { profileVersion: 1, interfaceVersion: '1.0.0', demands: [], behaviours: [] } as const;
    expect(optionsLike({ ...empty, limits })).toEqual({
      rejections: { 'name-not-allowed': { status: 422 } },
      limits: { longestName: 255, bodyBytes: 16_777_216 },
    });
  });

  test('never make the reference server nonconforming', () => {
    const limits = [
      { id: 'longest-name', outcome: 'found', sentence: 'It was found.', value: '20' },
    ] as const;
    const behaviours = [{ rule: 'unspecified/wrong-token', sentence: 'It returns 500.', value: '500' }];
    const profile = {
      profileVersion: 1,
      interfaceVersion: '1.0.0',
      demands: [],
      behaviours,
      limits,
    } as const;
    expect(optionsLike(profile)).toEqual({});
  });

  test.for(['Bearer realm="é"', '', 'Bearer\tx '])(
    'leave out the challenge %j, which cannot be sent',
    (value) => {
      const challenge = { rule: 'unspecified/challenge', sentence: 'It has a challenge.', value };
      const empty = { profileVersion: 1, interfaceVersion: '1.0.0', demands: [] } as const;
      expect(optionsLike({ ...empty, behaviours: [challenge] })).toEqual({});
      const sendable = { ...challenge, value: 'Bearer realm="plants"' };
      expect(optionsLike({ ...empty, behaviours: [sendable] })).toEqual({
        challenge: 'Bearer realm="plants"',
      });
    },
  );
});
