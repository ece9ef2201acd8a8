import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant } from '../../spec/types.js';
import type { JsonObject } from '../../validation/json-value.js';
import { validateNewPlant } from '../../validation/schema.js';
import { isRejected, Rejection } from '../error-codes.js';
import type { OutgoingResponse } from '../exchange.js';
import type { PlantMap } from '../plants.js';
import type { Steps } from '../steps.js';
import type { Faults } from './fault.js';

/** Uses the id of a rejected plant up, if it is an id. A plant that has it already stays as it is. */
export function useUp(id: unknown, plants: PlantMap): void {
  const plant = { name: '', id } as NewPlant;
  if (validateNewPlant(plant).length === 0 && plants.get(plant.id) === undefined) plants.set(plant);
}

/** Changes how the response to malformed JSON is sent. */
export function onMalformedJson(delivery: OutgoingResponse['delivery'] & string) {
  return ({ reject }: Steps): Partial<Steps> => ({
    reject: (rejection: Rejection, request) => ({
      ...reject(rejection, request),
      ...(isRejected(rejection, 'json-malformed') && { delivery }),
    }),
  });
}

/** Long enough that concurrent requests overlap. */
const GAP_MS = 20;

/** A response depends on other requests or on how a message is transferred, or it is missing or incomplete. */
export const stateFaults = {
  'keeps-refused-plants': {
    title: 'A plant with an invalid tag is rejected, but its id is used up.',
    breaks: ['state/refused-plant-is-not-stored'],
    replace: ({ validate }, { plants }) => ({
      validate(value, request) {
        const plant = validate(value, request);
        if (isRejected(plant, 'tag-invalid')) useUp((value as JsonObject).id, plants);
        return plant;
      },
    }),
  },
  'mixes-answers': {
    title: 'Concurrent creations all get the response of the last one.',
    breaks: ['state/answers-do-not-mix'],
    replace: ({ create }) => {
      let last: NewPlant;
      return {
        async create(plant, request) {
          const created = await create(plant, request);
          if (created instanceof Rejection) return created;
          last = created;
          await sleep(GAP_MS);
          return last;
        },
      };
    },
  },
  'hangs-on-malformed-json': {
    title: 'Malformed JSON gets no response.',
    breaks: ['failure/refusal-is-4xx', 'failure/rare-input-is-answered'],
    replace: onMalformedJson('hang'),
  },
  'truncates-answers': {
    title: 'The response to a creation ends in the middle of its body.',
    breaks: ['success/body-comes-whole'],
    replace: ({ render }) => ({
      render: (plant, request) => ({ ...render(plant, request), delivery: 'truncate' }),
    }),
  },
  'fails-now-and-then': {
    title: 'Every 61st creation gets a 500.',
    breaks: ['state/no-intermittent-failures'],
    replace: ({ create }) => {
      let creations = 0;
      return {
        create: async (plant, request) =>
          ++creations % 61 === 0
            ? new Rejection('internal-error', 'the database failed')
            : await create(plant, request),
      };
    },
  },
} satisfies Faults;
