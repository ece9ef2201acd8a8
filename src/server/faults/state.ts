import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant } from '../../spec/types.js';
import type { JsonObject } from '../../validation/json-value.js';
import { validateNewPlant } from '../../validation/schema.js';
import { isRejected, Rejection } from '../error-codes.js';
import { correctSteps, type Steps } from '../steps.js';
import type { PlantMap } from '../store.js';
import type { Faults, FaultTools } from './names.js';

/** Uses the id of a rejected plant up, if it is an id. A plant that has it already stays as it is. */
export function useUp(id: unknown, plants: PlantMap): void {
  const plant = { name: '', id } as NewPlant;
  if (validateNewPlant(plant).length === 0 && plants.get(plant.id) === undefined) plants.set(plant);
}

/** Creates a plant as the step does, but also if its id exists already. */
export function creatingDuplicates({ create }: Steps, { settings, plants }: FaultTools): Steps['create'] {
  const replacing = correctSteps({ ...settings, duplicateId: 'replace' }, plants);
  return async (plant, request) => {
    const created = await create(plant, request);
    return isRejected(created, 'id-duplicate') ? replacing.create(plant, request) : created;
  };
}

/** Long enough that concurrent requests overlap. */
const GAP_MS = 20;

/** One request affects another. */
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
  'trips-over-bad-requests': {
    title: 'After malformed JSON, the next valid request is rejected.',
    breaks: ['state/bad-request-spoils-nothing', 'state/no-intermittent-failures'],
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
} satisfies Faults;
