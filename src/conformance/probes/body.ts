import { defineProbe, type Probe, type ProbeMaterial } from '../probe.js';
import { creationWith, PLAIN_NAME, PLAIN_TAG, requestWithBody } from '../requests.js';

const NAME = JSON.stringify(PLAIN_NAME);

/** Something else than a valid plant, in a request that is otherwise as it should be. */
function invalidBody(
  name: string,
  title: string,
  request: (material: ProbeMaterial) => ReturnType<typeof requestWithBody>,
): Probe {
  return defineProbe({
    name,
    title,
    kind: 'invalid',
    phase: 'main',
    control: 'plain-plant',
    requests: (material) => [request(material)],
  });
}

/** A plain plant one of whose fields has another value; the value is given as JSON. */
function wrongField(field: 'name' | 'id' | 'tag', kind: string, value: string): Probe {
  const probe = invalidBody(`${field}-is-${kind}`, `a plant whose ${field} is ${value}`, (material) =>
    creationWith(material, { [field]: value }),
  );
  return field === 'tag' ? { ...probe, control: 'plain-plant-with-tag' } : probe;
}

export const bodyProbes = [
  invalidBody('no-body', 'a request without a body', (material) => requestWithBody(material, '')),
  invalidBody('malformed-json', 'a plant whose JSON has no closing brace', (material) => {
    const id = material.freshId();
    return requestWithBody(material, `{"name":${NAME},"id":${id}`, id);
  }),
  invalidBody('single-quotes', 'a plant in single quotes', (material) => {
    const id = material.freshId();
    return requestWithBody(material, `{'name':'${PLAIN_NAME}','id':${id}}`, id);
  }),
  invalidBody('text-for-json', 'plain text where JSON is announced', (material) =>
    requestWithBody(material, PLAIN_NAME),
  ),
  invalidBody('body-is-null', 'the JSON value null', (material) => requestWithBody(material, 'null')),
  invalidBody('body-is-text', 'a JSON string', (material) => requestWithBody(material, NAME)),
  invalidBody('body-is-number', 'a JSON number', (material) =>
    requestWithBody(material, String(material.freshId())),
  ),
  invalidBody('body-is-array', 'a JSON array with a plain plant in it', (material) => {
    const id = material.freshId();
    return requestWithBody(material, `[{"name":${NAME},"id":${id}}]`, id);
  }),
  invalidBody('missing-name', 'a plant without a name', (material) =>
    creationWith(material, { name: undefined }),
  ),
  invalidBody('missing-id', 'a plant without an id', (material) => creationWith(material, { id: undefined })),
  invalidBody('empty-object', 'an object without any field', (material) =>
    creationWith(material, { name: undefined, id: undefined }),
  ),
  wrongField('name', 'null', 'null'),
  wrongField('name', 'number', '7'),
  wrongField('name', 'boolean', 'true'),
  wrongField('name', 'array', `[${NAME}]`),
  wrongField('name', 'object', `{"en":${NAME}}`),
  defineProbe({
    name: 'id-is-text',
    title: 'a plant whose id is a fresh number as text',
    kind: 'invalid',
    phase: 'main',
    control: 'plain-plant',
    requests: (material) => [creationWith(material, { id: JSON.stringify(String(material.freshId())) })],
  }),
  wrongField('id', 'word', '"seven"'),
  wrongField('id', 'null', 'null'),
  wrongField('id', 'boolean', 'true'),
  defineProbe({
    name: 'id-is-fraction',
    title: 'a plant whose id is a fresh number and a half',
    kind: 'invalid',
    phase: 'main',
    control: 'plain-plant',
    requests: (material) => [creationWith(material, { id: `${material.freshId()}.5` })],
  }),
  wrongField('id', 'array', '[7]'),
  wrongField('id', 'object', '{}'),
  wrongField('tag', 'null', 'null'),
  wrongField('tag', 'number', '7'),
  wrongField('tag', 'boolean', 'true'),
  wrongField('tag', 'array', `["${PLAIN_TAG}"]`),
  wrongField('tag', 'object', '{}'),
];
