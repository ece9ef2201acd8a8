import type { Transfer } from '../../exchange.js';
import {
  type DrawnRow,
  PLAIN_PLANT,
  PLAIN_PLANT_WITH_TAG,
  PROPER_HEADERS,
  type RequestRow,
  type Row,
} from '../../row.js';
import { creation } from '../state/rows.js';

const RULE = 'request/transfer-makes-no-difference';
const COMES_BACK = ['success/name-comes-back', 'success/tag-comes-back'] as const;

/** The position of the first byte after the fresh name in the body of a plain plant. */
export const AFTER_NAME = '{"name":"'.length + 10;

/** A plain plant whose message goes out in several segments. HTTP does not see them. */
export function segmented(name: string, title: string, transfer: Transfer): DrawnRow {
  return {
    ...{ name: `transport/${name}`, title, expectation: 'created', rules: [RULE, ...COMES_BACK] },
    requests: [{ body: PLAIN_PLANT_WITH_TAG, transfer }],
  };
}

/** A plain plant in chunks. A provider may reject chunks, or accept them however the body is divided. */
export function chunked(name: string, title: string, transfer: Transfer): DrawnRow {
  // Other features of chunks are rarer, and a provider may reject them alone.
  const isOrdinary = transfer.chunkExtension === undefined && transfer.trailers === undefined;
  return {
    ...{ name: `transport/${name}`, title, expectation: 'open' },
    rules: isOrdinary ? [RULE, ...COMES_BACK] : COMES_BACK,
    requests: [{ body: PLAIN_PLANT_WITH_TAG, chunked: true, transfer }],
  };
}

/** A name with a character of several bytes, cut inside that character. */
export function cutCharacter(name: string, character: string): DrawnRow {
  const bytes = Buffer.byteLength(character);
  return {
    name: `transport/${name}`,
    title: `a plant whose body is cut inside the character ${character}`,
    ...{ expectation: 'open', rules: ['success/texts-come-back'] },
    requests: [
      {
        body: `{"name":"<NAME>${character}","id":<ID>}`,
        transfer: { bodyCuts: Array.from({ length: bytes - 1 }, (_, at) => AFTER_NAME + at + 1) },
      },
    ],
  };
}

/** Plain plants with white space around their JSON, so that their bodies have these lengths. */
export function ofLengths(name: string, lengths: readonly number[]): DrawnRow {
  return {
    name: `transport/${name}`,
    title: `plain plants with white space to lengths of ${lengths.join(', ')} bytes`,
    expectation: 'open',
    rules: ['request/shorter-bodies-are-accepted', 'success/name-comes-back'],
    requests: lengths.map((length, of) => ({ body: `{"name":"<NAME${of}>",<PAD ${length}>"id":<ID${of}>}` })),
  };
}

/** A request that a provider may reject as a whole, for the rule of its name. It is sent with the invalid ones. */
function observed(name: string, title: string, request: RequestRow): Row {
  const rules = [`unspecified/${name}`];
  return { ...{ name, title, expectation: 'open', phase: 'invalid' }, rules, requests: [request] };
}

const everyByte = (length: number): readonly number[] => Array.from({ length }, (_, at) => at + 1);

/** How a message is transferred: its length, segments, chunks, codings, and its connection. */
export const transportRows: readonly Row[] = [
  // Above the default limit of nginx and most frameworks, which is 1 MiB or less.
  observed('large-body', 'a plain plant with a name of 1.2 million letters', {
    body: '{"name":"<NAME><REPEAT 1200000 a>","id":<ID>}',
    // To read it from the body would take longer than all other requests together.
    plant: { name: '<NAME><REPEAT 1200000 a>', id: '<ID>' },
  }),
  observed('chunked-body', 'a plain plant in chunks, without a Content-Length', {
    body: PLAIN_PLANT,
    chunked: true,
  }),
  observed('compressed-body', 'a plain plant in gzip', {
    headers: [...PROPER_HEADERS, ['Content-Encoding', 'gzip']],
    body: PLAIN_PLANT,
    encoding: 'gzip',
  }),
  segmented('body-in-two-segments', 'a plain plant whose body is cut in the middle', {
    cutAfterHead: true,
    bodyCuts: [AFTER_NAME - 4],
  }),
  segmented('body-byte-by-byte', 'a plain plant whose body comes byte by byte', {
    cutAfterHead: true,
    bodyCuts: [...everyByte(24), -2, -1],
  }),
  segmented('head-in-segments', 'a plain plant whose header section is cut in many places', {
    headCuts: [2, 12, 30, 60, -30, -4, -3, -2, -1],
    cutAfterHead: true,
  }),
  cutCharacter('cut-inside-a-character', '€'),
  chunked('chunks-of-one-byte', 'a plain plant in chunks of one byte', { chunks: [1] }),
  chunked('chunks-in-segments', 'a plain plant in several chunks that are cut themselves', {
    chunks: [9, 4, 20],
    bodyCuts: [1, 2, 3, 7, 15, 16, -3, -6],
  }),
  chunked('chunk-extension-and-trailer', 'a plain plant in chunks with an extension and a trailer', {
    chunks: [16],
    chunkExtension: ';part=one',
    trailers: [['X-Trailer', 'aloe']],
  }),
  {
    name: 'transport/expect-continue',
    title: 'a plain plant whose body waits for a 100',
    ...{ expectation: 'open', rules: COMES_BACK },
    requests: [
      {
        headers: [...PROPER_HEADERS, ['Expect', '100-continue']],
        body: PLAIN_PLANT_WITH_TAG,
        transfer: { awaitContinue: true },
      },
    ],
  },
  ofLengths('lengths-at-buffer-sizes', [4_096, 16_384, 65_536, 70_000]),
  {
    name: 'transport/connection-after-rejections',
    title: 'rejected requests with bodies of 40 kB, and plain plants after them on the same connection',
    ...{ expectation: 'created', phase: 'recovery', oneConnection: true },
    rules: ['state/bad-request-spoils-nothing', 'auth/missing-token-is-refused', 'success/name-comes-back'],
    requests: [
      // A server may close the connection instead of reading the body, so the response may be lost.
      {
        headers: [PROPER_HEADERS[1]],
        body: '{"name":"Aloe",<PAD 40000>"id":<ID>}',
        ...{ plant: false, expectation: 'open' },
      },
      creation(1),
      creation(4),
      { body: '{"name":"Aloe",<PAD 40000>,"id":<ID2>', expectation: 'open' },
      creation(3),
    ],
  },
];
