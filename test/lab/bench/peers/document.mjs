import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

const SHIPPED = new URL('../../../../spec/openapi.yaml', import.meta.url);

/** The shipped document, to be changed. */
export function shipped() {
  return parse(readFileSync(SHIPPED, 'utf8'));
}

/** A document as YAML, without anchors, which not every tool reads. */
export function yamlOf(document) {
  return stringify(document, { aliasDuplicateObjects: false });
}

/** NewPlant without `allOf`: some tools do not read it, and some change a value for each part alone. */
export function withoutAllOf(document) {
  const { schemas } = document.components;
  const { allOf, ...own } = schemas.NewPlant;
  const parts = [...allOf.map((part) => (part.$ref ? schemas[part.$ref.split('/').at(-1)] : part)), own];
  schemas.NewPlant = {
    ...own,
    type: 'object',
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
  };
  return document;
}

/** A Plant has no other fields, as the interface says, and int32 has its limits as numbers too. Requests stay open. */
export function closed(document) {
  const { Plant, Error: failure } = document.components.schemas;
  Plant.additionalProperties = false;
  Object.assign(failure.properties.error, { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 });
  return document;
}

/** Other rejections than 400 are not shown, so a tool shall not call them undocumented. They have an Error, too. */
export function withOtherRejections(document) {
  const { responses } = document.paths['/plants'].post;
  responses['4XX'] = { ...responses['400'], description: 'Another rejection' };
  return document;
}

const EXAMPLES = {
  NewPlant: { name: 'Aloe', id: 1_000_001, tag: 'succulent' },
  Plant: { name: 'Aloe', tag: 'succulent' },
  Error: { error: 1, message: 'the name is missing' },
};

/** Without examples, for a tool that makes several requests of each one: they would all have its id. */
export function withoutExamples(document) {
  const { requestBody, responses } = document.paths['/plants'].post;
  for (const { content } of [requestBody, ...Object.values(responses)])
    for (const media of Object.values(content)) delete media.examples;
  return document;
}

/** One example for each body, in the place where every tool looks for it. */
export function withExamples(document) {
  const { requestBody, responses } = withoutExamples(document).paths['/plants'].post;
  for (const { content } of [requestBody, ...Object.values(responses)]) {
    const media = content['application/json'];
    media.example = EXAMPLES[media.schema.$ref.split('/').at(-1)];
  }
  return document;
}
