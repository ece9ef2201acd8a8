import { setTimeout as sleep } from 'node:timers/promises';
import { headerValues } from '../../../src/http/fields.js';
import { type ErrorName, isRejected, Rejection } from '../../../src/server/error-codes.js';
import type { Faults, FaultTools } from '../../../src/server/faults/names.js';
import { creatingDuplicates, readsPieces, useUp } from '../../../src/server/faults/state.js';
import type { Steps } from '../../../src/server/steps.js';
import type { PlantMap } from '../../../src/server/store.js';
import type { NewPlant } from '../../../src/spec/types.js';
import { exactNumber, type JsonObject } from '../../../src/validation/json-value.js';

/** Stores something of a plant that is rejected for this reason. */
function onInvalid(reason: ErrorName, change: (members: JsonObject, plants: PlantMap) => void) {
  return ({ validate }: Steps, { plants }: FaultTools): Partial<Steps> => ({
    validate(value, request) {
      const plant = validate(value, request);
      if (isRejected(plant, reason)) change(value as JsonObject, plants);
      return plant;
    },
  });
}

const TRIPPED = 'the last request failed';

/** Rejects a valid plant that is the next request after a rejection for this reason. */
function tripsAfter(reason: ErrorName) {
  return ({ route, create, reject }: Steps): Partial<Steps> => {
    let tripped = false;
    let isNext = false;
    return {
      route(request) {
        [isNext, tripped] = [tripped, false];
        return route(request);
      },
      reject(rejection, request) {
        tripped = rejection.reason === reason && rejection.message !== TRIPPED;
        return reject(rejection, request);
      },
      create: async (plant, request) =>
        isNext ? new Rejection(reason, TRIPPED) : await create(plant, request),
    };
  };
}

/** Long enough that concurrent requests overlap. */
const GAP_MS = 10;
/** How many requests wait for one id in order. */
const IN_ORDER = 3;
/** The connections of a pool. Each rejected duplicate keeps one. */
const POOL = 10;
const LEFT_UNREAD = 16_384;
const TENTH = 10;

