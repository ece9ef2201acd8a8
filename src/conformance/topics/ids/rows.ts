import type { ControlName, GeneratedName } from '../../probe.js';
import { PLAIN_PLANT_WITH_TAG, type RequestRow, type Row, words } from '../../row.js';
import type { Template } from '../../template.js';
import type { IdValue } from './values.js';

const ACCEPTED = ['request/int64-ids-are-accepted'];

/** A plain plant with an id. `of` keeps the names of a sequence apart. */
function plantWith(id: Template, of: number | '' = ''): Template {
  return `{"name":"<NAME${of}>","id":${id}}`;
}

/** A plant with a positive id within int64 that is new in every run. */
function accepted<Name extends string>(name: Name, title: string, id: Template): Row<Name> {
  return { name, title, expectation: 'created', rules: ACCEPTED, requests: [{ body: plantWith(id) }] };
}

/** "Near an end of int64" means one of its outermost 2^32 ids. They are random, so another check has other ids. */
const WITHIN_INT64: readonly Row[] = [
  {
    ...accepted('id-above-int32', 'a plant whose id is between 2^31 and 2^32', '<ID>'),
    ids: ['2147483648', '4294967295'],
  },
  {
    ...accepted('id-above-uint32', 'a plant whose id is between 2^32 and 2^53', '<ID>'),
    ids: ['4294967296', '9007199254740991'],
  },
  {
    name: 'id-beyond-doubles',
    title: 'a plant with a tag, whose id is odd and above 2^53, so a double cannot hold it',
    expectation: 'created',
    rules: ACCEPTED,
    ids: ['4503599627370496', '2305843009213693952'],
    requests: [{ body: '{"name":"<NAME>","id":<ID*2+1>,"tag":"succulent"}' }],
  },
  {
    ...accepted('id-near-upper-end', 'a plant whose id is just below 2^63', '<ID>'),
    ids: ['9223372032559808512', '9223372036854775806'],
  },
  {
    name: 'id-near-lower-end',
    title: 'a plant whose id is just above -2^63',
    expectation: 'open',
    rules: ['unspecified/id-near-lower-end'],
    ids: ['-9223372036854775807', '-9223372032559808512'],
    requests: [{ body: plantWith('<ID>') }],
  },
  {
    name: 'id-negative',
    title: 'a plant whose id is negative, with a tag',
    expectation: 'open',
    rules: ['unspecified/id-negative'],
    control: 'plain-plant',
    ids: ['-2147483648', '-1'],
    requests: [{ body: PLAIN_PLANT_WITH_TAG }],
  },
  // For JSON, 7.0 is the integer 7. Many parsers do not agree.
  {
    name: 'id-with-zero-fraction',
    title: 'a plant whose id is written with a fraction of zero: 7.0',
    rules: ['unspecified/id-with-zero-fraction'],
    requests: [{ body: plantWith('<ID>.0'), plant: { name: '<NAME>', id: '<ID>' } }],
  },
];

/** A plant whose id is an integer outside int64. Its fresh part has ten digits. */
function outside<Name extends string>(name: Name, title: string, id: Template): Row<Name> {
  const control: ControlName = id.startsWith('-') ? 'id-near-lower-end' : 'id-near-upper-end';
  // A provider may make an id that exists of one that is the same in every run.
  const send = { body: plantWith(id), ...(!id.includes('<ID>') && { idMayExist: true as const }) };
  const rules = ['request/id-is-within-int64'];
  return { name, title, expectation: 'rejected', rules, control, ids: TEN_DIGITS, requests: [send] };
}

/** The bounds of fresh ids with ten digits. They stay below 2^31. */
const TEN_DIGITS = ['1000000000', '2147483647'] as const;

const OUTSIDE_INT64: readonly Row[] = [
  outside('id-past-upper-end', 'a plant whose id is 2^63', '9223372036854775808'),
  outside('id-past-lower-end', 'a plant whose id is -2^63 - 1', '-9223372036854775809'),
  outside('id-past-64-bits', 'a plant whose id is above 2^64', '1844674408<ID>'),
  // The fresh digits are first, so a double keeps them.
  outside('id-of-30-digits', 'a plant whose id has 30 digits', '<ID>12345678901234567890'),
  outside('id-1e400', 'a plant whose id is 1e400', '1e400'),
];

/** What is sent, the id, and the bounds of its fresh digits. */
type Outside = readonly [name: string, title: string, id: Template, ids?: Row['ids']];

/** Their last ten digits are fresh, so the ids are new in every check, whatever a provider makes of them. */
const FURTHER_OUTSIDE_INT64: readonly Outside[] = [
  [
    'ids/just-past-upper-end',
    'a plant whose id is between 2^63 and 2^63 + 2^31',
    '9223372036<ID>',
    ['4854775809', '7002259455'],
  ],
  [
    'ids/just-past-lower-end',
    'a plant whose id is between -2^63 and -2^63 - 2^31',
    '-9223372036<ID>',
    ['4854775810', '7002259456'],
  ],
  [
    'ids/ordinary-plus-64-bits',
    'a plant whose id is 2^64 and an ordinary id',
    '1844674407<ID>',
    ['3709551617', '5857035263'],
  ],
  [
    'ids/ordinary-minus-64-bits',
    'a plant whose id is an ordinary id minus 2^64',
    '-1844674407<ID>',
    ['1562067969', '3709551615'],
  ],
  ['ids/of-401-digits', 'a plant whose id has 401 digits', `1${'0'.repeat(390)}<ID>`],
  ['ids/exponent-past-upper-end', 'a plant whose id is above 2^63 and written with an exponent', '<ID>e10'],
  [
    'ids/fraction-past-upper-end',
    'a plant whose id is above 2^63 and written with a fraction of zero',
    '9223372036<ID>.0',
    ['4854775809', '7002259455'],
  ],
];

