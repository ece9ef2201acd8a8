import { execFileSync } from 'node:child_process';
import type { PlantStoreOptions } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { Command } from '../../../src/cli/commander.js';
import { commandLine, flagsFor } from '../../../src/cli/like-reference/flags.js';
import { type BehaviourFlags, behaviourFrom, withBehaviour } from '../../../src/cli/serve-options.js';

const OPTIONS: PlantStoreOptions = {
  authenticationFailureStatus: 403,
  challenge: `Bearer realm="it's"`,
  authorizationSyntax: 'exact',
  duplicateAuthorization: 'first',
  rejections: {
    'id-duplicate': { status: 409, error: 8 },
    'name-duplicate': { status: 409, error: 8 },
    'media-type': { status: 415 },
    'json-malformed': { error: -1 },
  },
  errorCodes: -7,
  duplicateId: 'reject-different',
  duplicateName: 'reject',
  unknownFields: 'reject',
  duplicateKeys: 'last',
  fractionalIds: 'reject',
  byteOrderMark: 'accept',
  mediaTypes: ['none', '*/*'],
  namePattern: "^[^<>'\\u{3c}]*$",
  tagPattern: '^[a-z]*$',
  limits: {
    shortestName: 1,
    longestName: 255,
    shortestTag: 2,
    longestTag: 20,
    smallestId: -5n,
    requestsPerSecond: 30,
    bodyBytes: 100_000,
  },
};

function parsed(words: readonly string[]): PlantStoreOptions {
  const command = withBehaviour(new Command('serve')).exitOverride();
  command.parse(words, { from: 'user' });
  return behaviourFrom(command.opts<BehaviourFlags>());
}

describe('flags', () => {
  test('give the options that they are made of, every one of them', () => {
    expect(parsed(flagsFor(OPTIONS))).toEqual(OPTIONS);
    expect(parsed(flagsFor({ challenge: false }))).toEqual({ challenge: false, limits: {} });
    expect(parsed(flagsFor({}))).toEqual({ limits: {} });
  });

  test('share a rejection of several reasons', () => {
    expect(flagsFor(OPTIONS)).toContain('--rejection=id-duplicate,name-duplicate=409:8');
  });

  test('come out of a shell as they went in', () => {
    const words = ['node', '-p', 'JSON.stringify(process.argv.slice(1))', '--', ...flagsFor(OPTIONS)];
    const output = execFileSync('sh', ['-c', commandLine(words)], { encoding: 'utf8' });
    expect(JSON.parse(output)).toEqual(flagsFor(OPTIONS));
  });
});
