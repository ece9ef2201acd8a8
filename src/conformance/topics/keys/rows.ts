import { fieldLike } from '../../oracle.js';
import type { Row } from '../../row.js';
import type { Template } from '../../template.js';

/** A member of an object. Its value is JSON. */
export type Member = readonly [key: string, value: Template];

const UNCHANGED = ['request/unknown-members-change-nothing'];
const EXACT = ['request/keys-are-exact'];

/** What a plant with unknown members is sent for. */
function rulesOf(keys: readonly string[]): readonly string[] {
  return keys.some((key) => fieldLike(key) !== undefined) ? EXACT : UNCHANGED;
}

/** A JSON object of its members. */
export function objectOf(members: readonly Member[]): Template {
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

/** A row of one body. The interface says what it is for. */
function oneBody(name: string, title: string, body: Template): Row {
  return { name, title, requests: [{ body }] };
}

const NAMED: readonly Row[] = [
  {
    ...oneBody('missing-name', 'a plant without a name', '{"id":<ID>}'),
    rules: ['request/name-is-required', 'unspecified/missing-field'],
  },
  oneBody('missing-id', 'a plant without an id', '{"name":"<NAME>"}'),
  {
    ...oneBody('empty-object', 'an empty JSON object', '{}'),
    rules: ['request/name-is-required', 'request/id-is-required'],
  },
  {
    ...oneBody(
      'unknown-field',
      'a plain plant with an unknown field',
      '{"name":"<NAME>","id":<ID>,"colour":"green"}',
    ),
    rules: [...UNCHANGED, 'unspecified/unknown-field'],
    phase: 'invalid',
  },
  {
    ...oneBody(
      'repeated-key',
      'a plant with the key "name" twice',
      '{"name":"Agave","name":"<NAME>","id":<ID>}',
    ),
    rules: ['unspecified/repeated-key'],
    phase: 'invalid',
  },
  // JSON allows escapes in keys too.
  oneBody(
    'keys/escaped',
    'a plant with every letter of its keys written as a \\u escape',
    '{"\\u006e\\u0061\\u006D\\u0065":"<NAME>","\\u0069\\u0064":<ID>,"\\u0074\\u0061\\u0067":"succulent"}',
  ),
];

const LONG_KEY = 'k'.repeat(2_000);
const MANY = Array.from({ length: 100 }, (_, at) => `"key${at}":${at}`).join(',');

/** The kind of unknown members, what is sent, and the body. */
const UNKNOWN: readonly (readonly [kind: string, title: string, body: Template])[] = [
  [
    'other-case-beside',
    'a plant with "NAME", "Name", "TAG" and "Tag" beside "name" and "tag"',
    '{"NAME":"Fern","TAG":"fern","name":"<NAME>","id":<ID>,"tag":"succulent","Name":"Agave","Tag":"agave"}',
  ],
  ['tag-capitalised', 'a plant without a tag, with "Tag"', '{"name":"<NAME>","id":<ID>,"Tag":"fern"}'],
  [
    'plants-beside',
    'a plant with other plants in unknown fields',
    '{"plant":{"name":"Fern","id":<ID>5,"tag":"fern"},"name":"<NAME>","id":<ID>,"tag":"succulent","data":{"name":"Agave","id":<ID>6,"tag":"agave"}}',
  ],
  [
    'proto-beside',
    'a plant without a tag, with an object "__proto__" that has a name and a tag',
    '{"__proto__":{"name":"Fern","tag":"fern"},"name":"<NAME>","id":<ID>}',
  ],
  [
    'constructor-prototype-beside',
    'a plant without a tag, with a tag in an object "constructor.prototype"',
    '{"name":"<NAME>","id":<ID>,"constructor":{"prototype":{"tag":"fern"}}}',
  ],
  [
    'names-of-methods',
    'a plant with unknown fields that are named like methods of objects',
    '{"hasOwnProperty":1,"toString":null,"valueOf":"x","toJSON":{},"then":false,"length":-1,"constructor":null,"name":"<NAME>","id":<ID>}',
  ],
  [
    'names-like-tag',
    'a plant without a tag, with "tags", "type" and "kind"',
    '{"name":"<NAME>","id":<ID>,"tags":["fern"],"type":"fern","kind":"fern"}',
  ],
  [
    'common-names',
    'a plant with unknown fields that many records have',
    '{"name":"<NAME>","id":<ID>,"price":2,"_id":"5f","uuid":"","created_at":null,"data":[],"status":true,"error":7,"message":"hello","class":"Plant","@type":"Plant","$schema":"https://example.com/plant"}',
  ],
  [
    'operators',
    'a plant with unknown fields that mean something to databases',
    '{"name":"<NAME>","id":<ID>,"$where":"1","$set":{"tag":"fern"},"a.b":1,"$ref":"#/a"}',
  ],
  [
    'nul-in-key',
    'a plant with an unknown field whose key begins with the character U+0000',
    '{"\\u0000name":"Fern","name":"<NAME>","id":<ID>}',
  ],
  [
    'many-and-odd',
    'a plant with 100 unknown fields, one without a name and one with a name of 2,000 letters',
    `{"name":"<NAME>","":"","${LONG_KEY}":"",${MANY},"id":<ID>}`,
  ],
  // Within the limits of parsers that have a large one, and beyond the limit of those that count to 100 or 128.
  ['nested', 'a plant with 400 arrays in each other in an unknown field', nested(400)],
];

/** Beyond the limits of recursive parsers. JSON allows limits (RFC 8259, section 9), so the response is observed only. */
const DEEPLY_NESTED: Row = {
  name: 'keys/deeply-nested',
  title: 'a plant with 20,000 arrays in each other in an unknown field',
  expectation: 'open',
  rules: ['unspecified/deep-nesting'],
  requests: [{ body: nested(20_000), plant: { name: '<NAME>', id: '<ID>' } }],
};

function nested(depth: number): Template {
  return `{"name":"<NAME>","id":<ID>,"colour":<REPEAT ${depth} [><REPEAT ${depth} ]>}`;
}

/** A plant with members that the interface does not name. A provider may reject it. */
function unknown([kind, title, body]: (typeof UNKNOWN)[number]): Row {
  const row = oneBody(`keys/${kind}`, title, body);
  const keys = [...body.matchAll(/"(\w+)":/g)].map(([, key = '']) => key);
  return { ...row, expectation: 'open', rules: rulesOf(keys), control: 'plain-plant' };
}

/**
 * A plant with another id under keys like "id", half of them before the id and half of them after it. Then come a plant
 * with that id, and one with the first. The other id is the first and one more digit. Both fit into 32 bits.
 */
export function withOtherId<Name extends string>(name: Name, keys: readonly string[]): Row<Name> {
  const others = keys.map((key): Member => [key, '<ID>7']);
  const body = objectOf([
    ...others.filter((_, at) => at % 2 === 0),
    ['name', '"<NAME>"'],
    ['id', '<ID>'],
    ...others.filter((_, at) => at % 2 === 1),
  ]);
  return {
    name,
    title: `a plant with another id as ${keys.map((key) => JSON.stringify(key)).join(', ')}, then one with that id, then one with the first`,
    expectation: 'created',
    rules: rulesOf(keys),
    phase: 'state',
    ids: ['10000000', '200000000'],
    requests: [
      { body, expectation: 'open' },
      { body: '{"name":"<NAME2>","id":<ID*10+7>}' },
      { body: '{"name":"<NAME3>","id":<ID>}', plant: false, expectation: 'open', idMayExist: true },
    ],
  };
}

/** How a key differs from another one, for which a careless reader takes it. The simplest is first. */
export const WRONG_KEYS = {
  'in-capitals': (key: string) => key.toUpperCase(),
  // Go, .NET and some Java libraries ignore case when they bind members to fields.
  capitalised: (key: string) => key.charAt(0).toUpperCase() + key.slice(1),
  'after-space': (key: string) => ` ${key}`,
  'before-space': (key: string) => `${key} `,
  'before-nul': (key: string) => `${key}\0`,
  underscored: (key: string) => `_${key}`,
  'in-longer-key': (key: string) => `nick${key}`,
  'in-wide-letters': (key: string) =>
    key.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
};

/** A plant with a required member under a wrong key. */
function wrongKey(field: 'name' | 'id', kind: keyof typeof WRONG_KEYS, hasTag = false): Row {
  const key = WRONG_KEYS[kind](field);
  const keys = { name: 'name', id: 'id', [field]: key };
  const plant: Member[] = [
    [keys.name, '"<NAME>"'],
    [keys.id, '<ID>'],
  ];
  if (hasTag) plant.push(['tag', '"succulent"']);
  return oneBody(
    `keys/${field}-${kind}`,
    `a plant with ${hasTag ? 'a tag, and with ' : ''}"${key}" instead of "${field}"`,
    objectOf(plant),
  );
}

const WRONG: readonly Row[] = [
  wrongKey('name', 'capitalised'),
  wrongKey('name', 'in-capitals'),
  wrongKey('id', 'capitalised'),
  wrongKey('id', 'in-capitals'),
  wrongKey('id', 'underscored', true),
  wrongKey('name', 'after-space', true),
  wrongKey('id', 'before-space'),
  {
    ...wrongKey('name', 'before-nul'),
    title: 'a plant with "name" and the character U+0000 as a key instead of "name"',
  },
  {
    ...wrongKey('name', 'in-wide-letters'),
    title: 'a plant with "ｎａｍｅ" in wide letters instead of "name"',
  },
  wrongKey('name', 'in-longer-key'),
];

/** Plants with a required member in another object. */
const HIDDEN: readonly Row[] = [
  oneBody(
    'keys/name-in-proto',
    'a plant whose name is in an object "__proto__"',
    '{"__proto__":{"name":"<NAME>"},"id":<ID>}',
  ),
  oneBody(
    'keys/id-in-proto',
    'a plant whose id is in an object "__proto__"',
    '{"name":"<NAME>","__proto__":{"id":<ID>}}',
  ),
  oneBody(
    'keys/name-in-constructor-prototype',
    'a plant whose name is in an object "constructor.prototype"',
    '{"constructor":{"prototype":{"name":"<NAME>"}},"id":<ID>}',
  ),
  oneBody(
    'keys/name-nested',
    'a plant whose name is in an object in it',
    '{"id":<ID>,"plant":{"name":"<NAME>"}}',
  ),
  oneBody(
    'keys/id-nested',
    'a plant whose id is in an object in it',
    '{"name":"<NAME>","plant":{"id":<ID>}}',
  ),
];

/** Members that are missing, unknown, there twice, or written in another way. */
export const keyRows: readonly Row[] = [
  ...NAMED,
  ...UNKNOWN.map(unknown),
  DEEPLY_NESTED,
  withOtherId('keys/other-id-beside', ['_id']),
  withOtherId('keys/id-in-other-case-beside', ['ID', 'Id']),
  ...WRONG,
  ...HIDDEN,
];
