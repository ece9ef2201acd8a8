import { singleRequestProbes } from '../../probe.js';
import { creationWith, PLAIN_TAG, requestWith } from '../requests.js';

const invalid = singleRequestProbes('rejected', 'invalid', 'plain-plant');
const invalidTag = singleRequestProbes('rejected', 'invalid', 'plain-plant-with-tag');

/** A body in which `NAME` stands for a fresh name, and `ID` for a fresh id. */
function body<const Name extends string>(name: Name, title: string, text: string) {
  return invalid(name, title, (values) => requestWith(values, text));
}

/** A plain plant with another value of one field, given as JSON. */
function wrong<const Field extends 'name' | 'id' | 'tag', const Kind extends string>(
  field: Field,
  kind: Kind,
  json: string,
  value = json,
) {
  const define = field === 'tag' ? invalidTag : invalid;
  return define(`${field}-is-${kind}`, `a plant whose ${field} is ${value}`, (values) =>
    creationWith(values, { [field]: json }),
  );
}

const otherJson = [
  body('body-is-null', 'the JSON value null', 'null'),
  body('body-is-boolean', 'the JSON value true', 'true'),
  body('body-is-text', 'a JSON string', '"NAME"'),
  body('body-is-number', 'a JSON number', 'ID'),
  body('body-is-array', 'a JSON array with a plain plant in it', '[{"name":"NAME","id":ID}]'),
];

const otherFields = [
  wrong('name', 'null', 'null'),
  invalid('name-is-number', 'a plant whose name is a number', (values) =>
    creationWith(values, { name: String(values.freshId()) }),
  ),
  wrong('name', 'boolean', 'true'),
  wrong('name', 'array', '["NAME"]', 'an array with a string in it'),
  wrong('name', 'object', '{"en":"NAME"}', 'an object with a string in it'),
  wrong('id', 'text', '"ID"', 'a number in quotes'),
  wrong('id', 'empty-text', '""'),
  wrong('id', 'null', 'null'),
  wrong('id', 'boolean', 'true'),
  wrong('id', 'fraction', 'ID.5', 'a number with a fraction of 0.5'),
  wrong('id', 'array', '[ID]', 'an array with a number in it'),
  wrong('id', 'object', '{}'),
  wrong('tag', 'null', 'null'),
  wrong('tag', 'number', '7'),
  wrong('tag', 'boolean', 'true'),
  wrong('tag', 'array', `["${PLAIN_TAG}"]`),
  wrong('tag', 'object', '{}'),
];

/** One JSON value of each other type: as the whole body, and as each field. */
export const singleTypeProbes = [...otherJson, ...otherFields];
