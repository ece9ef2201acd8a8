import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { auditPact } from 'plant-store-contract/pact';
import type { WritableJson } from 'plant-store-contract/validation';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listen } from '../../../src/http/address.js';
import { longestText } from '../../../src/pact/matching/patterns.js';
import { unusableGenerator, unusableRules } from '../../../src/pact/matching/unusable.js';
import { readPact } from '../../../src/pact/pact-file.js';
import { type PactVerifier, startPactVerifier } from '../../../src/pact/verification/pact-verifier.js';
import { matchers, pactOf } from '../audit/one-interaction.js';
import { folderWith } from '../verification/pacts.js';

type Json = WritableJson;

const TYPE = matchers({ match: 'type' });
const name = (matcher: { readonly [member: string]: Json }): Json => ({
  body: { '$.name': matchers(matcher) },
});
const at = (path: string): Json => ({ body: { [path]: TYPE } });
const words = (text: string): string[] => text.split(/\s+/);

/** What Pact cannot load. Nothing of the whole pact is verified then. */
const BREAKS_PACT: readonly (readonly [title: string, rules: Json, path: string])[] = [
  ['an unknown matcher', name({ match: 'botanical' }), '/body/$.name/matchers/0'],
  ['a matcher in another case', name({ match: 'Type' }), '/body/$.name/matchers/0'],
  ['a matcher without a name', name({ value: 'A' }), '/body/$.name/matchers/0'],
  ['a name that is no string', name({ match: 7 }), '/body/$.name/matchers/0'],
  ['a regex without a pattern', name({ match: 'regex' }), '/body/$.name/matchers/0'],
  ['an include without a value', name({ match: 'include' }), '/body/$.name/matchers/0'],
  ['a content type without a value', name({ match: 'contentType' }), '/body/$.name/matchers/0'],
  ['variants that are missing', name({ match: 'arrayContains' }), '/body/$.name/matchers/0'],
  [
    'an unknown matcher for keys',
    name({ match: 'eachKey', rules: [{ match: 'x' }] }),
    '/body/$.name/matchers/0',
  ],
  [
    'an unknown class of statuses',
    { status: { $: matchers({ match: 'statusCode', status: 'fine' }) } },
    '/status/$/matchers/0',
  ],
  ['a status as a number', { status: matchers({ match: 'statusCode', status: 200 }) }, '/status/matchers/0'],
  ['a matcher that is no object', { body: { '$.name': { matchers: ['type'] } } }, '/body/$.name/matchers/0'],
  [
    'an unknown matcher of a header',
    { header: { Date: matchers({ match: 'x' }) } },
    '/header/Date/matchers/0',
  ],
  ['an unknown matcher of another part', { colour: { x: matchers({ match: 'x' }) } }, '/colour/x/matchers/0'],
  ['a body that is a string', { body: 'x' }, '/body'],
  ['a body that is a list', { body: [] }, '/body'],
  ['an unknown matcher of specification 2', { '$.body.name': { match: 'x' } }, '/$.body.name'],
  ['a regex without a pattern of specification 2', { '$.body.name': { match: 'regex' } }, '/$.body.name'],
  ['an empty matcher of specification 2', { '$.body.name': {} }, '/$.body.name'],
  ['a string of specification 2', { '$.body.name': 'type' }, '/$.body.name'],
  ['a list in specification 2', { '$.body.name': TYPE }, '/$.body.name'],
  [
    'a broken path of specification 2 without a root',
    { '$.body': { match: 'type' }, 'a[': { match: 'type' } },
    '/a[',
  ],
  ['a broken path of specification 2', { '$.body.name[': { match: 'type' } }, '/$.body.name['],
  ...[
    ...words(
      `$.name[ $["name"] $..name $. $.name. $.a/b $.a? $name $$ $.** $.*b $['name $[''] $['a']b $[a] $[-1]`,
    ),
    ...words(`$[1 $[1a] $[] $.[0] _x * .name [0] $.a'b $[*]a $.a+b $.a,b $.a"b $.a*b $.a]b`),
    ...['$.a b', ' $.name', '$ .name'],
  ].map((path) => [`the path ${path}`, at(path), `/body/${path.replaceAll('/', '~1')}`] as const),
];

