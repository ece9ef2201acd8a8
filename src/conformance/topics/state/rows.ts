import type * as FastCheck from 'fast-check';
import { definedOnly } from '../../../defined-only.js';
import type { GeneratedName } from '../../probe.js';
import type { DrawnRow, RequestRow, Row } from '../../row.js';

const AFTER_REJECTION = ['state/bad-request-spoils-nothing', 'state/refused-plant-is-not-stored'] as const;

/** The creation of a plain plant with the fresh name and the fresh id of these numbers. */
export function creation(of: number | '' = '', ofName = of): RequestRow {
  return { body: `{"name":"<NAME${ofName}>","id":<ID${of}>}`, expectation: 'created' };
}

/** A plant with an id that may exist. Its response may be the plant that exists. */
function duplicate(plant: RequestRow): RequestRow {
  return { ...plant, expectation: 'open', plant: false, idMayExist: true };
}

function rejected(body: string): RequestRow {
  return { body, expectation: 'rejected' };
}

/** A request that is invalid, although it has a fresh name or a fresh id, and the rule that it breaks. */
interface Invalid {
  readonly title: string;
  readonly body: string;
  readonly rule: string;
}

/** Invalid requests: one for each way in which a plant can be wrong. */
export const INVALID = {
  'wrong-name': {
    title: 'a plant whose name is a number',
    body: '{"name":7,"id":<ID>}',
    rule: 'request/name-is-a-string',
  },
  'missing-name': {
    title: 'a plant without a name',
    body: '{"id":<ID>}',
    rule: 'request/name-is-required',
  },
  'id-in-quotes': {
    title: 'a plant whose id is a string',
    body: '{"name":"<NAME>","id":"<ID>"}',
    rule: 'request/id-is-an-integer',
  },
  // An id that is larger by 2^64 has the same 64 bits.
  'id-outside-int64': {
    title: 'a plant whose id is 2^64 too large',
    body: '{"name":"<NAME>","id":<ID+18446744073709551616>}',
    rule: 'request/id-is-within-int64',
  },
  'wrong-tag': {
    title: 'a plant whose tag is a list',
    body: '{"name":"<NAME>","id":<ID>,"tag":["aloe"]}',
    rule: 'request/tag-is-a-string',
  },
  'malformed-json': {
    title: 'a plant without the closing brace',
    body: '{"name":"<NAME>","id":<ID>',
    rule: 'request/body-is-json',
  },
} as const satisfies Record<string, Invalid>;

/** An invalid request, and then a plain plant on its own. */
function afterBadRequest(name: string, title: string, bad: string): Row {
  return {
    ...{ name, title, expectation: 'created', phase: 'recovery' },
    rules: ['state/bad-request-spoils-nothing'],
    requests: [rejected(bad), creation(2)],
  };
}

/** A rejected plant, and then a valid one with the same id. */
function afterRejection(name: string, title: string, requests: readonly RequestRow[]): Row {
  return {
    ...{ name, title, expectation: 'created', phase: 'state', alone: true },
    rules: ['state/refused-plant-is-not-stored'],
    requests,
  };
}

/**
 * A rejected request, another plant, and a valid plant with the rejected name and id: all three alone. The other plant shows
 * whether the provider works after the rejection, so the last one shows only whether something was stored.
 */
function afterInvalid(name: GeneratedName, { title, body }: Invalid): DrawnRow {
  return {
    name,
    title: `${title}, then another plant, and a valid plant with its id`,
    ...{ expectation: 'created', phase: 'recovery' },
    rules: AFTER_REJECTION,
    requests: [rejected(body), creation(2), creation()],
  };
}

/** Creations of a sequence: a new plant, a duplicate of an earlier one, or an invalid request with the id of one. */
type Step = readonly [kind: 'new' | 'duplicate' | 'invalid', of: number];

/** Names that no new plant of a sequence has. */
const OTHER_NAMES = 100;

