import { defineProbe } from '../probe.js';
import { creation, PLAIN_NAME, PLAIN_TAG } from '../requests.js';

/** The controls of all others: the plainest plants there are. */
export const validProbes = [
  defineProbe({
    name: 'plain-plant',
    title: 'a plain plant without a tag',
    kind: 'valid',
    phase: 'control',
    requests: (material) => [creation(material, { name: PLAIN_NAME, id: material.freshId() })],
  }),
  defineProbe({
    name: 'plain-plant-with-tag',
    title: 'a plain plant with a tag',
    kind: 'valid',
    phase: 'control',
    requests: (material) => [
      creation(material, { name: PLAIN_NAME, id: material.freshId(), tag: PLAIN_TAG }),
    ],
  }),
];
