import { setTimeout as sleep } from 'node:timers/promises';
import { isRejected, Rejection } from '../../../../src/server/error-codes.js';
import type { IncomingRequest } from '../../../../src/server/exchange.js';
import type { Faults, FaultTools } from '../../../../src/server/faults/fault.js';
import { onMalformedJson } from '../../../../src/server/faults/state.js';
import { correctSteps, type Steps } from '../../../../src/server/steps.js';
import type { NewPlant } from '../../../../src/spec/types.js';

/** Creates a plant as the step does, but also if its id exists already. */
export function creatingDuplicates({ create }: Steps, { settings, plants }: FaultTools): Steps['create'] {
  const replacing = correctSteps({ ...settings, duplicateId: 'replace' }, plants);
  return async (plant, request) => {
    const created = await create(plant, request);
    return isRejected(created, 'id-duplicate') ? replacing.create(plant, request) : created;
  };
}

/** Reads another body than the one that was received. */
export function readsPieces(
  bodyOf: (request: IncomingRequest, pieces: readonly Uint8Array[]) => Uint8Array | undefined,
) {
  return ({ readBody }: Steps): Partial<Steps> => ({
    readBody: (request) =>
      request.body === undefined
        ? readBody(request)
        : readBody({ ...request, body: bodyOf(request, request.pieces ?? []) }),
  });
}

/** Fails on a valid plant. */
function failsOn(isFatal: (plant: NewPlant) => boolean) {
  return ({ create }: Steps): Partial<Steps> => ({
    create: async (plant, request) =>
      isFatal(plant) ? new Rejection('internal-error', 'the database failed') : await create(plant, request),
  });
}

/** Long enough that concurrent requests overlap. */
const GAP_MS = 20;
/** How many plants may be created at once. Each rejected duplicate keeps a place, and these are left in the end. */
const PLACES = 22;
/** A plant keeps its place for so long that plants which are sent at once meet, on a busy machine too. */
const PLACE_MS = 40;
const PLACES_LEFT = 2;
const NO_PLACE = 'the store has no place';
/** The size of a buffer that overflows when it is full. */
const BUFFER = 4_096;

/** A response depends on other requests or on how a message is transferred, or it is missing or incomplete. */
export const stateFaults = {
  'races-equal-ids': {
    title: 'A duplicate id is rejected in sequential requests, but not in concurrent requests.',
    breaks: ['state/equal-ids-side-by-side'],
    replace: (steps, tools) => {
      const createDuplicate = creatingDuplicates(steps, tools);
      return {
        async create(plant, request) {
          if (tools.plants.get(plant.id) !== undefined) return steps.create(plant, request);
          await sleep(GAP_MS);
          return createDuplicate(plant, request);
        },
      };
    },
  },
  'trips-over-bad-requests': {
    title: 'After malformed JSON, the next valid request is rejected.',
    breaks: ['state/bad-request-spoils-nothing'],
    replace: ({ readBody, create }) => {
      let tripped = false;
      return {
        readBody(request) {
          const value = readBody(request);
          if (isRejected(value, 'json-malformed')) tripped = true;
          return value;
        },
        async create(plant, request) {
          if (!tripped) return await create(plant, request);
          tripped = false;
          return new Rejection('json-malformed', 'the server has not recovered yet');
        },
      };
    },
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
  'resets-on-malformed-json': {
    title: 'Malformed JSON gets a connection reset.',
    breaks: ['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
    replace: onMalformedJson('reset'),
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
    replace: readsPieces(({ body }, [first = body]) => first),
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
  'fails-on-nul': {
    title: 'A name with the character U+0000 gets a 500, as from a database that cannot store it.',
    breaks: ['success/valid-plant-is-processed'],
    replace: failsOn(({ name }) => name.includes('\0')),
  },
  'dies-at-request-60': {
    title: 'From the 60th request on, every connection is reset.',
    breaks: ['state/provider-keeps-responding'],
    replace: ({ deliver }) => {
      let requests = 0;
      return {
        deliver: (response, request) =>
          ++requests < 60 ? deliver(response, request) : { ...response, delivery: 'reset' },
      };
    },
  },
  'has-a-broken-shard': {
    title: 'Plants whose id is a multiple of 2^20 between 2^33 and 2^53 get a 500.',
    breaks: ['success/valid-plant-is-processed'],
    needsExploring: true,
    replace: failsOn(({ id }) => id > 2 ** 33 && id < 2 ** 53 && BigInt(id) % 2n ** 20n === 0n),
  },
} satisfies Faults;
