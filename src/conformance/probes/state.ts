import { defineProbe, type Probe } from '../probe.js';
import { creation, creationWith, PLAIN_TAG, requestWith, withAuthorization } from './requests.js';
import { PLAIN_PLANT } from './valid.js';

/** Shows whether a repeated id is refused, on which what other probes prove depends. */
export const REPEATED_ID = 'repeated-id';
/** Shows whether names have to be unique. */
export const REPEATED_NAME = 'repeated-name';
/** Requests that meet: with one id, and with different ones. */
export const EQUAL_IDS = 'equal-ids-side-by-side';
export const DIFFERENT_IDS = 'different-ids-side-by-side';

const repeated = [
  defineProbe({
    name: REPEATED_ID,
    title: 'a plant, the same again, and another with its id',
    expectation: 'open',
    phase: 'state',
    requests(material) {
      const first = creation(material);
      const { plant, ...again } = { ...first, mayBeTaken: true };
      const { plant: other, ...otherName } = {
        ...creation(material, { id: first.id ?? 0 }),
        mayBeTaken: true,
      };
      return [{ ...first, expectation: 'created' }, again, otherName];
    },
  }),
  defineProbe({
    name: REPEATED_NAME,
    title: 'a plant, and another with its name and a tag',
    expectation: 'open',
    phase: 'state',
    requests(material) {
      const first = creation(material);
      return [
        { ...first, expectation: 'created' },
        creation(material, { name: first.plant?.name ?? '', tag: PLAIN_TAG }),
      ];
    },
  }),
];

const recovery = [
  defineProbe({
    name: 'good-after-malformed-json',
    title: 'malformed JSON, then a plain plant',
    expectation: 'created',
    control: PLAIN_PLANT,
    phase: 'recovery',
    requests: (material) => [
      { ...requestWith(material, (name, id) => `{"name":${name},"id":${id}`), expectation: 'refused' },
      creation(material),
    ],
  }),
  defineProbe({
    name: 'good-after-wrong-type',
    title: 'a plant whose name is a number, then a plain plant',
    expectation: 'created',
    control: PLAIN_PLANT,
    phase: 'recovery',
    requests: (material) => [
      { ...creationWith(material, { name: '7' }), expectation: 'refused' },
      creation(material),
    ],
  }),
];

const refusedFirst = [
  defineProbe({
    name: 'created-after-wrong-tag',
    title: 'a plant whose tag is a number, then a valid one with its id',
    expectation: 'created',
    control: PLAIN_PLANT,
    phase: 'state',
    requests(material) {
      const refused = creationWith(material, { tag: '7' });
      return [{ ...refused, expectation: 'refused' }, creation(material, { id: refused.id ?? 0 })];
    },
  }),
  defineProbe({
    name: 'created-after-missing-token',
    title: 'a plant without an Authorization header, then with one',
    expectation: 'created',
    control: PLAIN_PLANT,
    phase: 'state',
    requests(material) {
      const request = creation(material);
      return [{ ...withAuthorization(request), expectation: 'refused' }, request];
    },
  }),
];

const sideBySide = [
  defineProbe({
    name: EQUAL_IDS,
    title: 'three plants with one id at once',
    expectation: 'open',
    phase: 'state',
    together: true,
    requests(material) {
      const id = material.freshId();
      return [1, 2, 3].map(() => ({ ...creation(material, { id }), mayBeTaken: true }));
    },
  }),
  defineProbe({
    name: DIFFERENT_IDS,
    title: 'five plants at once',
    expectation: 'created',
    phase: 'state',
    together: true,
    requests: (material) => [1, 2, 3, 4, 5].map(() => creation(material)),
  }),
];

/** Sequences, and requests that meet. */
export const stateProbes: readonly Probe[] = [...recovery, ...repeated, ...refusedFirst, ...sideBySide];
