import { fieldLike } from '../../oracle.js';
import { type Row, words } from '../../row.js';
import type { Template } from '../../template.js';

/** A member of an object. Its value is JSON. */
type Member = readonly [key: string, value: Template];

const UNCHANGED = ['request/unknown-members-change-nothing'];
const EXACT = ['request/keys-are-exact'];

/** What a plant with unknown members is sent for. */
function rulesOf(keys: readonly string[]): readonly string[] {
  return keys.some((key) => fieldLike(key) !== undefined) ? EXACT : UNCHANGED;
}

/** A JSON object of its members. */
function objectOf(members: readonly Member[]): Template {
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

const PLAIN: readonly Member[] = [
  ['name', '"<NAME>"'],
  ['id', '<ID>'],
];

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

/** The members of a plant with a tag in the orders that no other row has. */
const ORDERS = words('name,tag,id id,tag,name tag,name,id').map((order) => order.split(','));

function ordered(order: readonly string[]): Row {
  const json: Readonly<Record<string, string>> = { name: '"<NAME>"', id: '<ID>', tag: '"succulent"' };
  return oneBody(
    `keys/order-${order.join('-')}`,
    `a plant whose keys are in the order ${order.join(', ')}`,
    objectOf(order.map((key) => [key, json[key] ?? ''])),
  );
}

/** Keys like "tag". Each has a string, so that a reader that takes one for the tag shows it. */
const LIKE_TAG = words(
  `tags Tags type Type kind category group label labels species _tag tag_ $tag @tag -tag tag[] tag[0] tag.name plant.tag
   plantTag plant_tag plantType tagName tag_name tagline stag color Tag: tág tаg ｔａｇ`,
).concat('tag ', ' tag', 'tag\n');

/** Keys like "name" in other letters, and such a name beside the right one. */
const LIKE_NAME = words(
  `names nickname name_ _name name2 fullName full_name displayName display_name plantName plant_name plant.name title label
   name[] name[0] name.en $name @name -name #name name: username nаme ｎａｍｅ náme nome nombre 名前`,
).concat('name ', ' name', 'name\t', '"name"', "'name'");

/** Keys like "id". */
const LIKE_ID = words(
  `_id ids id_ id2 ID_ $id @id #id -id id[] id.value uuid guid pk key oid no nr num number index identifier plantId plant_id
   plantID plant.id objectId object_id record_id ref code sku idd і ｉｄ íd ıd`,
).concat('id ', ' id', 'id\t', '"id"', "'id'");

/** Whether a key is that of a field in another spelling. That is a mistake of its own. */
function isSpelling(key: string): boolean {
  return fieldLike(key) !== undefined;
}

function isWord(key: string): boolean {
  return !isSpelling(key);
}

/** Keys that mean something to languages, frameworks and databases, or that many records have. */
const COMMON: readonly Member[] = [
  ...words('price quantity version _rev __v rank length size count page').map((key): Member => [key, '2']),
  ...words(`uuid created_at createdAt updated_at deleted_at description url href type class @type @class @context #text $schema $ref
    $id _links xmlns format callback etag self this __class__ __init__ _method _token`).map(
    (key): Member => [key, '"hello"'],
  ),
  ...words('data items children metadata attributes plants errors').map((key): Member => [key, '[]']),
  ...words('status active ok success deleted is_admin verbose').map((key): Member => [key, 'true']),
  ['error', '7'],
  ['message', '"hello"'],
  ['owner', 'null'],
];

const METHODS =
  words(`hasOwnProperty toString valueOf toJSON then constructor length isPrototypeOf inspect keys get set values entries
  copy update pop items clone equals hashCode getClass dict json schema model_dump construct validate save delete`);

/** Keys with other characters than letters. */
const ODD_KEYS = [
  ...['', ' ', 'a b', '\t', '\n', '\u00e9', '\u6c34', '\ud83c\udf35', '\u200b', '\u2028', '\ufeff', '\uffff'],
  ...words(`. a.b a/b a\\b a"b a'b a[b] [] * %s % & <a> 0 -1 \x7f \u202e`),
  'k'.repeat(2_000),
];

/** Strings in which a reader that searches for keys finds other ones. */
const LIKE_KEYS: readonly Member[] = [
  ['note', '"x\\",\\"tag\\":\\"fern\\",\\"name\\":\\"Fern\\",\\"id\\":7,\\"y\\":\\""'],
  ['"name":"Fern","tag":"fern","id":7,"', '"},{\\"name\\":\\"Fern\\",\\"tag\\":\\"fern\\"}"'],
  ['key', '"name"'],
  ['keys', '["name","id","tag"]'],
  ['value', '"{\\"name\\": \\"Fern\\", \\"tag\\": \\"fern\\"}"'],
];

/** Values that parsers dislike. */
const VALUES = [
  ...words(
    'null true false 0 -0 -1 1.5 -0.0 1e2 1E+2 1.25e-2 0e0 5e-324 1e-7 123456789012345678901234567890 9007199254740993 -9223372036854775808',
  ),
  ...words(
    '0.1234567890123456789012345 2147483648 18446744073709551616 "" [] {} [[]] [{}] {"":{}} [null] [1,"a",null,{}]',
  ),
  `"${'x'.repeat(9_000)}"`,
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `[${'0,'.repeat(200)}0]`,
];

/** The kind of unknown members, what is sent, and the body. */
const UNKNOWN: readonly (readonly [kind: string, title: string, body: Template])[] = [
  [
    'other-case-beside',
    'a plant with "NAME", "Name", "TAG" and "Tag" beside "name" and "tag"',
    '{"NAME":"Fern","TAG":"fern","name":"<NAME>","id":<ID>,"tag":"succulent","Name":"Agave","Tag":"agave"}',
  ],
  [
    'tag-in-other-spelling',
    'a plant without a tag, with "Tag" and other spellings of that key',
    objectOf([
      ...PLAIN,
      ...['Tag', 'TAG', ...LIKE_TAG.filter(isSpelling)].map((key): Member => [key, '"fern"']),
    ]),
  ],
  [
    'plants-beside',
    'a plant without a tag, with other plants in unknown fields',
    '{"plant":{"name":"Fern","id":<ID>5,"tag":"fern"},"name":"<NAME>","attributes":{"name":"Agave","tag":"agave"},"id":<ID>,"data":{"name":"Agave","id":<ID>6,"tag":"agave"},"plants":[{"name":"Fern","id":<ID>7,"tag":"fern"}],"$set":{"name":"Fern","tag":"fern"}}',
  ],
  [
    'prototypes-beside',
    'a plant without a tag, with a name and a tag in "__proto__" and "constructor.prototype"',
    '{"__proto__":{"name":"Fern","tag":"fern"},"name":"<NAME>","id":<ID>,"constructor":{"prototype":{"tag":"fern"}}}',
  ],
  [
    'names-of-methods',
    'a plant with unknown fields that are named like methods of objects',
    objectOf([
      ...METHODS.map((key, at): Member => [key, ['1', 'null', '"x"', '{}', 'false'][at % 5] ?? '']),
      ...PLAIN,
    ]),
  ],
  [
    'names-like-tag',
    'a plant without a tag, with strings under keys like "tag"',
    objectOf([...PLAIN, ...LIKE_TAG.filter(isWord).map((key): Member => [key, '"fern"'])]),
  ],
  [
    'names-like-name',
    'a plant with other names under keys like "name"',
    objectOf([
      ...LIKE_NAME.slice(0, 12)
        .filter(isWord)
        .map((key): Member => [key, '"Fern"']),
      ...PLAIN,
      ...LIKE_NAME.slice(12)
        .filter(isWord)
        .map((key): Member => [key, '"Agave"']),
    ]),
  ],
  ['common-names', 'a plant with unknown fields that many records have', objectOf([...PLAIN, ...COMMON])],
  [
    'operators',
    'a plant with unknown fields that mean something to databases',
    '{"name":"<NAME>","id":<ID>,"$where":"1","$set":{"tag":"fern"},"a.b":1,"$ref":"#/a","$gt":"","$or":[{}],"$unset":{"name":1},"_bsontype":"x"}',
  ],
  [
    'nul-in-key',
    'a plant with an unknown field whose key begins with the character U+0000',
    '{"\\u0000name":"Fern","name":"<NAME>","id":<ID>}',
  ],
  [
    'odd',
    'a plant with unknown fields whose keys are empty, long, or have other characters',
    objectOf([...ODD_KEYS.slice(0, 15).map(withOne), ...PLAIN, ...ODD_KEYS.slice(15).map(withOne)]),
  ],
  [
    'many',
    'a plant with 1,000 unknown fields before its tag',
    objectOf([
      ...PLAIN,
      ...Array.from({ length: 1_000 }, (_, at): Member => [`key${at}`, String(at)]),
      ['tag', '"succulent"'],
    ]),
  ],
  [
    'values',
    'a plant with values of every kind in unknown fields',
    objectOf([...VALUES.map((value, at): Member => [`key${at}`, value]), ...PLAIN]),
  ],
  [
    'like-keys',
    'a plant without a tag, with strings that look like other keys and values',
    objectOf([...LIKE_KEYS, ...PLAIN, ...LIKE_KEYS.map(([key, value]): Member => [`${key}2`, value])]),
  ],
  // Within the limits of parsers that have a large one, and beyond the limit of those that count to 100 or 128.
  ['nested', 'a plant with 400 arrays in each other in an unknown field', nested(400)],
];

/** What some of them are also sent for. Programs that return what they read return common names first. */
const MORE_RULES: Readonly<Record<string, readonly string[]>> = {
  'common-names': ['success/plant-fields-only'],
  nested: ['unspecified/nested-arrays'],
};

function withOne(key: string): Member {
  return [key, '1'];
}

/** Beyond the limits of recursive parsers. JSON allows limits (RFC 8259, section 9), so the response is observed only. */
const DEEPLY_NESTED: Row = {
  name: 'keys/deeply-nested',
  title: 'a plant with 20,000 arrays in each other in an unknown field',
  expectation: 'open',
  phase: 'heavy',
  alone: true,
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
  const more = MORE_RULES[kind] ?? [];
  const rare = kind === 'many' || kind === 'nested' ? ({ rare: true } as const) : {};
  return { ...row, expectation: 'open', rules: [...rulesOf(keys), ...more], control: 'plain-plant', ...rare };
}

/**
 * A plant with another id under keys like "id", half of them before the id and half of them after it. Then come a plant
 * with that id, and one with the first. The other id is the first and one more digit. Both fit into 32 bits.
 */
function withOtherId<Name extends string>(name: Name, keys: readonly string[]): Row<Name> {
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
const WRONG_KEYS = {
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
function wrongKey(field: 'name' | 'id', kind: keyof typeof WRONG_KEYS): Row {
  const key = WRONG_KEYS[kind](field);
  const keys = { name: 'name', id: 'id', [field]: key };
  return oneBody(
    `keys/${field}-${kind}`,
    `a plant with "${key}" instead of "${field}"`,
    objectOf([
      [keys.name, '"<NAME>"'],
      [keys.id, '<ID>'],
    ]),
  );
}

/** Keys in the case of another programming language. */
const WRONG: readonly Row[] = [
  wrongKey('name', 'capitalised'),
  wrongKey('name', 'in-capitals'),
  wrongKey('id', 'capitalised'),
  wrongKey('id', 'in-capitals'),
  {
    ...wrongKey('name', 'before-nul'),
    title: 'a plant with "name" and the character U+0000 as a key instead of "name"',
  },
  likeField('name', 'spelling', LIKE_NAME.filter(isSpelling)),
  likeField('id', 'spelling', LIKE_ID.filter(isSpelling)),
  likeField('name', 'words', LIKE_NAME.filter(isWord)),
  likeField('id', 'words', LIKE_ID.filter(isWord)),
];

/** A plant with all keys that are like the one of a required member, and without that member. */
function likeField(field: 'name' | 'id', what: 'spelling' | 'words', keys: readonly string[]): Row {
  const right = Object.fromEntries(PLAIN);
  return oneBody(
    `keys/${field}-in-other-${what}`,
    `a plant with "${field}" in other ${what} only`,
    objectOf([
      ...PLAIN.filter(([key]) => key !== field),
      ...keys.map((key): Member => [key, right[field] ?? '']),
      ['tag', '"succulent"'],
    ]),
  );
}

const HIDING = words('plant data attributes params body NewPlant payload item 0');

/** Plants with a required member in another object. */
const HIDDEN: readonly Row[] = PLAIN.flatMap(([field, json]) => {
  const others = PLAIN.filter(([key]) => key !== field);
  const inner = objectOf([[field, json]]);
  return [
    oneBody(
      `keys/${field}-in-prototypes`,
      `a plant whose ${field} is in "__proto__" and "constructor.prototype"`,
      objectOf([['__proto__', inner], ...others, ['constructor', objectOf([['prototype', inner]])]]),
    ),
    oneBody(
      `keys/${field}-nested`,
      `a plant whose ${field} is in objects in it`,
      objectOf([...others, ...HIDING.map((key): Member => [key, inner])]),
    ),
  ];
});

/** Members that are missing, unknown, there twice, or written in another way. */
export const keyRows: readonly Row[] = [
  ...NAMED,
  ...ORDERS.map(ordered),
  ...UNKNOWN.map(unknown),
  DEEPLY_NESTED,
  withOtherId('keys/other-id-beside', ['_id', 'plant_id', 'id2', 'key']),
  withOtherId('keys/id-in-other-case-beside', ['ID', 'Id']),
  ...WRONG,
  ...HIDDEN,
];

type Field = 'name' | 'id' | 'tag';

/** Keys that are like those of the fields, in words. */
const IN_WORDS: Readonly<Record<Field, readonly string[]>> = { name: LIKE_NAME, id: LIKE_ID, tag: LIKE_TAG };

/** Wrong keys: `*` stands for the right one. */
const AROUND =
  '*\t|\0*|\ufeff*|*\u200b|*\u0301|*\u00ad|*_|$*|@*|-*|*s|plant_*|plant.*|plant[*]|*[]|/*|"*"|\'*\''.split(
    '|',
  );

/** Keys that a careless reader takes for that of a field. The simplest is first. */
export function wrongKeysFor(field: Field): readonly string[] {
  return [
    ...Object.values(WRONG_KEYS).map((write) => write(field)),
    field.slice(0, -1) + field.slice(-1).toUpperCase(),
    `plant${WRONG_KEYS.capitalised(field)}`,
    ...AROUND.map((around) => around.replace('*', field)),
    // In Cyrillic letters, and with an i without a dot.
    field.replace('a', '\u0430').replace('i', '\u0456'),
    field.replace('i', '\u0131'),
    ...IN_WORDS[field],
    [...field].reverse().join(''),
    field.slice(0, -1),
  ].filter((key) => key !== field);
}

/** Keys that mean something to languages, frameworks and databases, and odd ones. */
export const KEYS = [
  ...words(
    '__proto__ prototype _id ID Id tags label title category plant attributes body item $where $set $gt $type null',
  ),
  ...METHODS,
  ...COMMON.map(([key]) => key),
  ...ODD_KEYS,
];

/** JSON values of members that are no fields. */
export const OTHER_VALUES = [
  ...words(`"fern" ["fern"] {"a":{"b":[1]}} {"name":"Fern","id":<ID>5,"tag":"fern"} [{"name":"Fern","id":<ID>5,"tag":"fern"}]
    {"prototype":{"tag":"fern"}} {"prototype":{"name":"Fern","id":<ID>5}} {"$gt":""} 7 12345678901234567890`),
  ...VALUES,
  ...LIKE_KEYS.map(([, value]) => value),
  `${'['.repeat(100)}${']'.repeat(100)}`,
];