/** A sequence whose responses are compared with each other: what is a duplicate once is always one. */
function history(name: GeneratedName, title: string, steps: readonly Step[]): DrawnRow {
  return {
    ...{ name, title, expectation: 'open', phase: 'state', alone: true },
    rules: ['state/duplicates-are-treated-alike', ...AFTER_REJECTION],
    requests: steps.map(([kind, of], at) => {
      if (kind === 'new') return creation(of);
      // Another name each time: a provider may accept the same plant again.
      if (kind === 'duplicate') return duplicate(creation(of, OTHER_NAMES + at));
      return rejected(`{"name":"Aloe","id":<ID${of}>,"tag":7}`);
    }),
  };
}

/** One of several plants with few names: which name, in which spelling, with which tag, and how long its body is. */
interface NamedPlant {
  readonly of: number;
  /** What follows the fresh name. */
  readonly spelling?: string;
  readonly tag?: string;
  readonly bytes?: number;
}

/** One word in other letters, and in other code points: those of its letters composed and decomposed. */
export const SPELLINGS = ['Rosé', 'Rose\u0301', 'ROSÉ', 'rosé'];

/**
 * Plants, some of which have a name again: a provider may reject a duplicate name, but each plant comes back with its own name
 * and tag. Other steps are invalid bodies.
 */
function namesAgain(steps: readonly (NamedPlant | string)[]): readonly RequestRow[] {
  const used = new Set<number>();
  return steps.map((step, at) => {
    if (typeof step === 'string') return rejected(step);
    const { of, spelling = '', tag, bytes = 0 } = step;
    const isOpen = used.has(of) || spelling !== '';
    used.add(of);
    return {
      body: `{"name":"<NAME${of}>${spelling}",<PAD ${bytes}>"id":<ID${at}>${tag === undefined ? '' : `,"tag":"${tag}"`}}`,
      expectation: isOpen ? 'open' : 'created',
    };
  });
}

/** What holds for each of such plants. */
const COMES_BACK = [
  'success/name-comes-back',
  'success/tag-comes-back',
  'success/texts-come-back',
  'success/absent-tag-stays-absent',
] as const;

/** Plants and invalid requests on one connection. */
function onOneConnection(name: GeneratedName, requests: readonly RequestRow[]): DrawnRow {
  return {
    ...{ name, title: `${requests.length} requests on one connection, with and without tags`, requests },
    ...{ expectation: 'created', phase: 'state', oneConnection: true },
    rules: ['state/bad-request-spoils-nothing', ...COMES_BACK],
  };
}

/** Sequences of accepted and rejected requests. */
export const sequenceRows: readonly Row[] = [
  afterBadRequest(
    'good-after-malformed-json',
    'malformed JSON, then a plain plant',
    INVALID['malformed-json'].body,
  ),
  {
    name: 'repeated-id',
    title: 'a plant, the same plant again, and another plant with its id',
    ...{ expectation: 'open', phase: 'state', alone: true, control: false },
    rules: ['unspecified/repeated-id', 'unspecified/repeated-id-with-another-name'],
    requests: [creation(), duplicate(creation()), duplicate(creation('', 2))],
  },
  {
    name: 'repeated-name',
    title: 'a plant, and another plant with its name and a tag',
    ...{ expectation: 'open', phase: 'state', control: false },
    rules: ['unspecified/repeated-name'],
    requests: [creation(), { body: '{"name":"<NAME>","id":<ID2>,"tag":"succulent"}' }],
  },
  afterRejection('created-after-wrong-tag', 'a plant whose tag is a number, then a valid plant with its id', [
    rejected('{"name":"<NAME>","id":<ID>,"tag":7}'),
    creation('', 2),
  ]),
  afterRejection(
    'created-after-missing-token',
    'a plant without an Authorization header, then the same plant with it',
    [{ ...creation(), headers: [['Content-Type', 'application/json']], expectation: 'rejected' }, creation()],
  ),
  ...(['wrong-name', 'missing-name', 'id-in-quotes', 'id-outside-int64', 'malformed-json'] as const).map(
    (kind) => afterInvalid(`sequences/after-${kind}`, INVALID[kind]),
  ),
  afterBadRequest('sequences/after-no-body', 'a request without a body, then a plain plant', ''),
  onOneConnection(
    'sequences/on-one-connection',
    namesAgain([
      { of: 1, tag: 'succulent' },
      { of: 2 },
      INVALID['missing-name'].body,
      { of: 3, tag: 'cactus', bytes: 900 },
      { of: 4 },
      { of: 1, tag: 'fern' },
      { of: 1 },
      INVALID['wrong-tag'].body,
      { of: 5, spelling: 'Rosé', tag: 'moss' },
      { of: 5, spelling: 'Rose\u0301' },
      { of: 5, spelling: 'ROSÉ', tag: 'palm' },
      { of: 6, tag: 'succulent' },
    ]),
  ),
  history('sequences/duplicates', 'two plants, duplicates of both, and an invalid request between them', [
    ['new', 0],
    ['new', 1],
    ['duplicate', 0],
    ['invalid', 1],
    ['duplicate', 1],
    ['duplicate', 0],
  ]),
];

