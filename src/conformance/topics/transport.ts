import { isAccepted, isRejected, isUnprocessed, responseInWords, type Transfer } from '../exchange.js';
import type { Row } from '../probe.js';
import { PLAIN_PLANT_WITH_TAG, PROPER_HEADERS } from '../row.js';
import {
  accepts,
  type Demand,
  type Gap,
  judgeAcceptance,
  observed,
  REQUEST_BODY,
  REQUEST_JSON,
  RESOURCES,
  RESPONSE_200,
  type Topic,
} from '../rule.js';
import { CLIENTS, type Sender } from './clients.js';
import { creation } from './sequences.js';

const COMES_BACK = ['success/name-comes-back', 'success/tag-comes-back'] as const;

/** The position of the first byte after the fresh name in the body of a plain plant. */
export const AFTER_NAME = '{"name":"'.length + 10;

/**
 * A plain plant whose message goes out in several segments. HTTP does not see them. Every client sends such messages: networks
 * and proxies cut them at any byte.
 */
function segmented(name: string, title: string, transfer: Transfer): Row {
  return {
    ...{ name: `transport/${name}`, title, expectation: 'created', rules: COMES_BACK },
    requests: [{ body: PLAIN_PLANT_WITH_TAG, transfer }],
  };
}

/**
 * A plain plant in chunks, as `fetch` in Node and net/http in Go send a body of unknown length: a chunk for each write. A provider
 * may reject chunks, or accept them however the body is divided.
 */
function chunked(name: string, title: string, transfer: Transfer): Row {
  return {
    ...{ name: `transport/${name}`, title, expectation: 'open', rules: COMES_BACK },
    requests: [{ body: PLAIN_PLANT_WITH_TAG, chunked: true, transfer }],
  };
}

/** A name with a character of several bytes, cut inside that character: by segments, or by chunks. */
function cutCharacter(name: string, character: string, by: 'segments' | 'chunks'): Row {
  const bytes = Buffer.byteLength(character);
  const parts = Array.from({ length: bytes - 1 }, (_, at) => AFTER_NAME + at + 1);
  return {
    name: `transport/${name}`,
    title: `a plant whose body is cut by ${by} inside the character ${character}`,
    ...{ expectation: 'open', rules: ['success/texts-come-back'] },
    requests: [
      {
        body: `{"name":"<NAME>${character}","id":<ID>}`,
        ...(by === 'segments'
          ? { transfer: { bodyCuts: parts } }
          : { chunked: true, transfer: { chunks: [AFTER_NAME + 1, ...parts.slice(1).map(() => 1), 400] } }),
      },
    ],
  };
}

/** A plain plant in HTTP/1.0. A server may reject this version, as Envoy does by default. */
function inHttp10(name: string, from: Sender, body: string): Row {
  return {
    name: `transport/${name}`,
    title: `a plain plant from ${from.who}, through nginx in HTTP/1.0`,
    ...{ expectation: 'open', rules: COMES_BACK },
    requests: [{ headers: from.fields, body, transfer: { http10: true } }],
  };
}

/**
 * Plain plants with white space in their JSON, so that their bodies have these lengths. Clients send bodies of every length, and
 * with white space wherever a person or a template wrote them.
 */
function ofLengths(name: string, lengths: readonly number[]): Row {
  return {
    name: `transport/${name}`,
    title: `plain plants with white space to lengths of ${lengths.join(', ')} bytes`,
    expectation: 'open',
    rules: ['success/name-comes-back'],
    requests: lengths.map((length, of) => ({ body: `{"name":"<NAME${of}>",<PAD ${length}>"id":<ID${of}>}` })),
  };
}

