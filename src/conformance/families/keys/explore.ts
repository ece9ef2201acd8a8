import type * as FastCheck from 'fast-check';
import { classifiedDraft } from '../classified.js';
import type { ProbeDraft } from '../draft.js';
import { PLAIN_TAG } from '../requests.js';
import { sequenceWithOtherId } from './other-id.js';

/** Makes a key that a careless reader takes for another one. The simplest is first. */
const TRANSFORMS: readonly ((key: string) => string)[] = [
  (key) => key.toUpperCase(),
  (key) => key.charAt(0).toUpperCase() + key.slice(1),
  (key) => key.slice(0, -1) + key.slice(-1).toUpperCase(),
  (key) => ` ${key}`,
  (key) => `${key} `,
  (key) => `${key}\t`,
  (key) => `${key}\0`,
  (key) => `\0${key}`,
  (key) => `_${key}`,
  (key) => `${key}_`,
  (key) => `$${key}`,
  (key) => `@${key}`,
  (key) => `-${key}`,
  (key) => `${key}s`,
  (key) => `nick${key}`,
  (key) => `plant${key.charAt(0).toUpperCase()}${key.slice(1)}`,
  (key) => `plant_${key}`,
  (key) => `plant.${key}`,
  (key) => `plant[${key}]`,
  (key) => `${key}[]`,
  (key) => `/${key}`,
  (key) => `"${key}"`,
  (key) => `'${key}'`,
  (key) => `\ufeff${key}`,
  (key) => `${key}\u200b`,
  (key) => `${key}\u0301`,
  (key) => `${key}\u00ad`,
  (key) => key.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
  (key) => key.replace('a', 'а').replace('i', 'і'),
  (key) => key.replace('i', 'ı'),
  (key) => (key === 'name' ? 'title' : key === 'id' ? 'number' : 'type'),
  (key) => (key === 'name' ? 'label' : key === 'id' ? 'identifier' : 'category'),
  (key) => (key === 'name' ? 'plantname' : key === 'id' ? 'key' : 'kind'),
  (key) => [...key].reverse().join(''),
  (key) => key.slice(0, -1),
];

/** Keys that mean something to languages, frameworks and databases. */
const COMMON = [
  ...[
    '__proto__',
    'constructor',
    'prototype',
    'hasOwnProperty',
    'toString',
    'valueOf',
    'toJSON',
    'then',
    'length',
  ],
  ...[
    'price',
    '_id',
    'ID',
    'Id',
    'uuid',
    'key',
    'type',
    'kind',
    'tags',
    'label',
    'title',
    'category',
    'description',
  ],
  ...[
    'plant',
    'data',
    'attributes',
    'body',
    'item',
    'payload',
    'value',
    'values',
    'result',
    'json',
    'params',
    'fields',
  ],
  ...[
    'status',
    'error',
    'message',
    'code',
    'ok',
    'success',
    'created_at',
    'createdAt',
    'version',
    '_rev',
    '__v',
    'etag',
  ],
  ...[
    '$schema',
    '$ref',
    '$id',
    '$where',
    '$set',
    '$gt',
    '$type',
    '@type',
    '@class',
    '@context',
    '#text',
    '_method',
    '_token',
  ],
  ...[
    'class',
    'class.module',
    'self',
    'this',
    '__class__',
    '__init__',
    'format',
    'callback',
    'access_token',
    'a.b',
    'a[b]',
  ],
  ...[
    '',
    ' ',
    '.',
    '..',
    '*',
    '0',
    '-1',
    'null',
    'undefined',
    'true',
    '\n',
    '\u2028',
    '🌵',
    '\0',
    'k'.repeat(300),
  ],
];

const VALUES = [
  ...[
    'null',
    'true',
    'false',
    '0',
    '7',
    '-1',
    '1.5',
    '""',
    '"fern"',
    '[]',
    '["fern"]',
    '{}',
    '{"a":{"b":[1]}}',
  ],
  ...[
    '{"name":"Fern","id":<ID>5,"tag":"fern"}',
    '[{"name":"Fern","id":<ID>5,"tag":"fern"}]',
    '{"prototype":{"tag":"fern"}}',
  ],
  ...['{"prototype":{"name":"Fern","id":<ID>5}}', '{"$gt":""}', '9007199254740993', '12345678901234567890'],
  `${'['.repeat(100)}${']'.repeat(100)}`,
];

