import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pactsFrom, selectPacts } from '../../../src/pact/pacts.js';
import { folderWith, pactOf, type Sketch } from './pacts.js';

/** Reads the pacts of a verification. */
async function read(sources: readonly string[]) {
  return selectPacts('plant-store', await pactsFrom(sources));
}

const creation: Sketch = { description: 'a creation' };
const messages = '{"consumer":{"name":"garden"},"provider":{"name":"mailer"},"messages":[]}';

describe('nothing is verified', () => {
  test.each<[string, (folder: string) => string[]]>([
    ['an empty folder', (folder) => [folder]],
    ['a URL without a server', () => ['http://127.0.0.1:9/pact.json']],
  ])('with %s', async (_what, sources) => {
    await expect(read(sources(await folderWith({})))).rejects.toMatchObject({ code: 'no-pact' });
  });

  const asMessages = pactOf([creation]).replaceAll('Synchronous/HTTP', 'Asynchronous/Messages');

  test.each([
    ['a pact without interactions', 'no-pact', pactOf([])],
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
