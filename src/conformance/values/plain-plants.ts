import { PLAIN_PLANT, PLAIN_PLANT_WITH_TAG, probeOf, type Row } from '../row.js';

/** The plainest plants. They are the controls of most rows. */
export const WITHOUT_TAG: Row = {
  name: 'plain-plant',
  title: 'a plain plant without a tag',
  expectation: 'created',
  phase: 'control',
  rules: [],
  requests: [{ body: PLAIN_PLANT }],
};
export const WITH_TAG: Row = {
  name: 'plain-plant-with-tag',
  title: 'a plain plant with a tag',
  expectation: 'created',
  phase: 'control',
  rules: [],
  requests: [{ body: PLAIN_PLANT_WITH_TAG }],
};

/** The plainest plant of all. */
export const plainPlant = probeOf(WITHOUT_TAG);
/** Plain plants, the plainest first. */
export const plainPlants = [plainPlant, probeOf(WITH_TAG)];
