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
