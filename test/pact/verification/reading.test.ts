import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPact } from '../../../src/pact/pact-file.js';
import { pactsFrom, selectPacts } from '../../../src/pact/pact-sources.js';
import { usablePartOf } from '../../../src/pact/verification/verify.js';
import { folderWith, pactOf, type Sketch } from './pacts.js';

/** Reads the pacts of a verification. */
async function read(sources: readonly string[]) {
  return selectPacts('plant-store', await pactsFrom(sources));
}

const creation: Sketch = { description: 'a creation' };
const messages = '{"consumer":{"name":"garden"},"provider":{"name":"mailer"},"messages":[]}';

describe('nothing is verified', () => {
  test.each<[string, (folder: string) => string[]]>([
    ['no pact at all', () => []],
    ['an empty folder', (folder) => [folder]],
    ['a missing file', (folder) => [`${folder}/none.json`]],
    ['a URL without a server', () => ['http://127.0.0.1:9/pact.json']],
  ])('with %s', async (_what, sources) => {
    await expect(read(sources(await folderWith({})))).rejects.toMatchObject({ code: 'no-pact' });
  });

  const asMessages = pactOf([creation]).replaceAll('Synchronous/HTTP', 'Asynchronous/Messages');

  test.each([
    ['a pact without interactions', 'no-pact', pactOf([])],
    ['a pact with another provider', 'wrong-provider', pactOf([creation], 'flower-shop')],
    ['what is not JSON', 'no-pact', '{"consumer":'],
    ['what is not a pact', 'no-pact', '{"consumer":{"name":"a"},"provider":{"name":"plant-store"}}'],
    ['a pact of messages', 'no-pact', asMessages],
  ])('with %s', async (_what, code, text) => {
    const folder = await folderWith({ 'pact.json': text });
    const message = expect.stringContaining(`${folder}/pact.json`);
    await expect(read([folder])).rejects.toMatchObject({ code, message });
  });

  test('if only pacts with other providers are there', async () => {
    const folder = await folderWith({ 'a.json': pactOf([creation], 'flower-shop'), 'b.json': messages });
    await expect(read([folder])).rejects.toMatchObject({
      code: 'wrong-provider',
      message: expect.stringContaining(
        `there is no pact with "plant-store": ${join(folder, 'a.json')} is a pact`,
      ),
    });
  });
});

test('pacts with other providers are left out', async () => {
  const files = {
    'a.json': pactOf([creation], 'flower-shop'),
    'b.json': messages,
    'c.json': pactOf([creation]),
  };
  const { pacts, leftOut } = await read([await folderWith(files)]);
  expect(pacts.map(({ source: { where } }) => where)).toEqual([expect.stringMatching(/c\.json$/)]);
  expect(leftOut).toEqual([
    expect.stringMatching(/a\.json is a pact with "flower-shop"$/),
    expect.stringMatching(/b\.json is a pact with "mailer"$/),
  ]);
});

describe('what cannot be verified of a pact is named, and the rest is verified', () => {
  test('an interaction that is not HTTP', async () => {
    const types = ['Asynchronous/Messages', 'Synchronous/HTTP', 'Synchronous/Messages'];
    const sketches = types.map((type) => ({ description: `of ${type}` }));
    let at = 0;
    const text = pactOf(sketches).replaceAll('"Synchronous/HTTP"', () => JSON.stringify(types[at++]));
    const kept = readPact(usablePartOf(readPact(text, 'pact.json'), text), 'pact.json');
    expect(kept.interactions.map(({ description }) => description)).toEqual(['of Synchronous/HTTP']);
    expect(kept.otherTypes).toEqual([]);
  });

  test('a file that cannot be read, or is no pact', async () => {
    const folder = await folderWith({ 'a.json': '{"consumer":', 'b.json': pactOf([creation]) });
    const missing = join(folder, 'none.json');
    const { pacts } = await read([missing, folder]);
    expect(pacts.map(({ source, problem }) => [source.where, problem])).toEqual([
      [missing, `cannot read a pact from ${missing}: there is no such file`],
      [join(folder, 'a.json'), expect.stringContaining('a.json is not a pact: it is not JSON')],
      [join(folder, 'b.json'), undefined],
    ]);
  });

  test('a pact without interactions', async () => {
    const files = { 'b.json': pactOf([]), 'c.json': pactOf([creation]) };
    const { pacts } = await read([await folderWith(files)]);
    expect(pacts.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/b\.json has no HTTP interaction$/),
      undefined,
    ]);
  });
});