/** Plants with one id at the same time. */
function raceForId(name: GeneratedName, count: number): DrawnRow {
  return {
    name,
    title: `${count} plants with one id at the same time`,
    ...{ expectation: 'open', phase: 'state', control: false, together: true, alone: true },
    rules: ['state/equal-ids-side-by-side'],
    requests: numbers(count).map((at) => ({
      ...duplicate(creation(0, at)),
      transfer: { endsTogether: true },
    })),
  };
}

/** Plain plants with different ids at the same time. */
function burst(name: GeneratedName, count: number): DrawnRow {
  return {
    name,
    title: `${count} plants with different ids at the same time`,
    ...{ expectation: 'created', phase: 'state', together: true, alone: true },
    rules: ['state/concurrent-plants-are-accepted', 'state/answers-do-not-mix'],
    requests: numbers(count).map((of) => creation(of)),
  };
}

/** Plants with one name, with other tags and without one, at the same time. */
function sameNameAtOnce(name: GeneratedName, tags: readonly (string | undefined)[]): DrawnRow {
  const plants = tags.map((tag) => definedOnly({ of: 1, tag }));
  return {
    ...{ name, title: `${tags.length} plants with one name at the same time` },
    ...{ expectation: 'open', phase: 'state', control: false, together: true, alone: true },
    rules: COMES_BACK,
    requests: namesAgain(plants).map((request) => ({ ...request, expectation: 'open' })),
  };
}

/** Plain plants and invalid requests at the same time. Each must get its own response. */
function mixedBurst(
  name: GeneratedName,
  { title, body, rule }: Invalid,
  isInvalid: readonly boolean[],
): DrawnRow {
  return {
    name,
    title: `${isInvalid.length} requests at the same time, some of them ${title}`,
    ...{ expectation: 'open', phase: 'state', together: true, alone: true },
    rules: [rule, 'state/concurrent-plants-are-accepted', 'state/answers-do-not-mix'],
    requests: isInvalid.map((one, of) =>
      one ? rejected(body.replace(/<(?:NAME|ID)/g, `$&${of}`)) : creation(of),
    ),
  };
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at);
}

