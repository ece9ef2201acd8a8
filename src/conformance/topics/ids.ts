import {
  type Blocked,
  type Exchange,
  isAccepted,
  isOverloaded,
  isRejected,
  isUnprocessed,
  type Judgement,
  type NotApplicable,
  responseInWords,
} from '../exchange.js';
import { isLikeDuplicate, OF_IDS, whyStoreIsHidden } from '../judge/duplicates.js';
import type { Facts } from '../judge/facts.js';
import { PLAIN_PLANT_WITH_TAG, type RequestRow, type Row, words } from '../row.js';
import {
  accepts,
  CONSTRAINTS,
  type Context,
  type Demand,
  demands,
  JSON_PARSERS,
  judgeAcceptance,
  NEW_PLANT,
  observedRequest,
  rejects,
  type SentRow,
  type Topic,
  table,
} from '../rule.js';
import type { Template } from '../template.js';
import { boundsIn, type IdValue } from '../values/ids.js';
import { WITHOUT_TAG } from '../values/plain-plants.js';

const FORMAT = `${NEW_PLANT}/properties/id/format`;

/** A plain plant with an id. `of` keeps the names of a sequence apart. */
function plantWith(id: Template, of: number | '' = ''): Template {
  return `{"name":"<NAME${of}>","id":${id}}`;
}

/**
 * A plant for each line of a table: the name of the row, its title after "a plant whose id", the id, and the bounds of its fresh
 * digits. "Near an end of int64" means one of its outermost 2^32 ids. They are random, so another check has other ids.
 */
function plants(row: Pick<Row, 'expectation' | 'phase'>): (text: string) => readonly SentRow[] {
  return (text) =>
    table(text, 4).map(([name = '', title = '', id = '', bounds = '']) => {
      // A provider may have an id that is the same in every run, or make it of another one.
      const idMayExist = row.phase === 'state' || !id.includes('<ID>');
      const isLow = id.startsWith('-');
      return {
        ...row,
        name,
        title: `a plant whose id ${title}`,
        ...(row.expectation === 'rejected' && { control: isLow ? 'id-near-lower-end' : 'id-near-upper-end' }),
        ...(bounds !== 'none' && { ids: boundsIn(bounds) }),
        requests: [{ body: plantWith(id), ...(idMayExist && { idMayExist }) }],
      };
    });
}

/** Fresh ids with ten digits. They stay below 2^31. */
const TEN_DIGITS = '1000000000 2147483647';

/** Plants whose id is an integer outside int64. */
const outside = plants({ expectation: 'rejected' });

/**
 * Plants with valid ids that the provider may have: an id is the same in every run, or there are few of its kind. Such rows come
 * after the invalid requests, because a provider may convert an invalid id to one of these.
 */
const mayExist = plants({ expectation: 'open', phase: 'state' });

/** A plain plant with an id of a pattern. */
export function plantWithValue({ name, title, id, ids: bounds }: IdValue): Row {
  return {
    name: `ids/${name}`,
    title: `a plant whose id ${title}`,
    expectation: 'created',
    ids: bounds,
    rules: ['request/int64-ids-are-accepted'],
    requests: [{ body: plantWith(id) }],
  };
}

/**
 * Plants whose ids a provider may take for the first one, and then another plant with the first id. Only a provider that
 * rejects the last one shows that it keeps the ids apart.
 */
function alike(name: string, title: string, all: string): SentRow {
  const ids = words(all);
  const requests: RequestRow[] = ids.map((id, at) => ({
    body: plantWith(id, at + 1),
    // Only a negative id has a minus sign. A provider may reject it.
    ...(id.includes('-') && { expectation: 'open' }),
  }));
  const again = plantWith(ids[0] ?? '', ids.length + 1);
  requests.push({ body: again, plant: false, expectation: 'open', idMayExist: true });
  return { name, title, expectation: 'created', phase: 'state', control: false, requests };
}

