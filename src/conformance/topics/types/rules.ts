import { rejects } from '../../rules/acceptance.js';
import { NEW_PLANT, PLANT, RESOURCES } from '../../rules/sources.js';
import { DUPLICATE_PROBES } from '../state/duplicates.js';

/** What the interface demands of the types of a body and its fields, and of the fields that are required. */
export const typeRules = [
  rejects({
    id: 'request/body-is-an-object',
    title: 'JSON that is not an object is rejected.',
    level: 'documented',
    source: { section: 'Endpoints', pointer: `${PLANT}/type` },
    why: 'The request body is an object with the members of a NewPlant.',
    usualCause: 'An array is unwrapped, or members are read from a value that has none.',
    fix: 'Check first that the body is an object.',
  }),
  rejects({
    id: 'request/name-is-required',
    title: 'A plant without a name is rejected.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${PLANT}/required/0` },
    why: '"name" is required in NewPlant.',
    usualCause: 'A missing name becomes an empty string.',
    fix: 'Reject a plant without a name. Do not read a missing field as an empty one.',
  }),
  rejects({
    id: 'request/id-is-required',
    title: 'A plant without an id is rejected.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${NEW_PLANT}/required/0` },
    why: '"id" is required in NewPlant.',
    usualCause: 'A missing id becomes 0, or the store generates one.',
    fix: 'Reject a plant without an id. Do not read a missing field as 0.',
    dependsOn: DUPLICATE_PROBES,
  }),
  rejects({
    id: 'request/name-is-a-string',
    title: 'A name that is not a string is rejected.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${PLANT}/properties/name/type` },
    why: '"name" is a string.',
    usualCause: 'The framework converts other types to strings.',
    fix: 'Disable type conversion, or check the types before the fields are bound.',
  }),
  rejects({
    id: 'request/tag-is-a-string',
    title: 'A tag that is a number, a boolean, an array or an object is rejected.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${PLANT}/properties/tag/type` },
    why: '"tag" is a string, or it is missing.',
    usualCause: 'The framework converts other types to strings.',
    fix: 'Disable type conversion, or check the types before the fields are bound.',
  }),
  rejects({
    id: 'request/null-tag-is-refused',
    title: 'A tag of null is rejected.',
    level: 'implied',
    source: { section: RESOURCES, pointer: `${PLANT}/properties/tag/type` },
    why: '"tag" is a string, or it is missing. null is a value of its own in JSON: not a string, and a member that is null is there. OpenAPI 3.0 allows null only where a schema says "nullable", and this one does not.',
    usualCause: 'The framework reads null as a missing field.',
    fix: 'Reject null, or ask whether the member is there before you read its value.',
  }),
  rejects({
    id: 'request/id-is-an-integer',
    title: 'An id that is not an integer is rejected.',
    level: 'documented',
    source: { section: RESOURCES, pointer: `${NEW_PLANT}/properties/id/type` },
    why: '"id" is an integer. Digits in quotes are a string.',
    usualCause: 'The framework converts strings to numbers, or cuts off fractions.',
    fix: 'Disable type conversion, and reject every id that is not an integer.',
    dependsOn: DUPLICATE_PROBES,
  }),
];
