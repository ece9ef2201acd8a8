import { setTimeout as sleep } from 'node:timers/promises';
import { headerValues } from '../../../src/http/fields.js';
import { type ErrorName, isRejected, Rejection } from '../../../src/server/error-codes.js';
import type { IncomingRequest } from '../../../src/server/exchange.js';
import type { FaultTools } from '../../../src/server/faults/fault.js';
import { useUp } from '../../../src/server/faults/state.js';
import type { Steps } from '../../../src/server/steps.js';
import type { NewPlant } from '../../../src/spec/types.js';
import type { JsonObject } from '../../../src/validation/json-value.js';
import { breaking } from './breaking.js';
import { creatingDuplicates, readsPieces } from './simple/state.js';

/** Uses an id up although the plant is rejected for this reason. */
function keeps(reason: ErrorName, idOf: (id: unknown) => unknown) {
  return ({ validate }: Steps, { plants }: FaultTools): Partial<Steps> => ({
    validate(value, request) {
      const plant = validate(value, request);
      if (isRejected(plant, reason)) useUp(idOf((value as JsonObject).id), plants);
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

/** Fails on some requests, before their body is read. */
function throwsOn(isFatal: (request: IncomingRequest) => boolean) {
  return ({ readBody }: Steps): Partial<Steps> => ({
    readBody(request) {
      if (isFatal(request)) throw new Error('an exception was not caught');
      return readBody(request);
    },
  });
}

/** Long enough that concurrent requests overlap. */
const GAP_MS = 10;
/** How many requests wait for one id in order. */
const IN_ORDER = 3;
/** The connections of a pool. Each rejected duplicate keeps one. */
const POOL = 10;
const LEFT_UNREAD = 16_384;

/** A request depends on others, on how it is transferred, or on how many there were. */
export const sequenceFaults = {
  ...breaking(['state/refused-plant-is-not-stored'], {
    'keeps-plants-with-wrong-names': keeps('name-invalid', (id) => id),
    'keeps-ids-in-quotes': keeps('id-invalid', (id) =>
      typeof id === 'string' && /^-?\d+$/.test(id) ? BigInt(id) : undefined,
    ),
    'keeps-plants-without-tokens': ({ authenticate, readBody }, { plants }) => ({
      async authenticate(request) {
        const rejection = await authenticate(request);
        if (isRejected(rejection, 'authorization-missing'))
          useUp(Object(readBody(request) as JsonObject).id, plants);
        return rejection;
      },
    }),
    // Of an id outside int64, the id with the same 64 bits.
    'keeps-ids-in-64-bits': keeps('id-out-of-range', (id) =>
      /^-?\d+$/.test(String(id)) ? BigInt.asIntN(64, BigInt(String(id))) : undefined,
    ),
  }),
  ...breaking(['state/bad-request-spoils-nothing'], {
    'trips-over-missing-bodies': tripsAfter('body-missing'),
    'trips-over-missing-names': tripsAfter('name-missing'),
    // A long body that is rejected is left unread, and taken for the next request on the connection.
    'leaves-bodies-on-connections': ({ route, reject }) => {
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
  }),
  ...breaking(['success/name-comes-back', 'success/texts-come-back'], {
    // A plant whose name differs only in case or in its normal form comes back with the name of the first.
    'finds-names-in-any-spelling': ({ create }) => {
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
  }),
  ...breaking(['success/absent-tag-stays-absent'], {
    // A plant without a tag gets that of the plant before it, if that has its name. Which plants share a connection differs
    // from check to check, except those of one sequence.
    'keeps-tags-on-connections': ({ create }) => {
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
  }),
  ...breaking(['failure/everyday-request-is-answered', 'state/equal-ids-side-by-side'], {
    // As a handler does that does not catch the error of the database.
    'fails-on-duplicates': ({ create }) => ({
      async create(plant, request) {
        const created = await create(plant, request);
        if (isRejected(created, 'id-duplicate')) throw new Error('UNIQUE constraint failed: plants.id');
        return created;
      },
    }),
  }),
  ...breaking(['failure/everyday-request-is-answered'], {
    'hangs-on-duplicates': ({ create }) => ({
      async create(plant, request) {
        const created = await create(plant, request);
        return isRejected(created, 'id-duplicate') ? new Promise<never>(() => {}) : created;
      },
    }),
  }),
  ...breaking(['state/equal-ids-side-by-side'], {
    'races-among-four': (steps, tools) => {
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
  }),
  ...breaking(
    [
      'failure/everyday-request-is-answered',
      'failure/rare-input-is-answered',
      'state/bad-request-spoils-nothing',
      'state/concurrent-plants-are-accepted',
      'state/equal-ids-side-by-side',
      'success/valid-plant-is-processed',
    ],
    {
      // A lockout is a 4xx.
      'fails-after-wrong-tokens': ({ authenticate, create }) => {
        let isBroken = false;
        return {
          async authenticate(request) {
            const rejection = await authenticate(request);
            isBroken ||= isRejected(rejection, 'token-wrong');
            return rejection;
          },
          create: (plant, request) => {
            if (isBroken) throw new Error('the table of tokens is locked');
            return create(plant, request);
          },
        };
      },
    },
  ),
  ...breaking(
    [
      'failure/everyday-request-is-answered',
      'success/valid-plant-is-processed',
      'state/bad-request-spoils-nothing',
      'state/concurrent-plants-are-accepted',
    ],
    {
      'exhausts-a-pool-on-duplicates': ({ create, reject }) => {
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
  ),
  ...breaking(['state/answers-do-not-mix'], {
    'shows-last-plant-in-errors': ({ create, reject }) => {
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
  }),
  ...breaking(['request/transfer-makes-no-difference'], {
    'reads-first-chunk': readsPieces(({ headers, body }, [first = body]) =>
      headerValues(headers, 'transfer-encoding').length > 0 ? first : body,
    ),
  }),
  ...breaking(['success/texts-come-back'], {
    // Each part on its own, so characters on an edge are lost.
    'decodes-each-segment': readsPieces(({ body }, pieces) =>
      pieces.length < 2 ? body : Buffer.from(pieces.map((piece) => Buffer.from(piece).toString()).join('')),
    ),
  }),
  ...breaking(['success/valid-plant-is-processed'], {
    // Others are served meanwhile, so it is no limit.
    'is-always-busy-with-colours': ({ deliver }) => ({
      deliver(response, request) {
        const isMeant = Buffer.from(request.body ?? []).includes('"colour":"green"');
        return deliver(isMeant ? { ...response, status: 503 } : response, request);
      },
    }),
    'fails-on-expect': throwsOn(({ headers }) => headerValues(headers, 'expect').length > 0),
    'fails-on-http-1-0': throwsOn(({ httpVersion }) => httpVersion === '1.0'),
  }),
};
