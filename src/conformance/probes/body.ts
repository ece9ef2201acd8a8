import type { ProbeRequest } from '../exchange.js';
import { defineProbe, type Probe, type ProbeMaterial } from '../probe.js';
import { creationWith, PLAIN_TAG, requestWith } from './requests.js';
import { PLAIN_PLANT, PLAIN_PLANT_WITH_TAG } from './valid.js';

/** Something else than a valid plant, in a request that is otherwise as it should be. */
function invalid(name: string, title: string, request: (material: ProbeMaterial) => ProbeRequest): Probe {
  return defineProbe({
    name,
    title,
    expectation: 'refused',
    phase: 'invalid',
    control: PLAIN_PLANT,
    requests: (material) => [request(material)],
  });
}

/** A body made of a fresh name, as JSON, and a fresh id. */
function body(
  name: string,
  title: string,
  text: (name: string, id: number) => string,
  mediaType?: string,
): Probe {
  return invalid(name, title, (material) => requestWith(material, text, mediaType));
}

/** A plain plant one of whose fields has another value; the value is given as JSON. */
function wrongField(field: 'name' | 'id' | 'tag', kind: string, value: string): Probe {
  const probe = invalid(`${field}-is-${kind}`, `a plant whose ${field} is ${value}`, (material) =>
    creationWith(material, { [field]: value }),
  );
  return field === 'tag' ? { ...probe, control: PLAIN_PLANT_WITH_TAG } : probe;
}

const notJson = [
  body(
    'malformed-json',
    'a plant whose JSON has no closing brace',
    (name, id) => `{"name":${name},"id":${id}`,
  ),
  body(
    'single-quotes',
    'a plant in single quotes',
    (name, id) => `{'name':'${name.slice(1, -1)}','id':${id}}`,
  ),
  body(
    'trailing-comma',
    'a plant with a comma after its last member',
    (name, id) => `{"name":${name},"id":${id},}`,
  ),
  body(
    'comment-in-json',
    'a plant with a comment in its JSON',
    (name, id) => `{"name":${name},/* */"id":${id}}`,
  ),
  body('text-for-json', 'plain text where JSON is announced', (name) => name.slice(1, -1)),
  body(
    'form-body',
    'a plant as the fields of a form',
    (name, id) => `name=${name.slice(1, -1)}&id=${id}`,
    'application/x-www-form-urlencoded',
  ),
  body(
    'xml-body',
    'a plant as XML',
    (name, id) => `<plant><name>${name.slice(1, -1)}</name><id>${id}</id></plant>`,
    'application/xml',
  ),
];

const moreThanJson = [
  body(
    'text-after-json',
    'a plant with a word after its JSON',
    (name, id) => `{"name":${name},"id":${id}} aloe`,
  ),
  body(
    'two-json-texts',
    'a plant whose JSON stands there twice',
    (name, id) => `{"name":${name},"id":${id}}{"name":${name},"id":${id}}`,
  ),
];

const otherJson = [
  body('body-is-null', 'the JSON value null', () => 'null'),
  body('body-is-boolean', 'the JSON value true', () => 'true'),
  body('body-is-text', 'a JSON string', (name) => name),
  body('body-is-number', 'a JSON number', (_name, id) => String(id)),
  body(
    'body-is-array',
    'a JSON array with a plain plant in it',
    (name, id) => `[{"name":${name},"id":${id}}]`,
  ),
];

const fields = [
  invalid('missing-name', 'a plant without a name', (material) =>
    creationWith(material, { name: undefined }),
  ),
  invalid('missing-id', 'a plant without an id', (material) => creationWith(material, { id: undefined })),
  invalid('empty-object', 'an object without any field', (material) =>
    creationWith(material, { name: undefined, id: undefined }),
  ),
  wrongField('name', 'null', 'null'),
  invalid('name-is-number', 'a plant whose name is a fresh number', (material) =>
    creationWith(material, { name: String(material.freshId()) }),
  ),
  wrongField('name', 'boolean', 'true'),
  invalid('name-is-array', 'a plant whose name is an array with a name in it', (material) =>
    creationWith(material, { name: `["${material.freshName()}"]` }),
  ),
  invalid('name-is-object', 'a plant whose name is an object with a name in it', (material) =>
    creationWith(material, { name: `{"en":"${material.freshName()}"}` }),
  ),
  invalid('id-is-text', 'a plant whose id is a fresh number as text', (material) => {
    const id = material.freshId();
    return { ...creationWith(material, { id: `"${id}"` }), id };
  }),
  wrongField('id', 'empty-text', '""'),
  wrongField('id', 'null', 'null'),
  wrongField('id', 'boolean', 'true'),
  invalid('id-is-fraction', 'a plant whose id is a fresh number and a half', (material) => {
    const id = material.freshId();
    return { ...creationWith(material, { id: `${id}.5` }), id };
  }),
  invalid('id-is-array', 'a plant whose id is an array with a fresh number in it', (material) => {
    const id = material.freshId();
    return { ...creationWith(material, { id: `[${id}]` }), id };
  }),
  wrongField('id', 'object', '{}'),
  wrongField('tag', 'null', 'null'),
  wrongField('tag', 'number', '7'),
  wrongField('tag', 'boolean', 'true'),
  wrongField('tag', 'array', `["${PLAIN_TAG}"]`),
  wrongField('tag', 'object', '{}'),
];

/** Bodies that are no NewPlant. */
export const bodyProbes: readonly Probe[] = [
  body('no-body', 'a request without a body', () => ''),
  ...notJson,
  ...moreThanJson,
  ...otherJson,
  ...fields,
];