/** What odd keys are made of. */
const CHARACTERS = [
  ...[
    'a',
    'A',
    'é',
    'ß',
    '葉',
    '🌵',
    '0',
    '.',
    '/',
    '\\',
    '"',
    "'",
    '[',
    ']',
    '{',
    '}',
    '$',
    '@',
    '#',
    '%',
    '&',
    '<',
  ],
  ...[' ', '\t', '\n', '\0', '\x1f', '\x7f', '\u00a0', '\u200b', '\u2028', '\ufeff', '\uffff', '\u{10ffff}'],
];

/** Objects in which a required member hides. */
const HIDING = [
  'plant',
  'data',
  '__proto__',
  'constructor.prototype',
  'params',
  'body',
  'attributes',
  '',
  '0',
];

interface Drawn {
  readonly hasTag: boolean;
  readonly unknown: readonly { readonly key: string; readonly value: string; readonly isFirst: boolean }[];
  readonly missing:
    | { readonly field: 'name' | 'id'; readonly transform: number; readonly hiding: string | undefined }
    | undefined;
}

/** Draws plants with unknown members, and plants with a required member under a wrong key. */
export function drawKeys(fc: typeof FastCheck): FastCheck.Arbitrary<ProbeDraft> {
  const transform = fc.nat({ max: TRANSFORMS.length - 1 });
  const similar = fc
    .tuple(transform, fc.constantFrom('name', 'id', 'tag'))
    .map(([at, key]) => TRANSFORMS[at]?.(key) ?? key);
  const key = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...COMMON) },
    { weight: 4, arbitrary: similar },
    {
      weight: 1,
      arbitrary: fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 4 }).map((all) => all.join('')),
    },
  );
  const member = fc.record({ key, value: fc.constantFrom(...VALUES), isFirst: fc.boolean() });
  const unknown = (minLength: number) =>
    fc.uniqueArray(member, { minLength, maxLength: 4, selector: (one) => one.key });
  const missing = fc.record({
    field: fc.constantFrom('name', 'id'),
    transform,
    // There are more keys to take for another than objects to hide in.
    hiding: fc.oneof(
      { weight: 3, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...HIDING) },
    ),
  });
  const drawn = fc.oneof<FastCheck.Arbitrary<Drawn>[]>(
    fc.record({ hasTag: fc.boolean(), unknown: unknown(1), missing: fc.constant(undefined) }),
    fc.record({ hasTag: fc.boolean(), unknown: unknown(0), missing }),
  );
  return fc.oneof(
    { weight: 9, arbitrary: drawn.map(draftOf) },
    {
      weight: 1,
      arbitrary: similar.filter((one) => one !== 'id').map((one) => sequenceWithOtherId('keys/drawn', [one])),
    },
  );
}

function draftOf({ hasTag, unknown, missing }: Drawn): ProbeDraft {
  const known = new Map([
    ['name', '"<NAME>"'],
    ['id', '<ID>'],
    ...(hasTag ? [['tag', `"${PLAIN_TAG}"`] as const] : []),
  ]);
  const hidden: [string, string][] = [];
  if (missing !== undefined) {
    const value = known.get(missing.field) ?? '';
    known.delete(missing.field);
    const key = TRANSFORMS[missing.transform]?.(missing.field) ?? '';
    hidden.push(missing.hiding === undefined ? [key, value] : hiddenIn(missing.hiding, missing.field, value));
  }
  const taken = ['name', 'id', 'tag', ...hidden.map(([key]) => key)];
  const others = unknown.filter(({ key }) => !taken.includes(key));
  const members = [
    ...others.filter(({ isFirst }) => isFirst).map(({ key, value }) => [key, value] as const),
    ...known,
    ...hidden,
    ...others.filter(({ isFirst }) => !isFirst).map(({ key, value }) => [key, value] as const),
  ];
  const text = `{${members.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(',')}}`;
  const title =
    missing === undefined
      ? 'a plant with unknown fields'
      : `a plant with its ${missing.field} under another key`;
  return classifiedDraft('keys/drawn', title, text);
}

function hiddenIn(place: string, field: string, value: string): [string, string] {
  const [outer = '', inner] = place.split('.');
  const object = `{"${field}":${value}}`;
  return [outer, inner === undefined ? object : `{"${inner}":${object}}`];
}
