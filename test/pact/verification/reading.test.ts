import { join } from 'node:path';
import type { VerifyOptions } from 'plant-store-contract/pact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readPact } from '../../../src/pact/pact-file.js';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { readPacts } from '../../../src/pact/verification/read-pacts.js';
import { usablePartOf } from '../../../src/pact/verification/usable.js';
import { folderWith, pactOf, type Sketch } from './pacts.js';

afterEach(() => void vi.unstubAllEnvs());

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
  /** A pact of three interactions. The one in the middle has this rule for its response. */
  function pactWithRule(rule: string): string {
    const others = pactOf([creation, { description: 'middle' }, { description: 'last' }]);
    return others.replace(
      /(middle.*?"matchingRules":\{"body":\{)"\$":\{"matchers":\[\{"match":"type"\}\]\}/s,
      `$1${rule}`,
    );
  }

  test.each([
    ['an unknown matcher', '"$.name":{"matchers":[{"match":"botanical"}]}', 'no matcher "botanical"'],
    ['a missing pattern', '"$.name":{"matchers":[{"match":"regex"}]}', '"regex" has no "regex"'],
    ['a broken pattern', '"$.name":{"matchers":[{"match":"regex","regex":"([a"}]}', '"([a" is not a regular'],
    ['matchers that are no list', '"$.name":{"matchers":{"match":"type"}}', '"matchers" is not a list'],
    ['a broken path', '"$.name[":{"matchers":[{"match":"type"}]}', '"$.name[" is not a path'],
  ])('%s', (_what, rule, why) => {
    const text = pactWithRule(rule);
    const usable = usablePartOf(readPact(text, 'pact.json'), text);
    expect([...usable.unusable]).toEqual([[1, expect.stringContaining(why)]]);
    const kept = readPact(usable.text, 'pact.json');
    expect(kept.interactions.map(({ description }) => description)).toEqual(['a creation', 'last']);
  });

  test('but not a pattern of a request, which Pact does not use here', () => {
    const text = pactOf([creation]).replace(
      '"encoded":false}}',
      '"encoded":false},"matchingRules":{"body":{"$.name":{"matchers":[{"match":"regex","regex":"("}]}}}}',
    );
    expect(usablePartOf(readPact(text, 'pact.json'), text)).toMatchObject({ text, unusable: new Map() });
  });

  test('a plugin that is not installed, and a pact without interactions', async () => {
    vi.stubEnv('PACT_PLUGIN_DIR', await folderWith({}));
    const metadata = '"metadata":{"plugins":[{"name":"botanical","version":"1"}],';
    const needy = pactOf([creation]).replace('"metadata":{', metadata);
    const files = { 'a.json': needy, 'b.json': pactOf([]), 'c.json': pactOf([creation]) };
    const { pacts } = await read({ pacts: [await folderWith(files)] });
    expect(pacts.map(({ consumer, problem }) => [consumer, problem])).toEqual([
      [
        'garden',
        expect.stringContaining('the pact needs the plugin "botanical", which is not installed in '),
      ],
      ['garden', undefined],
      ['garden', 'the pact has no HTTP interaction'],
    ]);
  });
});
