// @ts-check
import { mutated } from '../../torture/mutate.mjs';
import { edited } from './json-text.mjs';
import { one, some, sometimes } from './pick.mjs';

/** @typedef {import('../run.mjs').Random} Random */

/** A value of these stands for itself in the pact, without `JSON.stringify`. */
const BODIES = [
  '{"name":"Aloe","id":7}',
  '{"name":"Aloe","id":7,"tag":"succulent"}',
  '{"name":"Aloe"}',
  '{"name":"Aloe","id":9223372036854775807}',
  '{"name":"Aloe","id":9223372036854775808}',
  '{"id":1.0,"name":null,"other":[1,{"a":2}]}',
  '{"name":"a","name":"b","id":1e400}',
  '{"error":"a","message":"b"}',
  '{"content":{"name":"Aloe","id":7},"contentType":"application/json","encoded":false}',
  '{"content":"eyJuYW1lIjoiQWxvZSJ9","contentType":"application/json","encoded":"base64"}',
  '{"content":"{\\"name\\":\\"Aloe\\",\\"id\\":7}","encoded":"JSON"}',
  '"{\\"name\\":\\"Aloe\\"}"',
  '"text"',
  '""',
  'null',
  '[]',
  '7',
];
const HEADERS = [
  ['Authorization', 'Bearer example'],
  ['authorization', 'Basic YTpi'],
  ['Content-Type', 'application/json'],
  ['content-type', ['application/json; charset=utf-8']],
  ['Accept', '*/*'],
  ['X-A', 7],
  ['X-B', null],
  ['X-C', ['a', 'b']],
];
const MATCHES = [
  { match: 'type' },
  { match: 'type', min: 1, max: 3 },
  { match: 'regex', regex: 'Bearer .+' },
  { match: 'regex', regex: '^[a-z]{1,8}$' },
  { match: 'regex', regex: '([a-z' },
  { regex: '\\d+' },
  { match: 'integer' },
  { match: 'number' },
  { match: 'equality' },
  { match: 'include', value: 'a' },
  { match: 'null' },
  { match: 'statusCode', status: 'clientError' },
  { match: 'statusCode', status: [200, 201] },
  { match: 'eachKey', rules: [{ match: 'type' }] },
  { match: 'date', format: 'yyyy' },
  { match: 'unknown' },
  { min: 1 },
  {},
  null,
];
const PATHS = [
  '$.body.name',
  '$.body.id',
  '$.body',
  '$.body.tag',
  '$.body[*].a',
  "$.body['name']",
  '$.headers.Authorization',
  '$.path',
  '$.body.*',
  '$..a',
  '$',
  '',
  '$.body.',
];
const NEW_PATHS = [
  '$.name',
  '$.id',
  '$',
  '$.tag',
  '$.*',
  "$['name']",
  '$.other[0]',
  '$.other[*].a',
  '$[',
  '',
];
const METHODS = ['POST', 'POST', 'POST', 'post', 'GET', 7, null];
const TARGETS = ['/plants', '/plants', '/plants', '/v1/plants', '/', '', null, 7];
const STATUSES = [200, 200, 400, 401, 409, 500, '200', null, 200.5];
const QUERIES = ['a=b', { a: ['b'] }, '', {}, null, [], 7];
const STATES = [
  { providerState: 'a plant 7 exists' },
  { providerState: null },
  { providerStates: [{ name: 'a plant exists', params: { id: 7 } }] },
  { providerStates: [{ name: 'the token is invalid' }, {}, null] },
  { providerStates: 'no' },
];
const GENERATORS = [
  { body: { '$.id': { type: 'RandomInt', min: 1, max: 9 } } },
  { body: { '$.name': { type: 'Regex', regex: '[a-z]+' } } },
  { header: { Authorization: { type: 'ProviderState', expression: 'Bearer token' } } },
  { '$.body.id': { type: 'RandomInt' } },
  { body: null },
  null,
];
const PARTIES = [{ name: 'shop' }, { name: 'shop' }, { name: 'shop' }, { name: '' }, {}, null];
const METADATA = [
  { pactSpecification: { version: '2.0.0' } },
  { pactSpecification: { version: '3.0.0' } },
  { pactSpecification: { version: '4.0' } },
  { 'pact-specification': { version: '1.0.0' } },
  { pactSpecificationVersion: '2.0' },
  { pactSpecification: { version: '4.0' }, plugins: [{ name: 'csv', version: '1' }, null] },
  null,
];

/**
 * The bytes of a pact of any specification, with odd values in odd places.
 *
 * @param {Random} random
 * @returns {Buffer}
 */
export function pactBytes(random) {
  /** @type {Map<string, string>} */
  const bodies = new Map();
  const body = () => {
    const place = `@${bodies.size}@`;
    bodies.set(place, one(BODIES, random));
    return place;
  };
  const maybe = (/** @type {number} */ share, /** @type {() => object} */ make) =>
    random() < share ? make() : {};
  const match = () => one(MATCHES, random);
  const matchers = () =>
    Object.fromEntries(
      some(2, random, () => [one(NEW_PATHS, random), { combine: 'AND', matchers: some(2, random, match) }]),
    );
  const rules = () =>
    sometimes(
      0.4,
      random,
      () => ({
        body: matchers(),
        header: { Authorization: { matchers: [match()] } },
        ...maybe(0.3, () => ({ path: { matchers: [match()] } })),
        ...maybe(0.3, () => ({ status: { matchers: [match()] } })),
      }),
      () => Object.fromEntries(some(3, random, () => [one(PATHS, random), match()])),
    );
  const message = () => ({
    ...maybe(0.8, () => ({
      headers: sometimes(
        0.05,
        random,
        () => Object.fromEntries(some(3, random, () => one(HEADERS, random))),
        () => null,
      ),
    })),
    ...maybe(0.8, () => ({ body: body() })),
    ...maybe(0.4, () => ({ matchingRules: rules() })),
    ...maybe(0.1, () => ({ generators: one(GENERATORS, random) })),
  });
  const interaction = () => ({
    ...maybe(0.2, () => ({ type: one(['Synchronous/HTTP', 'Asynchronous/Messages', 7], random) })),
    description: one(['a creation', 'a rejection', '', 'a\nb', 7], random),
    ...maybe(0.3, () => one(STATES, random)),
    ...maybe(0.1, () => ({ pending: true })),
    request: {
      method: one(METHODS.slice(0, random() < 0.9 ? 5 : 7), random),
      path: one(TARGETS.slice(0, random() < 0.9 ? 6 : 8), random),
      ...maybe(0.1, () => ({ query: one(QUERIES, random) })),
      ...message(),
    },
    response: {
      ...maybe(0.9, () => ({ status: one(STATUSES.slice(0, random() < 0.9 ? 6 : 9), random) })),
      ...message(),
    },
  });
  const pact = {
    consumer: one(PARTIES.slice(0, random() < 0.95 ? 3 : 6), random),
    provider: one(PARTIES.slice(0, random() < 0.95 ? 3 : 6), random),
    interactions: sometimes(
      0.02,
      random,
      () => some(3, random, interaction),
      () => null,
    ),
    metadata: one(METADATA, random),
  };
  const text = JSON.stringify(pact, null, random() < 0.3 ? 1 : 0).replace(
    /"(@\d+@)"/g,
    (_, place) => bodies.get(place) ?? '',
  );
  const change = random();
  if (change < 0.6) return Buffer.from(text);
  if (change < 0.7) return Buffer.from(edited(text, random));
  return mutated(text, random);
}