/** Rows whose ids are the same to a provider that reads them so. */
export const ALIKE_AS_DOUBLES = 'ids-alike-as-doubles';
export const ALIKE_IN_32_BITS = 'ids-alike-in-32-bits';

/** Rows with one id of each size, the largest first. */
const IDS_OF_EVERY_SIZE = [
  { above: 2n ** 62n, inWords: '2^62', row: 'id-near-upper-end' },
  { above: 2n ** 53n, inWords: '2^53', row: 'id-beyond-doubles' },
  { above: 2n ** 32n, inWords: '2^32', row: 'id-above-uint32' },
  { above: 2n ** 31n, inWords: '2^31', row: 'id-above-int32' },
  { above: 0n, inWords: '0', row: WITHOUT_TAG.name },
  { above: -(2n ** 31n), inWords: '-2^31', row: 'id-negative' },
  { above: -(2n ** 63n), inWords: '-2^63', row: 'id-near-lower-end' },
];

const rules: readonly Demand[] = [
  accepts({
    id: 'request/int64-ids-are-accepted',
    level: 'implied',
    about: 'size of ids',
    title: 'Positive ids up to just below the upper end of int64 are accepted.',
    source: FORMAT,
    why: 'The format of "id" is int64. A provider that accepts only 32 bits, or only what a double holds exactly, has another format. The interface shows no smaller range.',
    usualCause: 'The id is a 32-bit integer or a double in the code or in the database.',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    dependsOn: [OF_IDS.once, OF_IDS.often],
    judge: judgeId,
    rows: [
      ...plants({ expectation: 'created' })(`
        id-above-int32     is between 2^31 and 2^32  <ID>  2147483648 4294967295
        id-above-uint32    is between 2^32 and 2^53  <ID>  4294967296 9007199254740991
        id-near-upper-end  is just below 2^63        <ID>  9223372032559808512 9223372036854775806`),
      {
        name: 'id-beyond-doubles',
        title: 'a plant with a tag, whose id is odd and above 2^53, so a double cannot hold it',
        expectation: 'created',
        control: 'plain-plant-with-tag',
        ids: ['4503599627370496', '2305843009213693952'],
        requests: [{ body: '{"name":"<NAME>","id":<ID*2+1>,"tag":"succulent"}' }],
      },
      // Ids at which programs and firewalls go wrong. Other requests carry fresh ids next to these.
      ...mayExist(`
        ids/2147483648     is 2^31                            2147483648  none
        ids/4294967295     is 2^32 - 1                        4294967295  none
        ids/of-one-digit   is a number of one digit           <ID>        2 9
        ids/of-few-digits  is a number of two to four digits  <ID>        10 9999`),
    ],
  }),
  accepts({
    id: 'request/negative-ids-are-treated-alike',
    level: 'implied',
    severity: 'warning',
    about: 'size of ids',
    title: 'If a negative id is accepted, so is one just above the lower end of int64.',
    source: FORMAT,
    why: 'The format of "id" is int64: -2^63 to 2^63 - 1. A provider may reject negative ids. If it accepts one, the interface shows no smaller range. Few clients send such ids, so this is a warning.',
    usualCause: 'The id is a double in the code, or a pattern counts its digits.',
    fix: 'Use a 64-bit integer everywhere, from the JSON parser to the database column.',
    dependsOn: ['id-negative'],
    nothingToJudge: 'no negative id was sent',
    judge(exchange, { facts }) {
      if (isUnprocessed(exchange) || !(isAccepted(exchange) || isRejected(exchange)))
        return 'nothing-to-judge';
      if (!facts.accepted('id-negative'))
        return { notApplicable: 'the interface allows the provider to reject negative ids, and it does' };
      return judgeAcceptance({ ...exchange, expectation: 'created' });
    },
    rows: plants({ expectation: 'open' })(`
      id-near-lower-end  is just above -2^63  <ID>  -9223372036854775807 -9223372032559808512`),
  }),
  rejects({
    id: 'request/id-is-within-int64',
    level: 'implied',
    severity: 'warning',
    about: 'size of ids',
    title: 'An integer outside int64 is rejected.',
    source: FORMAT,
    why: 'The format of "id" is int64: -2^63 to 2^63 - 1. "Ranges: not shown" is about further constraints, and this one is shown. A provider cannot store any other integer as an int64, so the accepted plant would have another id.',
    usualCause: 'A number that does not fit overflows, is clamped, or becomes a double.',
    fix: 'Reject a number that does not fit into 64 bits before you convert it.',
    // The fresh digits of the one with 30 digits are first, so a double keeps them. The last ten digits of most others are fresh,
    // so the ids are new in every check, whatever a provider makes of them.
    rows: outside(`
      id-past-upper-end              is 2^63                                          9223372036854775808           ${TEN_DIGITS}
      id-past-lower-end              is -2^63 - 1                                     -9223372036854775809          ${TEN_DIGITS}
      id-past-64-bits                is above 2^64                                    1844674408<ID>                ${TEN_DIGITS}
      id-of-30-digits                has 30 digits                                    <ID>12345678901234567890      ${TEN_DIGITS}
      id-1e400                       is 1e400                                         1e400                         ${TEN_DIGITS}
      ids/just-past-upper-end        is between 2^63 and 2^63 + 2^31                  9223372036<ID>                4854775809 7002259455
      ids/just-past-lower-end        is between -2^63 and -2^63 - 2^31                -9223372036<ID>               4854775810 7002259456
      ids/ordinary-plus-64-bits      is 2^64 and an ordinary id                       1844674407<ID>                3709551617 5857035263
      ids/ordinary-minus-64-bits     is an ordinary id minus 2^64                     -1844674407<ID>               1562067969 3709551615
      ids/of-401-digits              has 401 digits                                   1${'0'.repeat(390)}<ID>       ${TEN_DIGITS}
      ids/exponent-past-upper-end    is above 2^63 and written with an exponent       <ID>e10                       ${TEN_DIGITS}
      ids/fraction-past-upper-end    is above 2^63 and written with a fraction of zero  9223372036<ID>.0            4854775809 7002259455`),
  }),
  demands({
    id: 'request/ids-are-exact',
    level: 'implied',
    about: 'equal ids',
    title: 'Ids that differ in one digit are different ids, even above 2^53.',
    fact: 'Two different ids count as the same id.',
    hurts: 'clients',
    source: FORMAT,
    why: 'All 64 bits of an int64 count: 2^53 + 1 is not 2^53. A provider that rejects one of them because it has the other has not stored the id that it received.',
    usualCause: 'The id is read as a double, or cut to 32 bits.',
    fix: 'Read ids as 64-bit integers, from the text of the number: BigInt in JavaScript, int64 in Go, long in Java and C#.',
    dependsOn: IDS_OF_EVERY_SIZE.map(({ row }) => row),
    nothingToJudge: 'the first of the plants was not accepted',
    judge: judgeAlike,
    rows: [
      {
        // For a multiple of 4, a double rounds the next odd number to it and not away from it.
        ...alike(ALIKE_AS_DOUBLES, 'two plants whose ids are above 2^53 and differ by 1', '<ID*4> <ID*4+1>'),
        ids: ['2251799813685248', '4503599627370495'],
      },
      alike(ALIKE_IN_32_BITS, 'two plants whose ids differ by 2^32', '<ID> <ID+4294967296>'),
      alike(
        'ids/alike-in-fewer-bits',
        'plants whose ids differ by 2^31, 2^48, 2^62 and 2^63',
        '<ID> <ID+2147483648> <ID+281474976710656> <ID+4611686018427387904> <ID-9223372036854775808>',
      ),
      {
        ...alike(
          'ids/alike-in-digits',
          'plants whose ids differ by 1, by a digit at the end, by a digit at the beginning, or by the sign',
          '<ID*128> <ID*128+1> <ID*1280> <ID*128+70000000000> <ID*-128>',
        ),
        // The first id has ten digits. A float rounds the number after a multiple of 128 to it.
        ids: ['7812500', '16777215'],
      },
    ],
  }),
];

