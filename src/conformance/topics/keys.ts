import { fieldLike } from '../../validation/acceptance.js';
import { readJson } from '../../validation/json.js';
import type { JsonValue } from '../../validation/json-value.js';
import { describe, quoted } from '../../validation/violation.js';
import { membersOf } from '../body.js';
import {
  type Exchange,
  isAccepted,
  isRejected,
  isUnprocessed,
  type Judgement,
  objectIn,
  type Problem,
  plantIn,
} from '../exchange.js';
import type { Facts } from '../judge/facts.js';
import { type ControlName, PLAIN_PLANT, words } from '../row.js';
import {
  accepts,
  type Context,
  type Demand,
  demands,
  FAILURES,
  type Gap,
  JSON_PARSERS,
  judgeAcceptance,
  judgeRejection,
  NEW_PLANT,
  observed,
  PLANT,
  rejected,
  rejects,
  rowsLike,
  type SentRow,
  type Topic,
} from '../rule.js';
import type { Template } from '../template.js';
import {
  COMMON,
  isSpelling,
  LIKE_ID,
  LIKE_KEYS,
  LIKE_NAME,
  LIKE_TAG,
  METHODS,
  type Member,
  ODD_KEYS,
  VALUES,
} from '../values/keys.js';
import { WITH_TAG, WITHOUT_TAG } from '../values/plain-plants.js';
import { judgeAlike } from './ids.js';

const FIELDS: Gap = {
  source: '/components/schemas/NewPlant',
  why: 'A NewPlant has three fields. The interface does not say what happens to other fields.',
};

