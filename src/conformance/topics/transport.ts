import { isAccepted, isRejected, isUnprocessed, responseInWords } from '../exchange.js';
import type { Expectation } from '../oracle.js';
import { PLAIN_PLANT_WITH_TAG, PROPER_HEADERS, type RequestRow } from '../row.js';
import {
  accepts,
  type Demand,
  type Gap,
  judgeAcceptance,
  observedRequest,
  REQUEST_BODY,
  REQUEST_JSON,
  RESPONSE_200,
  type SentRow,
  type Topic,
} from '../rule.js';
import { CLIENTS } from '../values/clients.js';
import { creation } from './sequences.js';

/** The position of the first byte after the fresh name in the body of a plain plant. */
export const AFTER_NAME = '{"name":"'.length + 10;

/**
 * A plain plant whose message goes out in several segments, in chunks, or in another version. HTTP does not see segments: networks and
 * proxies cut a message at any byte. `fetch` in Node and net/http in Go send a body of unknown length in chunks, one for each write.
 */
function transferred(
  name: string,
  title: string,
  request: Partial<RequestRow>,
  expectation: Expectation = 'open',
): SentRow {
  return {
    name: `transport/${name}`,
    title,
    expectation,
    rules: ['success/name-comes-back', 'success/tag-comes-back', 'success/texts-come-back'],
    requests: [{ body: PLAIN_PLANT_WITH_TAG, ...request }],
  };
}

/** The rows that send a plain plant in chunks. */
const CHUNKED = ['chunked-body', 'transport/chunks-in-segments'] as const;

const rules: readonly Demand[] = [
  accepts({
    id: 'request/transfer-makes-no-difference',
    level: 'implied',
    title: 'A valid request is accepted however its bytes are divided.',
    source: RESPONSE_200,
    why: 'A message is a sequence of bytes. The segments in which a network delivers them have no meaning, and neither have the boundaries of chunks (RFC 9112, section 7.1). So the request is the same valid request, and a provider that accepts a body in one chunk accepts it in several.',
    usualCause: 'Only the first part of the body is read, or each part is decoded on its own.',
    fix: 'Read the body to its end, and decode it after that.',
    dependsOn: CHUNKED,
    judge(exchange, { facts }) {
      if (exchange.request.chunked !== true) return judgeAcceptance(exchange);
      if (isUnprocessed(exchange) || isAccepted(exchange))
        return isAccepted(exchange) ? undefined : 'nothing-to-judge';
      // One of them shows that it knows chunks.
      if (!CHUNKED.some((name) => facts.accepted(name)))
        return { notApplicable: 'the interface allows the provider to reject chunks, and it does' };
      return { expected: '200, as for other chunks', actual: responseInWords(exchange) };
    },
    rows: [
      transferred(
        'body-in-three-segments',
        'a plain plant whose body comes after its head, and is cut twice',
        { transfer: { bodyCuts: [0, AFTER_NAME - 4, -3] } },
        'created',
      ),
      // Each chunk in a segment of its own, as a stream writes it.
      transferred('chunks-in-segments', 'a plain plant in several chunks, each in a segment of its own', {
        chunked: true,
        // The last size is that of the third chunk, too. One digit is enough for each.
        transfer: { chunks: [9, 4, 11], bodyCuts: [0, 14, 23, 39, 55, -5] },
      }),
    ],
  }),
  accepts({
    id: 'request/shorter-bodies-are-accepted',
    level: 'implied',
    title: 'If the provider accepts a long body, it also accepts a shorter one.',
    fact: 'A body is rejected, although a longer one is accepted.',
    source: REQUEST_JSON,
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
    // Clients send bodies of every length, and with white space wherever a person or a template wrote them.
    rows: [
      {
        name: 'transport/lengths-at-buffer-sizes',
        title: 'plain plants with white space to lengths of 4,096, 65,536 and 70,000 bytes',
        expectation: 'open',
        rules: ['success/name-comes-back'],
        requests: [4_096, 65_536, 70_000].map((length, of) => ({
          body: `{"name":"<NAME${of}>",<PAD ${length}>"id":<ID${of}>}`,
        })),
      },
    ],
  }),
];

const TRANSFER: Gap = {
  source: `${REQUEST_BODY}/content`,
  why: 'The interface does not say how a message is transferred.',
};

const SIZES: Gap = {
  source: REQUEST_BODY,
  why: 'Size limits are not shown.',
};

/** How a message is transferred: its length, segments, chunks, codings, and its connection. */
export const transport: Topic = {
  // These take long.
  drawn: 1,
  rules,
  open: [
    // Above the default limit of nginx and most frameworks, which is 1 MiB or less.
    {
      ...observedRequest(SIZES, 'large-body', 'a plain plant with a name of 1.2 million letters', {
        body: '{"name":"<NAME><REPEAT 1200000 a>","id":<ID>}',
        // To read it from the body would take longer than all other requests together.
        plant: { name: '<NAME><REPEAT 1200000 a>', id: '<ID>' },
      }),
      phase: 'heavy',
    },
    {
      ...observedRequest(TRANSFER, CHUNKED[0], 'a plain plant in chunks', { chunked: true }),
      rules: ['request/transfer-makes-no-difference'],
    },
    observedRequest(TRANSFER, 'compressed-body', 'a plain plant in gzip', {
      headers: [...PROPER_HEADERS, ['Content-Encoding', 'gzip']],
      encoding: 'gzip',
    }),
    transferred('cut-inside-a-character', 'a plant whose body is cut by segments inside the character €', {
      body: '{"name":"<NAME>€","id":<ID>}',
      transfer: { bodyCuts: [AFTER_NAME + 1, AFTER_NAME + 2] },
    }),
    transferred('chunks-inside-a-character', 'a plant whose body is cut by chunks inside the character 日', {
      body: '{"name":"<NAME>日","id":<ID>}',
      chunked: true,
      transfer: { chunks: [AFTER_NAME + 1, 1, 400] },
    }),
    // A server may reject this version, as Envoy does by default.
    transferred('http-1.0', 'a plain plant from curl, through nginx in HTTP/1.0', {
      headers: CLIENTS.curl.fields,
      transfer: { http10: true },
    }),
    transferred('expect-continue', 'a plain plant whose body waits for a 100, as curl sends a large one', {
      headers: [...PROPER_HEADERS, ['Expect', '100-continue']],
      transfer: { awaitContinue: true },
    }),
    {
      name: 'transport/connection-after-rejections',
      title: 'rejected requests with bodies of 40 kB, and plain plants after them on the same connection',
      expectation: 'created',
      phase: 'recovery',
      oneConnection: true,
      rules: ['state/bad-request-spoils-nothing', 'auth/missing-token-is-refused', 'success/name-comes-back'],
      requests: [
        // A server may close the connection instead of reading the body, so the response may be lost.
        {
          headers: [PROPER_HEADERS[1]],
          body: '{"name":"Aloe",<PAD 40000>"id":<ID>}',
          plant: false,
          expectation: 'open',
        },
        creation(1),
        { body: '{"name":"Aloe",<PAD 40000>,"id":<ID2>', expectation: 'open' },
        creation(3),
      ],
    },
  ],
};