/** Ids of every size, inside and outside int64, and ids that a provider must keep apart. */
export const ids: Topic = {
  rules,
  open: [
    ...mayExist(`
      id-zero          is 0         0                     none
      id-at-upper-end  is 2^63 - 1  9223372036854775807   none
      id-at-lower-end  is -2^63     -9223372036854775808  none`).map((row) => ({
      ...row,
      observed: { gap: CONSTRAINTS },
      reasonable: row.title.replace('a plant whose id is', 'an id of'),
    })),
    {
      name: 'id-negative',
      title: 'a plant with a tag whose id is negative',
      expectation: 'open',
      control: 'plain-plant',
      ids: ['-2147483648', '-1'],
      requests: [{ body: PLAIN_PLANT_WITH_TAG }],
      observed: { subject: 'A negative id', gap: CONSTRAINTS },
      reasonable: 'a negative id',
    },
    // For JSON, 7.0 is the integer 7. Many parsers do not agree.
    observedRequest(JSON_PARSERS, 'id-with-zero-fraction', 'a plant whose id is written as 7.0', {
      body: plantWith('<ID>.0'),
      plant: { name: '<NAME>', id: '<ID>' },
    }),
  ],
};

/** Requires that an id is accepted, unless the provider may have it and rejects it like a duplicate. */
function judgeId(exchange: Exchange, { facts }: Context): Judgement {
  if (exchange.request.idMayExist !== true) return judgeAcceptance(exchange);
  if (isUnprocessed(exchange)) return 'nothing-to-judge';
  if (isAccepted(exchange)) return undefined;
  if (!isRejected(exchange)) return 'nothing-to-judge';
  return isLikeDuplicate(exchange, facts)
    ? { notApplicable: 'this id may exist already, and it was rejected like a duplicate' }
    : { expected: '200', actual: responseInWords(exchange) };
}

