import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant } from '../../spec/types.js';
import { isRejected, Rejection } from '../error-codes.js';
import type { Faults } from './names.js';

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
        if (isRejected(plant, 'tag-invalid')) {
          const { name, id } = value as NewPlant;
          plants.set({ name, id });
        }
        return plant;
      },
    }),
  },
  'races-equal-ids': {
    title: 'A duplicate id is rejected in sequential requests, but not in concurrent requests.',
    breaks: ['state/equal-ids-side-by-side'],
    replace: ({ create }, { plants }) => ({
      async create(plant, request) {
        if (plants.has(plant.id)) return create(plant, request);
        await sleep(GAP_MS);
        plants.set(plant);
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
  'shows-last-plant-in-errors': {
    title: 'The message of an Error names the plant that was created last.',
    breaks: ['state/answers-do-not-mix'],
    replace: ({ create, reject }) => {
      let last = '';
      return {
        async create(plant, request) {
          const created = await create(plant, request);
          if (!(created instanceof Rejection)) last = created.name;
          return created;
        },
        reject: ({ reason, message }, request) =>
          reject(new Rejection(reason, `${message}; the last plant is ${last}`), request),
      };
    },
  },
  'trips-over-bad-requests': {
    title: 'After malformed JSON, the next valid request is rejected.',
    breaks: ['state/bad-request-spoils-nothing'],
    replace: ({ readBody }) => {
      let tripped = false;
      return {
        readBody(request) {
          const value = readBody(request);
          const wasTripped = tripped;
          tripped = isRejected(value, 'json-malformed');
          return wasTripped && !tripped
            ? new Rejection('json-malformed', 'the server has not recovered yet')
            : value;
        },
      };
    },
  },
} satisfies Faults;
