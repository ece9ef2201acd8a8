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
  const { pacts, unread, leftOut } = await pactsIn(
    [missing, folder, empty, `${folder}/./b.json`],
    'plant-store',
  );
  expect(pacts.map(({ where, pact: { consumer } }) => [where, consumer])).toEqual([
    [join(folder, 'a.json'), 'garden'],
    [join(folder, 'b.json'), 'garden'],
  ]);
  expect(unread).toEqual([
    `the folder ${empty} has no .json file`,
    `cannot read a pact from ${missing}: there is no such file`,
    expect.stringMatching(/none\.json has no interaction$/),
    expect.stringMatching(/wrong\.json: .* not valid for encoding utf-8$/),
  ]);
  expect(leftOut).toEqual([expect.stringMatching(/other\.json is a pact with "flower-shop"$/)]);
});