/** Requires that a plant is not rejected because of the id of the first one. */
export function judgeAlike(exchange: Exchange, { sequence, facts }: Context): Judgement {
  const [first] = sequence;
  const again = sequence.at(-1);
  if (exchange === first || exchange === again || isUnprocessed(exchange)) return 'nothing-to-judge';
  if (first === undefined || again === undefined || !isAccepted(first)) return 'nothing-to-judge';
  // If the provider accepts the first id again, it would also accept two ids that it takes for one.
  if (isAccepted(exchange)) return whyStoreIsHidden(again);
  const why = whyOutOfReach(exchange, facts);
  if (why !== undefined) return why;
  const isFailure = !isRejected(exchange);
  // A 5xx may have another reason. It is the response to a duplicate if a plain one gets it too.
  const duplicate = facts.of(OF_IDS.once)[1] ?? again;
  const isLikeAgain = [again, duplicate].every(
    ({ response }) => response?.status === exchange.response?.status,
  );
  if (isOverloaded(exchange) || (isFailure && !isLikeAgain))
    return { blocked: `the response is ${exchange.response?.status}` };
  const [before, sent] = [first.request.plant?.id, exchange.request.plant?.id];
  return {
    expected: `200 for the id ${sent}, because ${before} is another id`,
    actual: `${responseInWords(exchange)}, after ${before} was accepted`,
  };
}

/** Why the rejection of an id says nothing about the ids before it: the provider rejects every id of this size. */
function whyOutOfReach({ request }: Exchange, facts: Facts): NotApplicable | Blocked | undefined {
  const id = BigInt(request.plant?.id ?? 0);
  const size = IDS_OF_EVERY_SIZE.find(({ above }) => id >= above);
  if (size === undefined || facts.of(size.row).length === 0 || facts.accepted(size.row)) return undefined;
  return id < 0n
    ? { notApplicable: 'the interface allows the provider to reject negative ids, and it does' }
    : { blocked: `the provider accepts no id above ${size.inWords}` };
}
