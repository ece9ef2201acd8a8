import { execFileSync } from 'node:child_process';
import type { PlantStoreOptions } from 'plant-store-contract/server';
import { describe, expect, test } from 'vitest';
import { Command } from '../../../src/cli/commander.js';
import { commandLine, flagsFor } from '../../../src/cli/like-reference/flags.js';
import { patternWithout } from '../../../src/cli/like-reference/pattern.js';
import { type BehaviourFlags, behaviourFrom, withBehaviour } from '../../../src/cli/serve-options.js';
import { characterGroups } from '../../../src/conformance/discovery/characters.js';

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

describe('a pattern', () => {
  const accepts = (value: string, text: string) => new RegExp(patternWithout(value) ?? '', 'u').test(text);

  test.for(characterGroups)('rejects $id, and nothing of another group', ({ id, characters }) => {
    for (const one of characters) expect(accepts(id, `Aloe${one}vera`), one).toBe(false);
    for (const other of characterGroups)
      if (other.id !== id)
        for (const one of other.characters)
          expect(accepts(id, `Aloe${one}vera`), `${other.id} ${one}`).toBe(true);
    expect(accepts(id, 'Aloe')).toBe(true);
  });

  test('rejects single characters, whatever they mean in a pattern', () => {
    const special = [...'^-]\\[<>&|~/'].map(
      (one) => `U+${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    );
    for (const one of '^-]\\[<>&|~/') expect(accepts(special.join(' '), `Aloe${one}`), one).toBe(false);
    expect(accepts(special.join(' '), 'Aloe vera!')).toBe(true);
  });

  test('is of letters if all groups are rejected, and unknown if some characters are', () => {
    expect(patternWithout(characterGroups.map(({ id }) => id).join(' '))).toBe('^[A-Za-z]*$');
    expect(patternWithout('nul some:U+0021|U+0022')).toBeUndefined();
  });
});
