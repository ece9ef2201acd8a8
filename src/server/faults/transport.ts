import { headerValues } from '../../http/fields.js';
import type { NewPlant } from '../../spec/types.js';
import { isRejected, Rejection } from '../error-codes.js';
import type { IncomingRequest, OutgoingResponse } from '../exchange.js';
import type { Steps } from '../steps.js';
import type { Faults } from './names.js';

/** Reads another body than the one that was received. */
function reads(bodyOf: (request: IncomingRequest, pieces: readonly Uint8Array[]) => Uint8Array | undefined) {
  return ({ readBody }: Steps): Partial<Steps> => ({
    readBody: (request) =>
      request.body === undefined
        ? readBody(request)
        : readBody({ ...request, body: bodyOf(request, request.pieces ?? []) }),
  });
}

/** The size of a buffer that overflows when it is full. */
const BUFFER = 4_096;
const LEFT_UNREAD = 16_384;
const TENTH = 10;

/** Changes how the response to malformed JSON is sent. */
function onMalformedJson(delivery: OutgoingResponse['delivery'] & string) {
  return ({ reject }: Steps): Partial<Steps> => ({
    reject: (rejection: Rejection, request) => ({
      ...reject(rejection, request),
      ...(isRejected(rejection, 'json-malformed') && { delivery }),
    }),
  });
}

/** It matters how a message is transferred, or a response is missing or incomplete. */
export const transportFaults = {
  'hangs-on-malformed-json': {
    title: 'Malformed JSON gets no response.',
    breaks: ['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
    replace: onMalformedJson('hang'),
  },
  'resets-on-malformed-json': {
    title: 'Malformed JSON gets a connection reset.',
    breaks: ['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
    replace: onMalformedJson('reset'),
  },
  'truncates-answers': {
    title: 'The response to a creation ends in the middle of its body.',
    breaks: ['success/body-comes-whole'],
    replace: ({ render }) => ({
      render: (plant, request) => ({ ...render(plant, request), delivery: 'truncate' }),
    }),
  },
  'truncates-errors': {
    title: 'The response to a rejected request ends in the middle of its body.',
    breaks: ['failure/body-comes-whole'],
    replace: ({ reject }) => ({
      reject: (rejection, request) => ({ ...reject(rejection, request), delivery: 'truncate' }),
    }),
  },
  'counts-characters': {
    title: 'The Content-Length of a creation counts characters instead of bytes.',
    breaks: ['success/body-comes-whole'],
    replace: ({ render }) => ({
      render: (plant, request) => ({ ...render(plant, request), delivery: 'short-length' }),
    }),
  },
  'reads-first-segment': {
    title: 'Only the first part of the body is read.',
    breaks: ['request/transfer-makes-no-difference'],
    replace: reads(({ body }, [first = body]) => first),
  },
  'reads-first-chunk': {
    title: 'Of a body in chunks, only the first chunk is read.',
    breaks: ['request/transfer-makes-no-difference'],
    replace: reads(({ headers, body }, [first = body]) =>
      headerValues(headers, 'transfer-encoding').length > 0 ? first : body,
    ),
  },
  'decodes-each-segment': {
    title: 'Each part of the body is decoded on its own, so characters on an edge are lost.',
    breaks: ['success/texts-come-back'],
    replace: reads(({ body }, pieces) =>
      pieces.length < 2 ? body : Buffer.from(pieces.map((piece) => Buffer.from(piece).toString()).join('')),
    ),
  },
  'overflows-full-buffers': {
    title: 'A body that fills its last buffer exactly is rejected.',
    breaks: ['request/shorter-bodies-are-accepted'],
    replace: ({ readBody }) => ({
      readBody(request) {
        const length = request.body?.length ?? 0;
        return length > 0 && length % BUFFER === 0
          ? new Rejection('json-malformed', 'the body ends too early')
          : readBody(request);
      },
    }),
  },
  'fails-on-expect': {
    title: 'A request with "Expect: 100-continue" causes an exception.',
    breaks: ['success/valid-plant-is-processed'],
    replace: ({ readBody }) => ({
      readBody(request) {
        if (headerValues(request.headers, 'expect').length > 0) throw new Error('no such expectation');
        return readBody(request);
      },
    }),
  },
  // Which plants share a connection differs from check to check, except those of one sequence.
  'keeps-tags-on-connections': {
    title:
      'A plant without a tag gets the tag of the plant before it on the connection, if that has its name.',
    breaks: ['success/absent-tag-stays-absent'],
    replace({ create }) {
      const last = new WeakMap<object, NewPlant>();
      return {
        create(plant, request) {
          const before = last.get(request.connection);
          last.set(request.connection, plant);
          const isKept = plant.tag === undefined && before?.name === plant.name;
          return create(isKept ? { ...before, id: plant.id } : plant, request);
        },
      };
    },
  },
  'fails-tenth-on-connections': {
    title: 'The tenth plant of a connection causes an exception.',
    breaks: [
      'success/valid-plant-is-processed',
      'state/no-intermittent-failures',
      'state/bad-request-spoils-nothing',
    ],
    replace({ create }) {
      const plants = new WeakMap<object, number>();
      return {
        create(plant, request) {
          const count = (plants.get(request.connection) ?? 0) + 1;
          plants.set(request.connection, count);
          if (count === TENTH) throw new Error('there is no tenth plant');
          return create(plant, request);
        },
      };
    },
  },
  'fails-on-http-1-0': {
    title: 'A request in HTTP/1.0 causes an exception.',
    breaks: ['success/valid-plant-is-processed'],
    replace: ({ readBody }) => ({
      readBody(request) {
        if (request.httpVersion === '1.0') throw new Error('no such version');
        return readBody(request);
      },
    }),
  },
  'leaves-bodies-on-connections': {
    title: 'A long body that is rejected is left unread, and taken for the next request on the connection.',
    breaks: ['state/bad-request-spoils-nothing'],
    replace({ route, reject }) {
      const spoiled = new WeakSet<object>();
      return {
        route(request) {
          return spoiled.delete(request.connection)
            ? new Rejection('malformed-http', 'the request line is not well-formed')
            : route(request);
        },
        reject(rejection, request) {
          if ((request.body?.length ?? 0) > LEFT_UNREAD) spoiled.add(request.connection);
          return reject(rejection, request);
        },
      };
    },
  },
} satisfies Faults;