/** Requests at the same time, and what many requests leave behind. */
export const volumeRows: readonly Row[] = [
  {
    name: 'equal-ids-side-by-side',
    title: 'three plants with one id at the same time',
    ...{ expectation: 'open', phase: 'state', control: false, together: true, alone: true },
    rules: ['state/equal-ids-side-by-side'],
    requests: numbers(3).map((at) => ({ body: `{"name":"<NAME${at}>","id":<ID>}`, idMayExist: true })),
  },
  {
    name: 'different-ids-side-by-side',
    title: 'five plants with different ids at the same time',
    ...{ expectation: 'created', phase: 'state', together: true, alone: true },
    rules: ['state/concurrent-plants-are-accepted'],
    requests: numbers(5).map((of) => creation(of)),
  },
  raceForId('volume/race-for-an-id', 4),
  sameNameAtOnce('volume/same-name-at-once', ['fern', undefined, 'moss']),
  burst('volume/twelve-plants-at-once', 12),
  {
    name: 'volume/plant-after-many-requests',
    title: 'a plain plant after many invalid requests and duplicates',
    ...{ expectation: 'created', phase: 'state', alone: true },
    rules: ['state/bad-request-spoils-nothing'],
    requests: [creation()],
  },
];

/** So few plants that they meet often. */
const PLANTS = 3;

const INVALIDS = Object.values(INVALID);
const TAGS = ['fern', 'moss', 'palm', 'succulent', 'cactus'];
/** So long that the next body on the connection is shorter. */
const LONGEST = 900;

/** Draws histories of new plants, duplicates and invalid requests, plants after each kind of rejection, and plants with few names. */
export function drawSequences(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  const step = fc.tuple(fc.constantFrom('new', 'duplicate', 'invalid'), fc.nat(PLANTS - 1));
  return fc.oneof(
    fc
      .array(step, { minLength: 2, maxLength: 10 })
      .map((steps) =>
        history('sequences/drawn', 'plants, duplicates and invalid requests in turn', possible(steps)),
      ),
    fc.constantFrom(...INVALIDS).map((invalid) => afterInvalid('sequences/drawn-rejection', invalid)),
    drawNames(fc).map((requests) => onOneConnection('sequences/drawn-connection', requests)),
  );
}

/** Draws plants with few names in several spellings, with and without a tag, and invalid requests between them. */
function drawNames(fc: typeof FastCheck): FastCheck.Arbitrary<ReturnType<typeof namesAgain>> {
  const optional = { nil: undefined };
  const plant = fc
    .tuple(
      fc.nat(PLANTS - 1),
      fc.option(fc.constantFrom(...SPELLINGS), optional),
      fc.option(fc.constantFrom(...TAGS), optional),
      fc.option(fc.integer({ min: 60, max: LONGEST }), optional),
    )
    .map(([of, spelling, tag, bytes]) => definedOnly({ of, spelling, tag, bytes }));
  const invalid = fc.constantFrom('', ...INVALIDS.map(({ body }) => body));
  return fc
    .array(fc.oneof({ weight: 5, arbitrary: plant }, invalid), { minLength: 4, maxLength: 16 })
    .map(namesAgain);
}

/** The same steps, with each plant created once: before it is duplicated, and never again. */
function possible(steps: readonly Step[]): readonly Step[] {
  const created = new Set<number>();
  return steps.map(([kind, of]) => {
    if (kind === 'invalid') return [kind, of];
    const isNew = !created.has(of);
    created.add(of);
    return [isNew ? 'new' : 'duplicate', of];
  });
}

/** Draws bursts of plants with different ids or one name, of invalid requests beside them, and races for one id. */
export function drawVolume(fc: typeof FastCheck): FastCheck.Arbitrary<DrawnRow> {
  return fc.oneof(
    fc.integer({ min: 2, max: 16 }).map((count) => burst('volume/drawn-burst', count)),
    fc.integer({ min: 2, max: 8 }).map((count) => raceForId('volume/drawn-race', count)),
    fc
      .array(fc.option(fc.constantFrom(...TAGS), { nil: undefined }), { minLength: 2, maxLength: 8 })
      .map((tags) => sameNameAtOnce('volume/drawn-same-name', tags)),
    fc
      .tuple(fc.constantFrom(...INVALIDS), fc.array(fc.boolean(), { minLength: 2, maxLength: 16 }))
      .map(([invalid, isInvalid]) => mixedBurst('volume/drawn-invalid-burst', invalid, isInvalid)),
  );
}