/** A JSON object of its members. */
function objectOf(members: readonly Member[]): Template {
  return `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
}

const NAME: Member = ['name', '"<NAME>"'];
const ID: Member = ['id', '<ID>'];
const TAG: Member = ['tag', '"succulent"'];

/** Plants with unknown members, one for each line of a table. A provider may reject them. */
const unknowns = rowsLike({ expectation: 'open', control: 'plain-plant' });

/** The same for members that are made. */
function unknown(name: string, title: string, members: readonly Member[]): SentRow {
  return {
    name: `keys/${name}`,
    title: `a plant ${title}`,
    expectation: 'open',
    control: 'plain-plant',
    requests: [{ body: objectOf(members) }],
  };
}

function all(keys: readonly string[], value: Template): readonly Member[] {
  return keys.map((key): Member => [key, value]);
}

/** Without those that are a field in another spelling: that is a mistake of its own. */
function others(keys: readonly string[]): readonly string[] {
  return keys.filter((key) => !isSpelling(key));
}

function nested(depth: number): Member {
  return ['colour', `<REPEAT ${depth} [><REPEAT ${depth} ]>`];
}

/**
 * A plant with another id under keys like "id", half of them before the id and half of them after it. Then come a plant
 * with that id, and one with the first. The other id is the first and one more digit. Both fit into 32 bits.
 */
function withOtherId(name: string, keys: readonly string[]): SentRow {
  const members = all(keys, '<ID>7');
  const half = Math.ceil(keys.length / 2);
  const named = keys.map((key) => JSON.stringify(key)).join(', ');
  return {
    name,
    title: `a plant with another id as ${named}, then one with that id, then one with the first`,
    expectation: 'created',
    phase: 'state',
    ids: ['10000000', '200000000'],
    requests: [
      { body: objectOf([...members.slice(0, half), NAME, ID, ...members.slice(half)]), expectation: 'open' },
      { body: '{"name":"<NAME2>","id":<ID*10+7>}' },
      { body: '{"name":"<NAME3>","id":<ID>}', plant: false, expectation: 'open', idMayExist: true },
    ],
  };
}

/** A plant with all keys that are like the one of a required member, and without that member. */
function likeField(field: 'name' | 'id', what: 'spelling' | 'words'): SentRow {
  const [[, value], other, like] = field === 'name' ? [NAME, ID, LIKE_NAME] : [ID, NAME, LIKE_ID];
  const keys = what === 'words' ? others(like) : like.filter(isSpelling);
  return {
    name: `keys/${field}-in-other-${what}`,
    title: `a plant with "${field}" in other ${what} only`,
    expectation: 'rejected',
    requests: [{ body: objectOf([other, ...all(keys, value), TAG]) }],
  };
}

/** Members in which programs look for an object. */
function around(inner: Template): string {
  return words('plant data attributes params body NewPlant payload item 0')
    .map((key) => `"${key}":${inner}`)
    .join();
}

/** Without both fields: an empty object, and a plant in another object. */
const WITHOUT_BOTH = rejected(`
  empty-object                   an empty JSON object                            {}
  types/plant-in-plant           a plant in the member "plant" of an object      {"plant":${PLAIN_PLANT}}
  types/plant-in-another-member  a plant in a member of an object                {"data":${PLAIN_PLANT}}`);

/** Rows without a required field, and otherwise plain. */
export const MISSING_NAME = 'missing-name';
export const MISSING_ID = 'missing-id';

const rules: readonly Demand[] = [
  rejects({
    id: 'request/name-is-required',
    everyday: true,
    about: 'required fields',
    title: 'A plant without a name is rejected.',
    source: `${PLANT}/required/0`,
    why: '"name" is required in NewPlant.',
    usualCause: 'A missing name becomes an empty string.',
    fix: 'Reject a plant without a name. Do not read a missing field as an empty one.',
    rows: [
      ...rejected(`${MISSING_NAME}  a plant without a name  {"id":<ID>}`).map((row) => ({
        ...row,
        observed: { id: 'missing-field', gap: FAILURES },
      })),
      ...WITHOUT_BOTH,
      likeField('name', 'words'),
      ...rejected(`
        keys/name-in-prototypes  a plant whose name is in "__proto__" and "constructor.prototype"  {"__proto__":{"name":"<NAME>"},"id":<ID>,"constructor":{"prototype":{"name":"<NAME>"}}}
        keys/name-nested         a plant whose name is in objects in it                            {"id":<ID>,${around('{"name":"<NAME>"}')}}`),
    ],
  }),
  rejects({
    id: 'request/id-is-required',
    everyday: true,
    about: 'required fields',
    title: 'A plant without an id is rejected.',
    source: `${NEW_PLANT}/required/0`,
    why: '"id" is required in NewPlant.',
    usualCause: 'A missing id becomes 0, or the store generates one.',
    fix: 'Reject a plant without an id. Do not read a missing field as 0.',
    rows: [
      ...rejected(`${MISSING_ID}  a plant without an id  {"name":"<NAME>"}`),
      ...WITHOUT_BOTH,
      likeField('id', 'words'),
      ...rejected(`
        keys/id-in-prototypes  a plant whose id is in "__proto__" and "constructor.prototype"  {"__proto__":{"id":<ID>},"name":"<NAME>","constructor":{"prototype":{"id":<ID>}}}
        keys/id-nested         a plant whose id is in objects in it                            {"name":"<NAME>",${around('{"id":<ID>}')}}`),
    ],
  }),
  rejects({
    id: 'request/keys-are-exact',
    level: 'implied',
    severity: 'warning',
    title: '"Name" is not "name": a key in another case, or with a character more, is another key.',
    fact: 'A key that only resembles the name of a field is read as this field.',
    source: NEW_PLANT,
    why: 'The members are "name", "id" and "tag". Two keys are the same only if every character is (RFC 8259, section 8.3), so a plant with "Name" alone has no name, and a required field is missing. Beside "name", it is an unknown field. If it counted, one plant would have two names, and no client could know which one is stored.',
    usualCause:
      'The JSON library compares keys without their case: encoding/json in Go and the JSON of ASP.NET Core do so by default.',
    fix: 'Compare keys exactly. In ASP.NET Core, set PropertyNameCaseInsensitive to false. In Go, check the keys yourself, or use encoding/json/v2.',
    dependsOn: [WITHOUT_TAG.name, WITH_TAG.name, MISSING_NAME, MISSING_ID],
    nothingToJudge: 'no plant with such a key could be sent',
    judge: (exchange, context) =>
      exchange.expectation === 'rejected'
        ? judgeOtherKey(exchange, context)
        : judgeUnknownMembers(exchange, context),
    rows: [
      ...unknowns(`
        keys/other-case-beside  a plant with "NAME", "Name", "TAG" and "Tag" beside "name" and "tag"  {"NAME":"Fern","TAG":"fern","name":"<NAME>","id":<ID>,"tag":"succulent","Name":"Agave","Tag":"agave"}`),
      unknown('tag-in-other-spelling', 'without a tag, with "Tag" and other spellings of that key', [
        ...[NAME, ID],
        ...all(['Tag', 'TAG', ...LIKE_TAG.filter(isSpelling)], '"fern"'),
      ]),
      withOtherId('keys/id-in-other-case-beside', ['ID', 'Id']),
      // Go, .NET and some Java libraries ignore case when they bind members to fields.
      ...rejected(String.raw`
        keys/name-capitalised  a plant with "Name" instead of "name"  {"Name":"<NAME>","id":<ID>}
        keys/name-in-capitals  a plant with "NAME" instead of "name"  {"NAME":"<NAME>","id":<ID>}
        keys/id-capitalised    a plant with "Id" instead of "id"      {"name":"<NAME>","Id":<ID>}
        keys/id-in-capitals    a plant with "ID" instead of "id"      {"name":"<NAME>","ID":<ID>}
        keys/name-before-nul   a plant with "name" and the character U+0000 as a key instead of "name"  {"name\u0000":"<NAME>","id":<ID>}`),
      likeField('name', 'spelling'),
      likeField('id', 'spelling'),
    ],
  }),
  accepts({
    id: 'request/unknown-values-are-treated-alike',
    level: 'implied',
    severity: 'warning',
    title: 'If an integer in an unknown field is accepted, so are a fraction, an array and an object.',
    source: NEW_PLANT,
    why: 'The interface does not show what happens to unknown fields, and a provider may reject them. If it accepts one, it ignores its value: no value of an unknown field is wrong. Few clients send unknown fields with such values, so this is a warning.',
    usualCause:
      'Every number of the body is read as an integer, or a pattern looks for a point behind digits.',
    fix: 'Check only "id" for an integer, and ignore the values of unknown fields.',
    nothingToJudge: 'no plant with an unknown field was accepted',
    judge(exchange, { sequence: [first] }) {
      if (exchange === first || first === undefined) return 'nothing-to-judge';
      if (isRejected(first)) return allowed;
      return isAccepted(first)
        ? judgeAcceptance({ ...exchange, expectation: 'created' })
        : 'nothing-to-judge';
    },
    rows: [
      {
        name: 'keys/values-of-each-type',
        title: 'plants with an integer, a fraction, an array and an object in an unknown field',
        expectation: 'open',
        requests: [
          { body: '{"name":"<NAME>","id":<ID>,"height":2}' },
          // No double has so many digits.
          { body: '{"name":"<NAME2>","id":<ID2>,"height":0.12345678901234567}' },
          // Before the other fields: a reader that counts brackets wrongly does not find them.
          { body: '{"height":[2],"name":"<NAME3>","id":<ID3>}' },
          { body: '{"height":{"cm":2},"name":"<NAME4>","id":<ID4>}' },
        ],
      },
    ],
  }),
  demands({
    id: 'request/unknown-members-change-nothing',
    level: 'implied',
    title: 'An unknown field does not change the name, the id or the tag of a plant.',
    fact: 'An unknown field changes the plant.',
    hurts: 'clients',
    source: NEW_PLANT,
    why: 'A NewPlant has the members "name", "id" and "tag". A member of an inner object is not one of them. The interface does not show what happens to other members, and a provider may reject them. But it gives them no meaning: an accepted plant is what its three members say.',
    usualCause:
      'Members are merged from inner objects such as "__proto__", or another field replaces one that is missing.',
    fix: 'Read exactly "name", "id" and "tag" from the outer object, as its own members.',
    dependsOn: [WITHOUT_TAG.name, WITH_TAG.name],
    nothingToJudge: 'no plant with an unknown field was accepted',
    judge: judgeUnknownMembers,
    rows: [
      ...observed(FIELDS)(`
        unknown-field  a plain plant with an unknown field  {"name":"<NAME>","id":<ID>,"colour":"green"}`),
      ...unknowns(String.raw`
        keys/plants-beside      a plant without a tag, with other plants in unknown fields        {"plant":{"name":"Fern","id":<ID>5,"tag":"fern"},"name":"<NAME>","attributes":{"name":"Agave","tag":"agave"},"id":<ID>,"data":{"name":"Agave","id":<ID>6,"tag":"agave"},"plants":[{"name":"Fern","id":<ID>7,"tag":"fern"}],"$set":{"name":"Fern","tag":"fern"}}
        keys/prototypes-beside  a plant without a tag, with a name and a tag in "__proto__" and "constructor.prototype"  {"__proto__":{"name":"Fern","tag":"fern"},"name":"<NAME>","id":<ID>,"constructor":{"prototype":{"tag":"fern"}}}
        keys/operators          a plant with unknown fields that mean something to databases      {"name":"<NAME>","id":<ID>,"$where":"1","$set":{"tag":"fern"},"a.b":1,"$ref":"#/a","$gt":"","$or":[{}],"$unset":{"name":1},"_bsontype":"x"}
        keys/nul-in-key         a plant with an unknown field whose key begins with the character U+0000  {"\u0000name":"Fern","name":"<NAME>","id":<ID>}
        keys/long-numbers       a plant with numbers that no double holds in an unknown field  {"name":"<NAME>","id":<ID>,"colour":[123456789012345678901234567890,0.1234567890123456789012345,1e400,-1E400]}
        keys/nested-values      a plant with nested values, and strings with brackets and quotes, in an unknown field  {"colour":{"":[[],{},[{"a":[null,true,false]}],""],"}":"}],{\"name\":\"Fern\",\"id\":1"},"name":"<NAME>","id":<ID>}`),
      unknown('names-of-methods', 'with unknown fields that are named like methods of objects', [
        ...METHODS.map((key, at): Member => [key, ['1', 'null', '"x"', '{}', 'false'][at % 5] ?? '']),
        ...[NAME, ID],
      ]),
      unknown('names-like-tag', 'without a tag, with strings under keys like "tag"', [
        ...[NAME, ID],
        ...all(others(LIKE_TAG), '"fern"'),
      ]),
      unknown('names-like-name', 'with other names under keys like "name"', [
        ...all(others(LIKE_NAME.slice(0, 12)), '"Fern"'),
        ...[NAME, ID],
        ...all(others(LIKE_NAME.slice(12)), '"Agave"'),
      ]),
      {
        // Programs that return what they read return these first.
        ...unknown('common-names', 'with unknown fields that many records have', [NAME, ID, ...COMMON]),
        rules: ['success/plant-fields-only'],
      },
      unknown('odd', 'with unknown fields whose keys are empty, long, or have other characters', [
        ...all(ODD_KEYS.slice(0, 15), '1'),
        ...[NAME, ID],
        ...all(ODD_KEYS.slice(15), '1'),
      ]),
      {
        ...unknown('many', 'with 1,000 unknown fields before its tag', [
          ...[NAME, ID],
          ...Array.from({ length: 1_000 }, (_, at): Member => [`key${at}`, String(at)]),
          TAG,
        ]),
        rare: true,
      },
      unknown('values', 'with values of every kind in unknown fields', [
        ...VALUES.map((value, at): Member => [`key${at}`, value]),
        ...[NAME, ID],
      ]),
      unknown('like-keys', 'without a tag, with strings that look like other keys and values', [
        ...LIKE_KEYS,
        ...[NAME, ID],
        ...LIKE_KEYS.map(([key, value]): Member => [`${key}2`, value]),
      ]),
      // Within the limits of parsers that have a large one, and beyond the limit of those that count to 100 or 128.
      {
        ...unknown('nested', 'with 400 arrays in each other in an unknown field', [NAME, ID, nested(400)]),
        rare: true,
        observed: { id: 'nested-arrays', gap: JSON_PARSERS },
      },
      withOtherId('keys/other-id-beside', ['_id', 'plant_id', 'id2', 'key']),
    ],
  }),
];

/** Members that are missing, unknown, there twice, or under another key. */
export const keys: Topic = {
  rules,
  open: [
    ...observed(JSON_PARSERS)(`
      repeated-key  a plant with the key "name" twice  {"name":"Agave","name":"<NAME>","id":<ID>}`),
    {
      // Beyond the limits of recursive parsers. JSON allows limits (RFC 8259, section 9), so the response is observed only.
      ...unknown('deeply-nested', 'with 20,000 arrays in each other in an unknown field', []),
      phase: 'heavy',
      alone: true,
      requests: [{ body: objectOf([NAME, ID, nested(20_000)]), plant: { name: '<NAME>', id: '<ID>' } }],
      observed: { id: 'deep-nesting', gap: JSON_PARSERS },
    },
  ],
};

/** Said of a provider that rejects unknown fields. */
const allowed = {
  notApplicable: 'the interface allows the provider to reject unknown fields, and it does',
};

/**
 * Requires that a plant with a required field only under a key like its own is rejected. If the provider accepts a plant without
 * that field at all, nothing shows that it reads the other key, unless the value comes back.
 */
function judgeOtherKey(exchange: Exchange, context: Context): Judgement {
  const judgement = judgeRejection(exchange);
  const members = membersOf(readJson(exchange.request.body));
  if (!isAccepted(exchange) || members === undefined) return judgement;
  const field = Object.hasOwn(members, 'name') ? 'id' : 'name';
  const key = Object.keys(members).find((one) => fieldLike(one) === field);
  const received = objectIn({ ...exchange, expectation: 'open' })?.[field];
  const isReturned = key !== undefined && received === members[key];
  return context.facts.accepted(`missing-${field}`) && !isReturned
    ? { notApplicable: `the provider accepts a plant without any "${field}"` }
    : judgement;
}

/** Requires that an accepted plant is what its three members say. */
function judgeUnknownMembers(exchange: Exchange, context: Context): Judgement {
  const { facts } = context;
  if (isUnprocessed(exchange)) return 'nothing-to-judge';
  const [first] = context.sequence;
  if (first !== undefined && isRejected(first)) return allowed;
  if (exchange !== first) {
    // An id that came before only in unknown members is another id. Other rules judge what fails.
    return isAccepted(exchange) || isRejected(exchange) ? judgeAlike(exchange, context) : 'nothing-to-judge';
  }
  const sent = exchange.request.plant;
  const plant = plantIn(exchange);
  if (sent === undefined || plant === undefined || facts.mayBelongToAnother(exchange))
    return 'nothing-to-judge';
  const control = sent.tag === undefined ? 'plain-plant' : 'plain-plant-with-tag';
  return (['name', 'tag'] as const)
    .filter((field) => comesBack(facts, control, field))
    .map((field) => problemWith(field, sent[field], plant[field]))
    .find((problem) => problem !== undefined);
}

/** Whether a field comes back as it was sent if there are no unknown members. Otherwise it proves nothing about them. */
function comesBack(facts: Facts, control: ControlName, field: 'name' | 'tag'): boolean {
  const exchange = facts.of(control).at(-1);
  const plant = exchange && plantIn(exchange);
  return plant !== undefined && plant[field] === exchange?.request.plant?.[field];
}

function problemWith(
  field: string,
  sent: string | undefined,
  received: JsonValue | undefined,
): Problem | undefined {
  if (received === sent) return undefined;
  return {
    expected: sent === undefined ? `no "${field}", as sent` : `"${field}" ${quoted(sent)}, as sent`,
    actual: `"${field}" is ${received === undefined ? 'missing' : describe(received)}`,
  };
}
