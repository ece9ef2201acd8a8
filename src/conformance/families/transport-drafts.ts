import type { Transfer } from '../exchange.js';
import { FRESH_ID, FRESH_NAME, type Piece, type ProbeDraft } from './draft.js';
import type { GeneratedName } from './family.js';
import { plainPlant } from './sequence-drafts.js';
import { PLANT_WITH_TAG } from './tokens/unauthorised.js';

const RULE = 'request/transfer-makes-no-difference';
const COMES_BACK = ['success/name-comes-back', 'success/tag-comes-back'] as const;

/** The position of the first byte after the fresh name in the body of {@link PLANT_WITH_TAG}. */
export const AFTER_NAME = '{"name":"'.length + 10;

/** A plain plant whose message goes out in several segments. HTTP does not see them. */
export function segmented(name: GeneratedName, title: string, transfer: Transfer): ProbeDraft {
  return {
    ...{ name, title },
    ...{ expectation: 'created', phase: 'valid', control: 'plain-plant-with-tag' },
    rules: [RULE, ...COMES_BACK],
    requests: [{ ...PLANT_WITH_TAG, transfer }],
  };
}

/** A plain plant in chunks. A provider may reject chunks, or accept them however the body is divided. */
export function chunked(name: GeneratedName, title: string, transfer: Transfer): ProbeDraft {
  return {
    ...{ name, title, expectation: 'open', phase: 'valid', control: 'plain-plant-with-tag' },
    // Other features of chunks are rarer, and a provider may reject them alone.
    rules:
      transfer.chunkExtension === undefined && transfer.trailers === undefined
        ? [RULE, ...COMES_BACK]
        : COMES_BACK,
    requests: [{ ...PLANT_WITH_TAG, chunked: true, transfer }],
  };
}

/** A name with a character of several bytes, cut inside that character. */
export function cutCharacter(name: GeneratedName, character: string): ProbeDraft {
  const bytes = Buffer.byteLength(character);
  const plantName: readonly Piece[] = [FRESH_NAME, character];
  return {
    ...{ name, title: `a plant whose body is cut inside the character ${character}` },
    ...{ expectation: 'open', phase: 'valid', control: 'plain-plant' },
    rules: ['success/texts-come-back'],
    requests: [
      {
        body: ['{"name":"', ...plantName, '","id":', FRESH_ID, '}'],
        plant: { name: plantName, id: FRESH_ID },
        transfer: { bodyCuts: Array.from({ length: bytes - 1 }, (_, at) => AFTER_NAME + at + 1) },
      },
    ],
  };
}

/** Plain plants with white space around their JSON, so that their bodies have these lengths. */
export function ofLengths(name: GeneratedName, lengths: readonly number[]): ProbeDraft {
  return {
    ...{ name, title: `plain plants with white space to lengths of ${lengths.join(', ')} bytes` },
    ...{ expectation: 'open', phase: 'valid', control: 'plain-plant' },
    rules: ['request/shorter-bodies-are-accepted', 'success/name-comes-back'],
    requests: lengths.map((padTo, of) => {
      const [plantName, id] = [
        { fresh: 'name', of },
        { fresh: 'id', of },
      ] as const;
      return {
        body: ['{"name":"', plantName, '",', { padTo }, '"id":', id, '}'],
        plant: { name: plantName, id },
      };
    }),
  };
}

const LONG = 40_000;

/** Requests on one connection: rejections whose long bodies nobody may read, and plants after them. */
const afterLongRejections: ProbeDraft = {
  name: 'transport/connection-after-rejections',
  title: 'rejected requests with bodies of 40 kB, and plain plants after them on the same connection',
  ...{ expectation: 'created', phase: 'recovery', control: 'plain-plant', oneConnection: true },
  rules: ['state/bad-request-spoils-nothing', 'auth/missing-token-is-refused', 'success/name-comes-back'],
  requests: [
    // A server may close the connection instead of reading the body, so the response may be lost.
    {
      headers: [['Content-Type', 'application/json']],
      body: ['{"name":"Aloe",', { padTo: LONG }, '"id":', FRESH_ID, '}'],
      expectation: 'open',
    },
    plainPlant(1),
    plainPlant(4),
    { body: ['{"name":"Aloe",', { padTo: LONG }, ',"id":', { fresh: 'id', of: 2 }], expectation: 'open' },
    plainPlant(3),
  ],
};

const everyByte = (length: number): readonly number[] => Array.from({ length }, (_, at) => at + 1);

/** How a message is transferred. */
export const transportDrafts: readonly ProbeDraft[] = [
  segmented('transport/body-in-two-segments', 'a plain plant whose body is cut in the middle', {
    cutAfterHead: true,
    bodyCuts: [AFTER_NAME - 4],
  }),
  segmented('transport/body-byte-by-byte', 'a plain plant whose body comes byte by byte', {
    cutAfterHead: true,
    bodyCuts: [...everyByte(24), -2, -1],
  }),
  segmented('transport/head-in-segments', 'a plain plant whose header section is cut in many places', {
    headCuts: [2, 12, 30, 60, -30, -4, -3, -2, -1],
    cutAfterHead: true,
  }),
  cutCharacter('transport/cut-inside-a-character', '€'),
  chunked('transport/chunks-of-one-byte', 'a plain plant in chunks of one byte', { chunks: [1] }),
  chunked('transport/chunks-in-segments', 'a plain plant in several chunks that are cut themselves', {
    chunks: [9, 4, 20],
    bodyCuts: [1, 2, 3, 7, 15, 16, -3, -6],
  }),
  chunked(
    'transport/chunk-extension-and-trailer',
    'a plain plant in chunks with an extension and a trailer',
    {
      chunks: [16],
      chunkExtension: ';part=one',
      trailers: [['X-Trailer', 'aloe']],
    },
  ),
  {
    name: 'transport/expect-continue',
    title: 'a plain plant whose body waits for a 100',
    ...{ expectation: 'open', phase: 'valid', control: 'plain-plant-with-tag' },
    rules: COMES_BACK,
    requests: [
      {
        ...PLANT_WITH_TAG,
        headers: [
          ['Authorization', ['Bearer ', { token: {} }]],
          ['Content-Type', 'application/json'],
          ['Expect', '100-continue'],
        ],
        transfer: { awaitContinue: true },
      },
    ],
  },
  ofLengths('transport/lengths-at-buffer-sizes', [4_096, 16_384, 65_536, 70_000]),
  afterLongRejections,
];