const rules: readonly Demand[] = [
  accepts({
    id: 'request/transfer-makes-no-difference',
    severity: 'error',
    title: 'A valid request is accepted however its bytes are divided.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: RESPONSE_200 },
    why: 'A message is a sequence of bytes. The segments in which a network delivers them have no meaning, and neither have the boundaries of chunks (RFC 9112, section 7.1). So the request is the same valid request, and a provider that accepts a body in one chunk accepts it in several.',
    usualCause: 'Only the first part of the body is read, or each part is decoded on its own.',
    fix: 'Read the body to its end, and decode it after that.',
    dependsOn: ['chunked-body'],
    judge(exchange, { facts }) {
      if (exchange.request.chunked !== true) return judgeAcceptance(exchange);
      if (isUnprocessed(exchange) || isAccepted(exchange))
        return isAccepted(exchange) ? undefined : 'nothing-to-judge';
      if (!facts.accepted('chunked-body'))
        return { notApplicable: 'the interface allows the provider to reject chunks, and it does' };
      return { expected: '200, as for one chunk', actual: responseInWords(exchange) };
    },
    rows: [
      segmented(
        'head-and-body-apart',
        'a plain plant whose body comes after its head, as http.client sends it',
        { cutAfterHead: true },
      ),
      segmented('body-in-three-segments', 'a plain plant whose body is cut twice', {
        cutAfterHead: true,
        bodyCuts: [AFTER_NAME - 4, -3],
      }),
      // Each chunk in a segment of its own, as a stream writes it.
      chunked('chunks-in-segments', 'a plain plant in several chunks, each in a segment of its own', {
        ...{ chunks: [9, 4, 20], bodyCuts: [14, 23, 49, -5], cutAfterHead: true },
      }),
    ],
  }),
  accepts({
    id: 'request/shorter-bodies-are-accepted',
    severity: 'error',
    title: 'If the provider accepts a long body, it also accepts a shorter one.',
    level: 'implied',
    source: { section: RESOURCES, pointer: REQUEST_JSON },
    why: 'Size limits are not shown, so a provider may reject long bodies. These bodies differ only in white space, which has no meaning in JSON (RFC 8259, section 2). If the provider accepts the longer one, its limit is no reason to reject the shorter one.',
    usualCause: 'A buffer is handled incorrectly when the body fills it exactly.',
    fix: 'Read the body to its end, whatever its length.',
    nothingToJudge: 'no long body was accepted',
    judge(exchange, { sequence }) {
      if (isUnprocessed(exchange)) return 'nothing-to-judge';
      if (isAccepted(exchange)) return undefined;
      const longer = sequence.find(
        (other) => isAccepted(other) && other.request.body.length > exchange.request.body.length,
      );
      if (longer === undefined || !isRejected(exchange))
        return {
          notApplicable: 'the interface allows the provider to reject bodies of this length, and it does',
        };
      return {
        expected: `200, as for a body of ${longer.request.body.length} bytes`,
        actual: `${responseInWords(exchange)} for a body of ${exchange.request.body.length} bytes`,
      };
    },
    rows: [ofLengths('lengths-at-buffer-sizes', [4_096, 65_536, 70_000])],
  }),
];

const TRANSFER: Gap = {
  source: { section: 'Endpoints', pointer: `${REQUEST_BODY}/content` },
  why: 'The interface does not say how a message is transferred.',
};

const SIZES: Gap = {
  source: { section: 'Limits', pointer: REQUEST_BODY },
  why: 'Size limits are not shown.',
};

/** How a message is transferred: its length, segments, chunks, codings, and its connection. */
export const transport: Topic = {
  family: 'transport',
  rules,
  open: [
    // Above the default limit of nginx and most frameworks, which is 1 MiB or less.
    {
      ...observed(
        'large-body',
        'a plain plant with a name of 1.2 million letters',
        'A body of 1.2 MB',
        SIZES,
        {
          body: '{"name":"<NAME><REPEAT 1200000 a>","id":<ID>}',
          // To read it from the body would take longer than all other requests together.
          plant: { name: '<NAME><REPEAT 1200000 a>', id: '<ID>' },
        },
      ),
      phase: 'heavy',
    },
    {
      name: 'transport/body-of-64-kib',
      title: 'a plain plant with white space to a length of 64 KiB',
      expectation: 'open',
      observed: { id: 'body-of-64-kib', subject: 'A body of 64 KiB', gap: SIZES },
      requests: [{ body: '{"name":"<NAME>",<PAD 65536>"id":<ID>}' }],
    },
    observed(
      'chunked-body',
      'a plain plant in chunks, without a Content-Length',
      'A body in chunks',
      TRANSFER,
      { chunked: true },
    ),
    observed('compressed-body', 'a plain plant in gzip', 'A body in gzip', TRANSFER, {
      headers: [...PROPER_HEADERS, ['Content-Encoding', 'gzip']],
      encoding: 'gzip',
    }),
    cutCharacter('cut-inside-a-character', '€', 'segments'),
    cutCharacter('chunks-inside-a-character', '日', 'chunks'),
    inHttp10('http-1.0', CLIENTS.curl, PLAIN_PLANT_WITH_TAG),
    {
      name: 'transport/expect-continue',
      title: 'a plain plant whose body waits for a 100, as curl sends a large one',
      ...{ expectation: 'open', rules: COMES_BACK },
      requests: [
        {
          headers: [...PROPER_HEADERS, ['Expect', '100-continue']],
          body: PLAIN_PLANT_WITH_TAG,
          transfer: { awaitContinue: true },
        },
      ],
    },
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
        { body: '{"name":"Aloe",<PAD 40000>,"id":<ID2>', expectation: 'open' },
        creation(3),
      ],
    },
  ],
};