/**
 * A plant with a valid id that the provider may have: the id is the same in every run, or there are few of its kind. Such rows
 * come after the invalid requests, because a provider may convert an invalid id to one of these.
 */
function mayExist<Name extends string>(name: Name, title: string, id: Template): Row<Name> {
  const requests = [{ body: plantWith(id), idMayExist: true as const }];
  return { name, title, expectation: 'open', rules: ACCEPTED, phase: 'state', requests };
}

/** A plain plant with an id of a pattern. */
export function plantWithValue({ name, title, id, ids, isAccepted }: IdValue): Row<GeneratedName> {
  const [slug, inWords] = [`ids/${name}` as const, `a plant whose id ${title}`];
  const isNegative = ids?.[0].startsWith('-') === true;
  return {
    ...(isAccepted ? accepted(slug, inWords, id) : mayExist(slug, inWords, id)),
    // A provider may reject a negative id.
    ...(isNegative && { rules: [] }),
    ...(ids !== undefined && { ids }),
  };
}

const SAME_IN_EVERY_RUN: readonly Row[] = [
  {
    ...mayExist('id-at-upper-end', 'a plant whose id is 2^63 - 1', '9223372036854775807'),
    rules: ['unspecified/id-at-upper-end'],
  },
  {
    ...mayExist('id-at-lower-end', 'a plant whose id is -2^63', '-9223372036854775808'),
    rules: ['unspecified/id-at-lower-end'],
  },
  { ...mayExist('id-zero', 'a plant whose id is 0', '0'), rules: ['unspecified/id-zero'] },
];

/** Ids at which programs and firewalls go wrong. Other requests carry fresh ids next to these. */
const BOUNDARIES = [
  ['2147483648', '2^31'],
  ['4294967295', '2^32 - 1'],
] as const;

const SHORT: readonly Row[] = [
  { ...mayExist('ids/of-one-digit', 'a plant whose id has one digit', '<ID>'), ids: ['2', '9'] },
  {
    ...mayExist('ids/of-few-digits', 'a plant whose id has two to four digits', '<ID>'),
    ids: ['10', '9999'],
  },
];

/**
 * Plants whose ids a provider may take for the first one, and then another plant with the first id. Only a provider that
 * rejects the last one shows that it keeps the ids apart.
 */
function alike<Name extends string>(name: Name, title: string, ids: readonly Template[]): Row<Name> {
  const requests: RequestRow[] = ids.map((id, at) => ({
    body: plantWith(id, at + 1),
    // Only a negative id has a minus sign. A provider may reject it.
    ...(id.includes('-') && { expectation: 'open' }),
  }));
  const again = plantWith(ids[0] ?? '', ids.length + 1);
  requests.push({ body: again, plant: false, expectation: 'open', idMayExist: true });
  const rules = ['request/ids-are-exact'];
  return { name, title, expectation: 'created', rules, phase: 'state', control: false, requests };
}

const ALIKE: readonly Row[] = [
  {
    // For a multiple of 4, a double rounds the next odd number to it and not away from it.
    ...alike('ids-alike-as-doubles', 'two plants whose ids are above 2^53 and differ by 1', [
      '<ID*4>',
      '<ID*4+1>',
    ]),
    ids: ['2251799813685248', '4503599627370495'],
  },
  alike('ids-alike-in-32-bits', 'two plants whose ids differ by 2^32', ['<ID>', '<ID+4294967296>']),
];

const FURTHER_ALIKE: readonly Row[] = [
  alike(
    'ids/alike-in-fewer-bits',
    'plants whose ids differ by 2^31, 2^48, 2^62 and 2^63',
    words('<ID> <ID+2147483648> <ID+281474976710656> <ID+4611686018427387904> <ID-9223372036854775808>'),
  ),
  {
    ...alike(
      'ids/alike-in-digits',
      'plants whose ids differ by 1, by a digit at the end, by a digit at the beginning, or by the sign',
      words('<ID*128> <ID*128+1> <ID*1280> <ID*128+70000000000> <ID*-128>'),
    ),
    // The first id has ten digits. A float rounds the number after a multiple of 128 to it.
    ids: ['7812500', '16777215'],
  },
];

/** Ids of every size, inside and outside int64, and ids that a provider must keep apart. */
export const idRows: readonly Row[] = [
  ...WITHIN_INT64,
  ...OUTSIDE_INT64,
  ...SAME_IN_EVERY_RUN,
  ...ALIKE,
  ...BOUNDARIES.map(([id, inWords]) => mayExist(`ids/${id}`, `a plant whose id is ${inWords}`, id)),
  ...SHORT,
  ...FURTHER_ALIKE,
  ...FURTHER_OUTSIDE_INT64.map(([name, title, id, ids = TEN_DIGITS]) => ({
    ...outside(name, title, id),
    ids,
  })),
];
