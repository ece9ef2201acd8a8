import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pactsFrom } from '../../src/pact/pacts.js';
import { folderWith } from '../folder.js';

describe('what cannot be read is named', () => {
  test('all at once, and the others are read', async () => {
    const folder = folderWith({
      'b.json': '2',
      'a.json': '1',
      'empty/b.txt': '3',
      'wrong.json': Buffer.of(0xff),
    });
    const missing = join(folder, 'none.json');
    const empty = join(folder, 'empty');
    const unread = (where: string, problem: string | RegExp) => ({
      where,
      text: '',
      problem: expect.stringMatching(problem),
    });
    expect(await pactsFrom([missing, folder, empty])).toEqual([
      unread(missing, `cannot read a pact from ${missing}: there is no such file`),
      { where: join(folder, 'a.json'), text: '1' },
      { where: join(folder, 'b.json'), text: '2' },
      unread(join(folder, 'wrong.json'), /wrong\.json: .* not valid for encoding utf-8$/),
      unread(empty, `the folder ${empty} has no .json file`),
    ]);
  });
});
