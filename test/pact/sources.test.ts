import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pactsIn } from '../../src/pact/pacts.js';
import { folderWith } from '../folder.js';
import { pactOf } from './verification/pacts.js';

test('what cannot be read is named, all at once, and the others are read, once each', async () => {
  const pact = pactOf([{ description: 'a creation' }]);
  const folder = folderWith({
    'b.json': pact,
    'a.json': pact,
    'other.json': pactOf([], 'flower-shop'),
    'none.json': pactOf([]),
    'empty/b.txt': '3',
    'wrong.json': Buffer.of(0xff),
  });
  const missing = join(folder, 'missing.json');
  const empty = join(folder, 'empty');
  const { pacts, leftOut } = await pactsIn([missing, folder, empty, join(folder, 'b.json')], 'plant-store');
  expect(pacts.map(({ pact: read, problem = '' }) => [read?.consumer, problem])).toEqual([
    [undefined, `cannot read a pact from ${missing}: there is no such file`],
    ['garden', ''],
    ['garden', ''],
    [undefined, expect.stringMatching(/none\.json has no interaction$/)],
    [undefined, expect.stringMatching(/wrong\.json: .* not valid for encoding utf-8$/)],
    [undefined, `the folder ${empty} has no .json file`],
  ]);
  expect(leftOut).toEqual([expect.stringMatching(/other\.json is a pact with "flower-shop"$/)]);
});