/** What Pact loads, and then ignores or never matches. */
const BREAKS_RULE: readonly (readonly [title: string, rules: Json, path: string])[] = [
  ['matchers that are not a list', { body: { '$.name': { matchers: { match: 'type' } } } }, '/body/$.name'],
  ['matchers that are a string', { body: { '$.name': { matchers: 'type' } } }, '/body/$.name'],
  ['a rule without matchers', { body: { '$.name': { match: 'type' } } }, '/body/$.name'],
  ['a rule that is null', { body: { '$.name': null } }, '/body/$.name'],
  ['rules that are a string', 'type', ''],
  ['rules that are a list', [{ match: 'type' }], ''],
  ...['([a-z', '(a', 'a)', 'a\\', '[a', '[[:alpha:]', '*a', '+', '?', '[\\]', 'x(y[)]', '(?i)('].map(
    (regex) => [`the pattern ${regex}`, name({ match: 'regex', regex }), '/body/$.name/matchers/0'] as const,
  ),
];

/** What Pact can use. */
const USABLE: readonly (readonly [title: string, rules: Json])[] = [
  ...words(`type equality number integer decimal real boolean null date time timestamp datetime values notEmpty
    not-empty semver eachKey each-value statusCode`).map((match) => [match, name({ match })] as const),
  ...['min', 'max', 'min-type', 'max-type'].map((match) => [match, name({ match, min: 1, max: 9 })] as const),
  ['a pattern without the name of its matcher', name({ regex: 'A.*' })],
  ['a minimum without the name of its matcher', name({ min: 1 })],
  ['a list of statuses', { status: matchers({ match: 'statusCode', status: [200, 201] }) }],
  ['a class of statuses', { status: { $: matchers({ match: 'status-code', status: 'success' }) } }],
  ['no matcher', { body: { '$.name': { matchers: [] } } }],
  ['no rules, as a list', []],
  ['a header with a bracket in its name', { header: { 'Content-Type[': TYPE } }],
  ['a path of specification 2', { "$.body['name']": { match: 'type' } }],
  ['another root in specification 2', { '$.body.name': { match: 'type' }, 'body.name': { match: 'type' } }],
  ...[
    ...words(
      `$ $.name $.* $['name'] $.name[0] $[*] $['*'] name name.x 1x $.a:b $.a#b $.a@b $.a_b $.a-b $.é $.日`,
    ),
    ...words(`$['a'].b $[*].a x-y`),
    ...['', "$['a b']"],
  ].map((path) => [`the path ${path}`, at(path)] as const),
  ...[
    ...words(
      String.raw`[]] [(] [a[b](] [^]a] a++ a{ } ] (?#()a (?<n>A)\k<n>? A| [[:alpha:]]+ (?=A).* \p{Lu}.*`,
    ),
    ...words(String.raw`(?i)aloe a\) [\]] \(`),
    ...['', '(?x)a # ('],
  ].map((regex) => [`the pattern ${regex}`, name({ match: 'regex', regex })] as const),
];

const found = (rules: Json) =>
  unusableRules(JSON.parse(JSON.stringify(rules)), false).map(({ path, breaks }) => [
    breaks,
    path.map((key) => `/${String(key).replaceAll('/', '~1')}`).join(''),
  ]);

describe('rules that Pact cannot use are found', () => {
  test.each(BREAKS_PACT)('%s', (_title, rules, path) => {
    expect(found(rules)).toEqual([['pact', path]]);
  });

  test.each(BREAKS_RULE)('%s', (_title, rules, path) => {
    expect(found(rules)).toEqual([['rule', path]]);
  });

  test.each(USABLE)('but not %s', (_title, rules) => {
    expect(found(rules)).toEqual([]);
  });

  test('a plugin may have matchers of its own', () => {
    const rules = JSON.parse(JSON.stringify(name({ match: 'botanical' })));
    expect(unusableRules(rules, true)).toEqual([]);
  });
});

