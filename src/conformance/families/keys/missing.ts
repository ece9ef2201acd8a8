import type { ProbeDraft } from '../draft.js';
import { oneRequest, requestOf } from '../text-drafts.js';

type Field = 'name' | 'id';
type Case = readonly [what: string, title: string, field: Field, text: string];

/** The kind of key, what is sent, the field that is missing, and the body. */
const CASES: readonly Case[] = [
  // Go, .NET and some Java libraries ignore case when they bind members to fields.
  ['name-capitalised', 'a plant with "Name" instead of "name"', 'name', '{"Name":"<NAME>","id":<ID>}'],
  ['name-in-capitals', 'a plant with "NAME" instead of "name"', 'name', '{"NAME":"<NAME>","id":<ID>}'],
  ['id-capitalised', 'a plant with "Id" instead of "id"', 'id', '{"name":"<NAME>","Id":<ID>}'],
  ['id-in-capitals', 'a plant with "ID" instead of "id"', 'id', '{"name":"<NAME>","ID":<ID>}'],
  [
    'id-underscored',
    'a plant with a tag, and with "_id" instead of "id"',
    'id',
    '{"name":"<NAME>","_id":<ID>,"tag":"succulent"}',
  ],
  [
    'name-after-space',
    'a plant with a tag, and with " name" instead of "name"',
    'name',
    '{" name":"<NAME>","id":<ID>,"tag":"succulent"}',
  ],
  ['id-before-space', 'a plant with "id " instead of "id"', 'id', '{"name":"<NAME>","id ":<ID>}'],
  [
    'name-before-nul',
    'a plant with "name" and the character U+0000 as a key instead of "name"',
    'name',
    '{"name\\u0000":"<NAME>","id":<ID>}',
  ],
  [
    'name-in-wide-letters',
    'a plant with "ｎａｍｅ" in wide letters instead of "name"',
    'name',
    '{"ｎａｍｅ":"<NAME>","id":<ID>}',
  ],
  [
    'name-in-longer-key',
    'a plant with "nickname" instead of "name"',
    'name',
    '{"nickname":"<NAME>","id":<ID>}',
  ],
  [
    'name-in-proto',
    'a plant whose name is in an object "__proto__"',
    'name',
    '{"__proto__":{"name":"<NAME>"},"id":<ID>}',
  ],
  [
    'id-in-proto',
    'a plant whose id is in an object "__proto__"',
    'id',
    '{"name":"<NAME>","__proto__":{"id":<ID>}}',
  ],
  [
    'name-in-constructor-prototype',
    'a plant whose name is in an object "constructor.prototype"',
    'name',
    '{"constructor":{"prototype":{"name":"<NAME>"}},"id":<ID>}',
  ],
  [
    'name-nested',
    'a plant whose name is in an object in it',
    'name',
    '{"id":<ID>,"plant":{"name":"<NAME>"}}',
  ],
  ['id-nested', 'a plant whose id is in an object in it', 'id', '{"name":"<NAME>","plant":{"id":<ID>}}'],
];

const shared = { expectation: 'rejected', phase: 'invalid', control: 'plain-plant' } as const;

/** Plants without a required member, and with one whose key is like it. */
export const missingMembers: readonly ProbeDraft[] = CASES.map(([what, title, field, text]) =>
  oneRequest(`keys/${what}`, title, requestOf(text), {
    ...shared,
    rules: [`request/${field}-is-required`],
  }),
);
