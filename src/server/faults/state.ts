import { setTimeout as sleep } from 'node:timers/promises';
import type { NewPlant } from '../../spec/types.js';
import { isRefused, Refusal } from '../error-codes.js';
import { defineFault } from './fault.js';

/** Long enough that requests which arrive together meet. */
const GAP_MS = 20;

/** One request has to do with another. */
export const stateFaults = [
  defineFault({
    name: 'keeps-refused-plants',
    title: 'A plant with a wrong tag is refused, but its id is taken from then on.',
    breaks: ['state/refused-plant-is-not-stored'],
    replace: ({ validate }, { plants }) => ({
      validate(value, request) {
        const plant = validate(value, request);
        if (isRefused(plant, 'tag-invalid')) {
          const { name, id } = value as NewPlant;
          plants.set({ name, id });
        }
        return plant;
      },
    }),
  }),
  defineFault({
    name: 'races-equal-ids',
    title: 'Two creations of one id at the same time both succeed, though one after the other does not.',
    breaks: ['state/equal-ids-side-by-side'],
    replace: ({ create }, { plants }) => ({
      async create(plant, request) {
        if (plants.has(plant.id)) return create(plant, request);
        await sleep(GAP_MS);
        plants.set(plant);
        return plant;
      },
    }),
  }),
  defineFault({
    name: 'mixes-answers',
    title: 'Of creations at the same time, all get the answer of the last.',
    breaks: ['state/answers-do-not-mix'],
    replace: ({ create }) => {
      let last: NewPlant;
      return {
        async create(plant, request) {
          const created = await create(plant, request);
          if (created instanceof Refusal) return created;
          last = created;
          await sleep(GAP_MS);
          return last;
        },
      };
    },
  }),
  defineFault({
    name: 'trips-over-bad-requests',
    title: 'After malformed JSON, the next good request is refused.',
    breaks: ['state/bad-request-spoils-nothing'],
    replace: ({ readBody }) => {
      let tripped = false;
      return {
        readBody(request) {
          const value = readBody(request);
          const wasTripped = tripped;
          tripped = isRefused(value, 'json-malformed');
          return wasTripped && !tripped
            ? new Refusal('json-malformed', 'the server has not recovered yet')
            : value;
        },
      };
    },
  }),
];
