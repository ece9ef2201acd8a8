import { defineProbe } from '../probe.js';
import { probeFrom } from './draft.js';
import { creation } from './requests.js';
import { volumeDrafts } from './volume-drafts.js';

/** Requests at the same time. */
export const volumeProbes = [
  defineProbe({
    name: 'equal-ids-side-by-side',
    title: 'three plants with one id at the same time',
    expectation: 'open',
    phase: 'state',
    together: true,
    alone: true,
    requests(values) {
      const id = values.freshId();
      return [1, 2, 3].map(() => ({ ...creation(values, { id }), idMayExist: true }));
    },
  }),
  defineProbe({
    name: 'different-ids-side-by-side',
    title: 'five plants with different ids at the same time',
    expectation: 'created',
    phase: 'state',
    together: true,
    alone: true,
    requests: (values) => [1, 2, 3, 4, 5].map(() => creation(values)),
  }),
  ...volumeDrafts.map(probeFrom),
];
