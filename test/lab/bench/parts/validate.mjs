// The deep paths that src/validation/prism.ts imports, without what it does around them.
import { getHttpOperationsFromSpec } from '@stoplight/prism-http/dist/utils/operations.js';
import { validateOutput } from '@stoplight/prism-http/dist/validator/index.js';
import { Ajv } from 'ajv';
import { openApiDocument } from 'plant-store-contract/spec';
import { validateResponse } from 'plant-store-contract/validation';
import { measurePairs } from '../pairs.mjs';
import { repeated } from '../repeat.mjs';
import { timesAsFast, timesAsLong } from '../rows.mjs';

const HEADERS = { 'content-type': 'application/json' };
/** Several, with and without a tag, so that the compiler cannot specialise on one. */
const PLANTS = ['Aloe', 'Fern', 'Ivy', 'Monstera deliciosa'].flatMap((name) => [
  { name },
  { name, tag: 'succulent' },
]);
const BODIES = PLANTS.map((plant) => Buffer.from(JSON.stringify(plant)));

const PRISM_TURNS = 1_000;
/** Ours is much faster: with more turns, a slice of each takes about as long. */
const OUR_TURNS = 40_000;
const SLICES = 10;
const WARM_UP_SLICES = 10;

/** What most tests do with a response: a plain parse, and a schema. It does not look at the status or the headers. */
const isPlant = new Ajv().compile({
  ...openApiDocument.components.schemas.Plant,
  additionalProperties: false,
});

/** Judging whole responses that conform, over Prism doing the same, and over a plain schema. */
export async function validate() {
  const [resource] = await getHttpOperationsFromSpec(structuredClone(openApiDocument));
  const opinion = (turn) =>
    validateOutput({
      resource,
      element: { statusCode: 200, headers: HEADERS, body: PLANTS[turn % PLANTS.length] },
    });
  const ours = (bodies) => (turn) =>
    validateResponse({ status: 200, headers: HEADERS, body: bodies[turn % bodies.length] });
  if (opinion(0)._tag !== 'Right' || ours(BODIES)(0).length > 0) throw new Error('both should find nothing');

  const prism = repeated(opinion, PRISM_TURNS);
  const rows = [];
  for (const [form, bodies] of [
    ['a parsed body', PLANTS],
    ['a body in bytes', BODIES],
  ]) {
    const slice = repeated(ours(bodies), OUR_TURNS);
    for (let i = 0; i < WARM_UP_SLICES; i++) prism() + slice();
    const pairs = await measurePairs(prism, slice, SLICES);
    rows.push(timesAsFast(`validate: validateResponse of ${form} / Prism's validateOutput`, pairs, 15));
  }
  const schema = repeated((turn) => isPlant(JSON.parse(BODIES[turn % BODIES.length].toString())), OUR_TURNS);
  const slice = repeated(ours(BODIES), OUR_TURNS);
  for (let i = 0; i < WARM_UP_SLICES; i++) schema() + slice();
  const pairs = await measurePairs(schema, slice, SLICES);
  rows.push(timesAsLong('validate: validateResponse of a body in bytes / JSON.parse and Ajv', pairs));
  return rows;
}