describe('Pact agrees:', () => {
  let pact: PactVerifier;
  let url: string;
  let received: string[] = [];
  const server = createServer(async (request, response) => {
    received.push(await text(request));
    response.setHeader('content-type', 'application/json').end('{"name":"Aloe"}');
  });
  const verify = (file: string): Promise<string> =>
    pact.verify({ providerBaseUrl: url, provider: 'plant-store', pactUrls: [file], logLevel: 'error' });

  beforeAll(async () => {
    pact = startPactVerifier();
    ({ url } = await listen(server, '127.0.0.1', 0));
  });
  afterAll(() => {
    pact.stop();
    server.close();
  });

  test('it cannot load these, and can load the others', async () => {
    const folder = await folderWith({});
    const cases = [
      ...BREAKS_PACT.map(([title, rules]) => ({ title, rules, loads: false })),
      ...[...BREAKS_RULE, ...USABLE].map(([title, rules]) => ({ title, rules, loads: true })),
    ];
    const wrong: string[] = [];
    for (const { title, rules, loads } of cases) {
      const file = join(folder, 'pact.json');
      writeFileSync(file, pactOf({ version: '4.0', response: { matchingRules: rules } }));
      const result = await verify(file);
      if (result.includes('Failed to load pact') === loads) wrong.push(`${title}: ${result}`);
    }
    expect(wrong).toEqual([]);
  });

  test.each(['2.0.0', '3.0.0', '4.0'] as const)(
    'it makes no longer text of a pattern than is expected, in specification %s',
    async (version) => {
      const patterns = words(
        String.raw`a{9} a{2}{3}{4} (a{30}){30} (ab?|c){10}d [](a{9}]{40} [[:alpha:](]{30} [a[b{9}]c]{30}
          \[a{3}\] \d{30} \x{41}{20} (?u)\p{Lu}{3} (?i)a{30} (?P<n>a{9}){9} a*b* (a+|b{7,})+`,
      );
      const file = join(await folderWith({}), 'pact.json');
      const interactions = patterns.map((regex) => ({
        version,
        request: { body: { name: '' }, generators: { body: { '$.name': { type: 'Regex', regex } } } },
      }));
      writeFileSync(file, pactOf(...interactions));
      received = [];
      await verify(file);
      const lengths = received.map((body) => [...JSON.parse(body).name].length);
      expect(lengths.slice(0, 3)).toEqual([9, 24, 900]);
      expect(lengths.every((length) => length > 0)).toBe(true);
      const longer = patterns.filter((pattern, at) => (lengths[at] ?? Infinity) > longestText(pattern));
      expect(longer).toEqual([]);
    },
  );

  test('it verifies nothing with a range without an integer', async () => {
    const file = join(await folderWith({}), 'pact.json');
    const ranges = [{ min: 10, max: 1 }, { min: 0, max: 2 ** 32 - 1 }, { min: -5, max: 2 ** 31 - 1 }, {}];
    const results: [isUnusable: boolean, requests: number][] = [];
    for (const range of ranges) {
      const written = pactOf({
        request: { generators: { body: { '$.id': { type: 'RandomInt', ...range } } } },
      });
      writeFileSync(file, written);
      const [interaction] = readPact(written, file).interactions;
      received = [];
      await verify(file);
      results.push([
        interaction !== undefined && unusableGenerator(interaction) !== undefined,
        received.length,
      ]);
    }
    expect(results).toEqual([
      [true, 0],
      [true, 0],
      [false, 1],
      [false, 1],
    ]);
  });
});

test('an audit reports a generator with its place', () => {
  const generators = { header: { 'X-Plant': { type: 'Regex', regex: 'a{2000000000}' } } };
  const { conclusion, pacts } = auditPact(pactOf({ request: { generators } }));
  expect(conclusion).toBe('does-not-conform');
  expect(pacts[0]?.interactions[0]?.problems).toEqual([
    {
      kind: 'unusable-rule',
      ...{ side: 'request', part: 'generators', field: 'header X-Plant' },
      message: 'Pact cannot use the generator: with its value, the request may be longer than 2 MiB.',
      pointer: '/interactions/0/request/generators/header/X-Plant',
      line: 1,
    },
  ]);
});

test('an audit reports each with its place, also in a request and in another operation', () => {
  const broken = { matchingRules: name({ match: 'botanical' }) };
  const compact = pactOf({
    request: { ...broken, path: '/other' },
    response: { matchingRules: { body: 'x' } },
  });
  const pact = JSON.stringify(JSON.parse(compact), null, 2);
  const { conclusion, pacts } = auditPact(pact);
  expect(conclusion).toBe('does-not-conform');
  const problems = pacts.flatMap(({ interactions }) => interactions.flatMap((one) => one.problems));
  const lines = pact.split('\n');
  expect(problems.slice(0, 2)).toEqual([
    {
      kind: 'unusable-rule',
      ...{ side: 'request', part: 'matchingRules', field: 'body $.name' },
      message: 'Pact cannot use the rule: Pact has no matcher "botanical", so it cannot load the pact.',
      pointer: '/interactions/0/request/matchingRules/body/$.name/matchers/0',
      line: lines.findIndex((line) => line.includes('"match": "botanical"')),
    },
    {
      kind: 'unusable-rule',
      ...{ side: 'response', part: 'matchingRules', field: 'body' },
      message:
        'Pact cannot use the rule: the rules for "body" are not an object, so it cannot load the pact.',
      pointer: '/interactions/0/response/matchingRules/body',
      line: lines.findIndex((line) => line.includes('"body": "x"')) + 1,
    },
  ]);
});
