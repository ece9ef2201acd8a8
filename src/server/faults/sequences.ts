import { setTimeout as sleep } from 'node:timers/promises';
import { exactNumber, type JsonObject } from '../../validation/json-value.js';
import { type ErrorName, isRejected, Rejection } from '../error-codes.js';
import type { Steps } from '../steps.js';
import type { PlantMap } from '../store.js';
import type { Faults, FaultTools } from './names.js';
import { creatingDuplicates, useUp } from './state.js';

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

/** How many plants may be created at once. Each rejected duplicate keeps a place, and these are left in the end. */
const PLACES = 22;
/** A plant keeps its place for so long that plants which are sent at once meet, on a busy machine too. */
const PLACE_MS = 40;
const PLACES_LEFT = 2;
const NO_PLACE = 'the store has no place';

/** A request depends on those before it, or on how many there were. */
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
  'knows-only-the-last-id': {
    title: 'A duplicate id is rejected only if no other plant was created since.',
    breaks: ['state/duplicates-are-treated-alike'],
    replace: (steps, tools) => {
      const createDuplicate = creatingDuplicates(steps, tools);
      let last: unknown;
      return {
        create(plant, request) {
          const create = plant.id === last ? steps.create : createDuplicate;
          last = plant.id;
          return create(plant, request);
        },
      };
    },
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
  'leaks-places-for-plants': {
    title: 'Each rejected duplicate keeps a place, until few plants can be created at once.',
    breaks: ['state/concurrent-plants-are-accepted'],
    replace: ({ create, reject }) => {
      let kept = 0;
      let underWay = 0;
      return {
        async create(plant, request) {
          if (underWay >= Math.max(PLACES_LEFT, PLACES - kept))
            return new Rejection('body-too-large', NO_PLACE);
          underWay++;
          await sleep(PLACE_MS);
          underWay--;
          return create(plant, request);
        },
        reject(rejection, request) {
          if (rejection.reason === 'id-duplicate') kept++;
          const response = reject(rejection, request);
          return rejection.message === NO_PLACE ? { ...response, status: 413 } : response;
        },
      };
    },
  },
} satisfies Faults;
