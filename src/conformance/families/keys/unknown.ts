import type { ProbeDraft, RequestDraft } from '../draft.js';
import { PLAIN_TAG } from '../requests.js';
import { oneRequest, PLAIN, type PlantText, requestOf } from '../text-drafts.js';
import { sequenceWithOtherId } from './other-id.js';

const TAGGED: PlantText = { ...PLAIN, tag: PLAIN_TAG };
const LONG_KEY = 'k'.repeat(2_000);
const MANY = Array.from({ length: 100 }, (_, at) => `"key${at}":${at}`).join(',');
/** Within the limits of parsers that have a large one, and beyond the limit of those that count to 100 or 128. */
const DEEP = 400;
/** Beyond the limits of recursive parsers. JSON allows limits (RFC 8259, section 9), so the response is observed only. */
const TOO_DEEP = 20_000;

type Case = readonly [what: string, title: string, text: string, plant?: PlantText];

/** The kind of unknown members, what is sent, the body, and the plant if it is not {@link PLAIN}. */
const CASES: readonly Case[] = [
  [
    'other-case-beside',
    'a plant with "NAME", "Name", "TAG" and "Tag" beside "name" and "tag"',
    `{"NAME":"Fern","TAG":"fern","name":"<NAME>","id":<ID>,"tag":"${PLAIN_TAG}","Name":"Agave","Tag":"agave"}`,
    TAGGED,
  ],
  [
    'plants-beside',
    'a plant with other plants in unknown fields',
    `{"plant":{"name":"Fern","id":<ID>5,"tag":"fern"},"name":"<NAME>","id":<ID>,"tag":"${PLAIN_TAG}","data":{"name":"Agave","id":<ID>6,"tag":"agave"}}`,
    TAGGED,
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
    'a plant without a tag, with "Tag", "tags", "type" and "kind"',
    '{"name":"<NAME>","id":<ID>,"Tag":"fern","tags":["fern"],"type":"fern","kind":"fern"}',
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
];

/** A plant with arrays in each other in an unknown field. The body may be too long for a command line. */
function nested(depth: number): RequestDraft {
  const shellRepeat = (bracket: string): string => `head -c ${depth} /dev/zero | tr '\\0' '${bracket}'`;
  const shellBody = `printf '{"name":"Aloe","id":%s,"colour":' "$id"; ${shellRepeat('[')}; ${shellRepeat(']')}; printf '}'`;
  const text = `{"name":"<NAME>","id":<ID>,"colour":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  return requestOf(text, PLAIN, { shellBody });
}

const RULES = ['request/unknown-members-change-nothing'];

/** JSON allows escapes in keys too. */
export const escapedKeys: readonly ProbeDraft[] = [
  oneRequest(
    'keys/escaped',
    'a plant with every letter of its keys written as a \\u escape',
    requestOf(
      `{"\\u006e\\u0061\\u006D\\u0065":"<NAME>","\\u0069\\u0064":<ID>,"\\u0074\\u0061\\u0067":"${PLAIN_TAG}"}`,
      TAGGED,
    ),
    {
      expectation: 'created',
      phase: 'valid',
      control: 'plain-plant-with-tag',
      rules: ['request/spelling-of-json-is-ignored', 'success/tag-comes-back'],
    },
  ),
];

const shared = { expectation: 'open', phase: 'valid', control: 'plain-plant', rules: RULES } as const;

/** Plants with members that the interface does not name. A provider may reject them. */
export const unknownMembers: readonly ProbeDraft[] = [
  ...CASES.map(([what, title, text, plant = PLAIN]) =>
    oneRequest(`keys/${what}`, title, requestOf(text, plant), shared),
  ),
  oneRequest(
    'keys/nested',
    `a plant with ${DEEP} arrays in each other in an unknown field`,
    nested(DEEP),
    shared,
  ),
  oneRequest(
    'keys/deeply-nested',
    `a plant with ${TOO_DEEP.toLocaleString('en')} arrays in each other in an unknown field`,
    nested(TOO_DEEP),
    { ...shared, rules: [] },
  ),
  sequenceWithOtherId('keys/other-id-beside', ['ID', 'Id', '_id']),
];
