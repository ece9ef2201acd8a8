import { join } from 'node:path';
import type { VerifyOptions } from 'plant-store-contract/pact';
import { describe, expect, test } from 'vitest';
import { readPact } from '../../../src/pact/pact-file.js';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { loadablePartOf, readPacts } from '../../../src/pact/verification/read-pacts.js';
import { folderWith, pactOf, type Sketch } from './pacts.js';

/** Reads the pacts of a verification. */
async function read(options: Partial<VerifyOptions>) {
  return await readPacts(
    await verifySettings({ baseUrl: 'http://127.0.0.1:9', token: 'secret', ...options }),
  );
}

const creation: Sketch = { description: 'a creation' };
const messages = '{"consumer":{"name":"garden"},"provider":{"name":"mailer"},"messages":[]}';

describe('nothing is verified', () => {
  test.each<[string, string, (folder: string) => Partial<VerifyOptions>]>([
    ['no pact at all', 'no-pact', () => ({ pacts: [] })],
    ['an empty folder', 'no-pact', (folder) => ({ pacts: [folder] })],
    ['a missing file', 'no-pact', (folder) => ({ pacts: [`${folder}/none.json`] })],
    ['a URL without a server', 'no-pact', () => ({ pacts: ['http://127.0.0.1:9/pact.json'] })],
    ['a wrong option', 'invalid-option', () => ({ timeoutMs: 0 })],
  ])('with %s', async (_what, code, options) => {
    await expect(read(options(await folderWith({})))).rejects.toMatchObject({ name: 'ToolkitError', code });
  });

  const asMessages = pactOf([creation]).replaceAll('Synchronous/HTTP', 'Asynchronous/Messages');

  test.each([
    ['a pact without interactions', 'no-pact', pactOf([])],
    ['a pact with another provider', 'wrong-provider', pactOf([creation], 'flower-shop')],
    ['what is not JSON', 'invalid-pact', '{"consumer":'],
    ['what is not a pact', 'invalid-pact', '{"consumer":{"name":"a"},"provider":{"name":"plant-store"}}'],
    ['a pact of messages', 'no-pact', asMessages],
  ])('with %s', async (_what, code, text) => {
    const folder = await folderWith({ 'pact.json': text });
    const message = expect.stringContaining(`${folder}/pact.json`);
    await expect(read({ pacts: [folder] })).rejects.toMatchObject({ code, message });
  });

  test('if only pacts with other providers are there', async () => {
    const folder = await folderWith({ 'a.json': pactOf([creation], 'flower-shop'), 'b.json': messages });
    await expect(read({ pacts: [folder] })).rejects.toMatchObject({
      code: 'wrong-provider',
      message: expect.stringContaining(
        `there is no pact with "plant-store": ${join(folder, 'a.json')} is a pact`,
      ),
    });
  });

  test('if a state has no handler', async () => {
    const needy = { ...creation, given: { 'the shop is open': '{}' } };
    const pacts = [await folderWith({ 'pact.json': pactOf([needy]) })];
    await expect(read({ pacts })).rejects.toMatchObject({
      code: 'no-state-handler',
      message: expect.stringContaining(
        'there is no handler for the state "the shop is open", which "a creation" in',
      ),
    });
    await expect(read({ pacts, stateUrl: 'http://127.0.0.1:9' })).resolves.toBeDefined();
  });
});

test('pacts with other providers are left out', async () => {
  const files = {
    'a.json': pactOf([creation], 'flower-shop'),
    'b.json': messages,
    'c.json': pactOf([creation]),
  };
  const { pacts, leftOut } = await read({ pacts: [await folderWith(files)] });
  expect(pacts.map(({ source: { where } }) => where)).toEqual([expect.stringMatching(/c\.json$/)]);
  expect(leftOut.map(({ provider, reason }) => [provider, reason])).toEqual([
    ['flower-shop', 'other-provider'],
    ['mailer', 'other-provider'],
  ]);
});

describe('what cannot be verified of a pact is named, and the rest is verified', () => {
  test('an interaction that is not HTTP', async () => {
    const types = ['Asynchronous/Messages', 'Synchronous/HTTP', 'Synchronous/Messages'];
    const sketches = types.map((type) => ({ description: `of ${type}` }));
    let at = 0;
    const text = pactOf(sketches).replaceAll('"Synchronous/HTTP"', () => JSON.stringify(types[at++]));
    const kept = readPact(loadablePartOf(readPact(text, 'pact.json'), text), 'pact.json');
    expect(kept.interactions.map(({ description }) => description)).toEqual(['of Synchronous/HTTP']);
    expect(kept.otherTypes).toEqual([]);
  });

  test('a file that cannot be read, or is no pact', async () => {
    const folder = await folderWith({ 'a.json': '{"consumer":', 'b.json': pactOf([creation]) });
    const missing = join(folder, 'none.json');
    const { pacts } = await read({ pacts: [missing, folder] });
    expect(pacts.map(({ source, problem }) => [source.where, problem])).toEqual([
      [join(folder, 'b.json'), undefined],
      [missing, `cannot read a pact from ${missing}: there is no such file`],
      [join(folder, 'a.json'), expect.stringContaining('a.json is not a pact: it is not JSON')],
    ]);
  });

  test('a pact without interactions', async () => {
    const files = { 'b.json': pactOf([]), 'c.json': pactOf([creation]) };
    const { pacts } = await read({ pacts: [await folderWith(files)] });
    expect(pacts.map(({ problem }) => problem)).toEqual([undefined, 'the pact has no HTTP interaction']);
  });
});
