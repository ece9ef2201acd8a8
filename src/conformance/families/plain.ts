import { singleRequestProbes } from '../probe.js';
import { creation, PLAIN_TAG } from './requests.js';

const control = singleRequestProbes('created', 'control');

/** The plainest plant of all. */
export const plainPlant = control('plain-plant', 'a plain plant without a tag', (values) => creation(values));

/** The plainest plants. They are the controls of most probes. */
export const plainProbes = [
  plainPlant,
  control('plain-plant-with-tag', 'a plain plant with a tag', (values) =>
    creation(values, { tag: PLAIN_TAG }),
  ),
];