/** A request depends on others, on how it is transferred, or on how many there were. */
export const sequenceFaults = {
  'keeps-plants-with-wrong-names': {
    title: 'A plant whose name is not a string is rejected, but its id is used up.',
    breaks: ['state/refused-plant-is-not-stored'],
    replace: onInvalid('name-invalid', ({ id }, plants) => {
      useUp(id, plants);
    }),
  },
  'keeps-plants-without-names': {
    title: 'A plant without a name is rejected, but its id is used up.',
    breaks: ['state/refused-plant-is-not-stored'],
    replace: onInvalid('name-missing', ({ id }, plants) => {
      useUp(id, plants);
    }),
  },
  'keeps-ids-in-64-bits': {
    title: 'An id outside int64 is rejected, but the id with the same 64 bits is used up.',
    breaks: ['state/refused-plant-is-not-stored'],
    replace: onInvalid('id-out-of-range', ({ id }, plants) => {
      if (/^-?\d+$/.test(String(id))) useUp(BigInt.asIntN(64, BigInt(String(id))), plants);
    }),
  },
  'reserves-ids-before-parsing': {
    title: 'If a body ends after its id, it is rejected, but the id is used up.',
    breaks: ['state/refused-plant-is-not-stored'],
    replace: ({ readBody }, { plants }) => ({
      readBody(request) {
        const value = readBody(request);
        const id = /"id":(\d{1,19})$/.exec(Buffer.from(request.body ?? []).toString())?.[1];
        if (isRejected(value, 'json-malformed') && id !== undefined) useUp(exactNumber(id), plants);
        return value;
      },
    }),
  },
  'trips-over-missing-bodies': {
    title: 'After a request without a body, the next plant is rejected.',
    breaks: ['state/bad-request-spoils-nothing'],
    replace: tripsAfter('body-missing'),
  },
  'trips-over-missing-names': {
    title: 'After a plant without a name, the next plant is rejected.',
    breaks: ['state/bad-request-spoils-nothing'],
    replace: tripsAfter('name-missing'),
  },
  'frees-ids-of-invalid-plants': {
    title: 'A plant with an invalid tag is rejected, but the plant with its id is deleted.',
    breaks: ['state/duplicates-are-treated-alike'],
    replace: (steps, tools) => {
      const createDuplicate = creatingDuplicates(steps, tools);
      const deleted = new Set<unknown>();
      return {
        validate(value, request) {
          const plant = steps.validate(value, request);
          if (isRejected(plant, 'tag-invalid')) deleted.add((value as JsonObject).id);
          return plant;
        },
        create: (plant, request) =>
          (deleted.delete(plant.id) ? createDuplicate : steps.create)(plant, request),
      };
    },
  },
  'finds-names-in-any-spelling': {
    title:
      'A plant whose name differs only in case or in its normal form comes back with the name of the first.',
    breaks: ['success/name-comes-back', 'success/texts-come-back'],
    replace: ({ create }) => {
      const first = new Map<string, string>();
      return {
        create(plant, request) {
          const key = plant.name.normalize('NFC').toLowerCase();
          const name = first.get(key) ?? plant.name;
          first.set(key, name);
          return create({ ...plant, name }, request);
        },
      };
    },
  },
  'keeps-tags-of-names': {
    title: 'A plant without a tag gets the tag of an earlier plant with its name.',
    breaks: ['success/absent-tag-stays-absent'],
    replace: ({ create }) => {
      const tags = new Map<string, string>();
      return {
        create(plant, request) {
          const tag = plant.tag ?? tags.get(plant.name);
          if (tag !== undefined) tags.set(plant.name, tag);
          return create(tag === undefined ? plant : { ...plant, tag }, request);
        },
      };
    },
  },
  'races-among-four': {
    title: 'More than three concurrent requests with one id are not kept apart.',
    breaks: ['state/equal-ids-side-by-side'],
    replace: (steps, tools) => {
      const createDuplicate = creatingDuplicates(steps, tools);
      const underWay = new Map<unknown, number>();
      return {
        async create(plant, request) {
          const place = (underWay.get(plant.id) ?? 0) + 1;
          underWay.set(plant.id, place);
          await sleep(GAP_MS);
          underWay.delete(plant.id);
          return place <= IN_ORDER ? steps.create(plant, request) : createDuplicate(plant, request);
        },
      };
    },
  },
  'exhausts-a-pool-on-duplicates': {
    title: 'Each rejected duplicate keeps a connection to the database, until there is none left.',
    breaks: ['success/valid-plant-is-processed', 'state/bad-request-spoils-nothing'],
    replace: ({ create, reject }) => {
      let kept = 0;
      return {
        create(plant, request) {
          if (kept >= POOL) throw new Error('no connection is left');
          return create(plant, request);
        },
        reject(rejection, request) {
          if (rejection.reason === 'id-duplicate') kept++;
          return reject(rejection, request);
        },
      };
    },
  },
  'shows-last-plant-in-errors': {
    title: 'The message of an Error names the plant that was created last.',
    breaks: ['state/answers-do-not-mix'],
    replace: ({ create, reject }) => {
      let last = '';
      return {
        async create(plant, request) {
          const created = await create(plant, request);
          if (!(created instanceof Rejection)) last = `; the last plant is ${created.name}`;
          return created;
        },
        reject: ({ reason, message }, request) => reject(new Rejection(reason, message + last), request),
      };
    },
  },
  'reads-first-chunk': {
    title: 'Of a body in chunks, only the first chunk is read.',
    breaks: ['request/transfer-makes-no-difference'],
    replace: readsPieces(({ headers, body }, [first = body]) =>
      headerValues(headers, 'transfer-encoding').length > 0 ? first : body,
    ),
  },
  'decodes-each-segment': {
    title: 'Each part of the body is decoded on its own, so characters on an edge are lost.',
    breaks: ['success/texts-come-back'],
    replace: readsPieces(({ body }, pieces) =>
      pieces.length < 2 ? body : Buffer.from(pieces.map((piece) => Buffer.from(piece).toString()).join('')),
    ),
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
  'resets-chunked-bodies': {
    title: 'A body in chunks gets a connection reset.',
    breaks: ['success/valid-plant-is-processed'],
    replace: ({ deliver }) => ({
      deliver(response, request) {
        const isChunked = headerValues(request.headers, 'transfer-encoding').length > 0;
        return isChunked ? { ...response, delivery: 'reset' } : deliver(response, request);
      },
    }),
  },
  'creates-twice-now-and-then': {
    title:
      'Every 17th creation is done twice, as by a gateway that sends it again. The second one gets the response.',
    breaks: ['state/no-intermittent-failures'],
    replace: ({ create }) => {
      let creations = 0;
      return {
        async create(plant, request) {
          const created = await create(plant, request);
          return ++creations % 17 === 0 ? create(plant, request) : created;
        },
      };
    },
  },
} satisfies Faults;
