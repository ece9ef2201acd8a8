import { join } from 'node:path';
import type { VerifyOptions } from 'plant-store-contract/pact';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { readPact } from '../../../src/pact/pact-file.js';
import { verifySettings } from '../../../src/pact/verification/options.js';
import { loadablePartOf, readPacts } from '../../../src/pact/verification/read-pacts.js';
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
    const loadable = loadablePartOf(readPact(text, 'pact.json'), text);
    expect([...loadable.unloadable]).toEqual([[1, expect.stringContaining(why)]]);
    const kept = readPact(loadable.text, 'pact.json');
    expect(kept.interactions.map(({ description }) => description)).toEqual(['a creation', 'last']);
  });

  describe('a generator of a request', () => {
    const REGEX = '{"type":"Regex","regex":"a{2000000000}"}';
    const listOf = (count: number): string => `{"list":[${Array(count).fill(1)}]}`;

    /** The message about the interaction, without its beginning. */
    function messageOn(sketch: Partial<Sketch>, change = (text: string): string => text): string | undefined {
      const text = change(pactOf([{ ...creation, ...sketch }]));
      const [why] = loadablePartOf(readPact(text, 'pact.json'), text).unloadable.values();
      return why?.replace('Pact cannot use its generators: ', '');
    }

    const tooLong = (place: string): string =>
      `with its value, the request may be longer than 2 MiB, at /interactions/0/request/${place}`;

    test.each<[what: string, generators: string, place: string, sketch?: Partial<Sketch>]>([
      ['of a field', `{"body":{"$.name":${REGEX}}}`, 'generators/body/$.name'],
      ['of a part in upper case', `{"BODY":{"$.name":${REGEX}}}`, 'generators/BODY/$.name'],
      ['of a part with a type', `{"body":{"type":"x","$.name":${REGEX}}}`, 'generators/body/$.name'],
      ['of a header that is not there', `{"header":{"X":${REGEX}}}`, 'generators/header/X'],
      ['of a parameter', `{"query":{"q":${REGEX}}}`, 'generators/query/q'],
      ['of the path', `{"path":${REGEX}}`, 'generators/path'],
      [
        'with a pattern that is no string',
        `{"path":{"type":"Regex","regex":["]{2000000000}"]}}`,
        'generators/path',
      ],
      [
        'with a long pattern',
        `{"path":{"type":"Regex","regex":"${'a|'.repeat(2 ** 15)}"}}`,
        'generators/path',
      ],
      [
        'of many values',
        `{"body":{"$.list[*]":{"type":"RandomString","size":1000}}}`,
        'generators/body/$.list[*]',
        { body: listOf(3000) },
      ],
      [
        'of many digits',
        `{"body":{"$.list[*]":{"type":"RandomDecimal","size":1,"digits":1000}}}`,
        'generators/body/$.list[*]',
        { body: listOf(3000) },
      ],
      [
        'of many dates',
        `{"body":{"$.list[*]":{"type":"Date","format":"${'EEEE'.repeat(30)}"}}}`,
        'generators/body/$.list[*]',
        { body: listOf(3000) },
      ],
      [
        'in a body that is not JSON, in which a path may lead to many values',
        `{"body":{"$.a":{"type":"RandomString","size":1000}}}`,
        'generators/body/$.a',
        { body: JSON.stringify('a=1&'.repeat(3000)) },
      ],
      [
        'that comes after others',
        `{"body":{"$.a":{"type":"Regex","regex":".{1500000}"},"$.b":{"type":"Regex","regex":".{1500000}"}}}`,
        'generators/body/$.b',
      ],
      [
        'without a body',
        `{"body":{"$.*":{"type":"Regex","regex":"(?x)a"}},"path":${REGEX}}`,
        'generators/body/$.*',
        { body: 'null' },
      ],
      [
        'with long parameters of a state',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: Pact's own writing
        '{"path":{"type":"ProviderState","expression":"${x}${x}${x}"}}',
        'generators/path',
        { given: { 'no plant with id': `{"x":"${'y'.repeat(900_000)}"}` } },
      ],
    ])('%s may make too much', (_what, generators, place, sketch) => {
      expect(messageOn({ generators, ...sketch })).toBe(tooLong(place));
    });

    test('of a matcher for items may make too much', () => {
      const variants = '[{"index":0,"rules":{},"generators":{"$":{"type":"RandomString","size":65535}}}]';
      const matcher = `{"matchers":[{"match":"arrayContains","variants":${variants}}]}`;
      const withRule = (text: string): string =>
        text.replace('"generators":{}', () => `"matchingRules":{"body":{"$.list":${matcher}}}`);
      expect(messageOn({ generators: '{}', body: listOf(100) }, withRule)).toBe(
        tooLong('matchingRules/body/$.list/matchers/0/variants/0/generators/$'),
      );
      expect(messageOn({ generators: '{}', body: listOf(3) }, withRule)).toBeUndefined();
    });

    test.each([
      ['{"min":10,"max":1}', '10 to 1'],
      ['{"min":11}', '11 to 10'],
      ['{"min":0,"max":4294967295}', '0 to 4294967295'],
      ['{"min":1,"max":9223372036854775807}', '1 to 9223372036854775807'],
      ['{"min":2147483647,"max":2147483647}', '2147483647 to 2147483647'],
    ])('cannot make an integer from %s', (range, inWords) => {
      const generators = `{"body":{"$.id":{"type":"RandomInt",${range.slice(1)}}}`;
      expect(messageOn({ generators })).toBe(
        `Pact cannot make an integer from ${inWords}, of which it keeps 32 bits, at /interactions/0/request/generators/body/$.id`,
      );
    });

    test.each([
      '{"body":{"$.id":{"type":"RandomInt","min":1,"max":2147483647}}}',
      '{"body":{"$.id":{"type":"RandomInt"}}}',
      '{"body":{"$.name":{"type":"Regex","regex":"[a-z]{1,100}"}},"header":{"X":{"type":"Uuid"}}}',
      '{"body":{"$.name":{"type":"RandomString","size":65535}},"path":{"type":"RandomHexadecimal","digits":8}}',
      '{"body":{"$.name":{"type":"DateTime","format":"yyyy-MM-dd HH:mm:ss"}}}',
      '{"query":{"q":"?"},"body":7,"status":{"type":"RandomBoolean"}}',
    ])('may be usual: %s', (generators) => {
      expect(messageOn({ generators })).toBeUndefined();
    });

    test('for each of 1000 items may be usual', () => {
      const uuid = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
      const each = Array.from(
        { length: 1000 },
        (_, at) => `"$.list[${at}]":{"type":"Regex","regex":"${uuid}"}`,
      );
      expect(messageOn({ body: listOf(1000), generators: `{"body":{${each}}}` })).toBeUndefined();
    });
  });

  test('but not a pattern of a request, which Pact does not use here', () => {
    const text = pactOf([creation]).replace(
      '"encoded":false}}',
      '"encoded":false},"matchingRules":{"body":{"$.name":{"matchers":[{"match":"regex","regex":"("}]}}}}',
    );
    expect(loadablePartOf(readPact(text, 'pact.json'), text)).toMatchObject({ text, unloadable: new Map() });
  });

  test('an interaction that is not HTTP', async () => {
    const types = ['Asynchronous/Messages', 'Synchronous/HTTP', 'Synchronous/Messages'];
    const sketches = types.map((type) => ({ description: `of ${type}` }));
    let at = 0;
    const text = pactOf(sketches).replaceAll('"Synchronous/HTTP"', () => JSON.stringify(types[at++]));
    const loadable = loadablePartOf(readPact(text, 'pact.json'), text);
    expect(loadable.unloadable).toEqual(new Map());
    expect(loadable.interactions.map(({ description }) => description)).toEqual(['of Synchronous/HTTP']);
    const kept = readPact(loadable.text, 'pact.json');
    expect([kept.interactions.length, kept.otherTypes]).toEqual([1, []]);
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
