import { singleRequestProbes } from '../probe.js';
import { creationWith, PLAIN_TAG, requestWith } from './requests.js';

const invalid = singleRequestProbes('rejected', 'invalid', 'plain-plant');
const invalidTag = singleRequestProbes('rejected', 'invalid', 'plain-plant-with-tag');

/** A body in which `NAME` stands for a fresh name, and `ID` for a fresh id. */
function body<const Name extends string>(name: Name, title: string, text: string, mediaType?: string) {
  return invalid(name, title, (values) => requestWith(values, text, mediaType));
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

const notJson = [
  body('malformed-json', 'a plant without the closing brace', '{"name":"NAME","id":ID'),
  body('single-quotes', 'a plant in single quotes', "{'name':'NAME','id':ID}"),
  body('trailing-comma', 'a plant with a comma after its last member', '{"name":"NAME","id":ID,}'),
  body('comment-in-json', 'a plant with a comment in its JSON', '{"name":"NAME",/* */"id":ID}'),
  body('text-for-json', 'plain text as application/json', 'NAME'),
  body('form-body', 'a plant as a URL-encoded form', 'name=NAME&id=ID', 'application/x-www-form-urlencoded'),
  body('xml-body', 'a plant as XML', '<plant><name>NAME</name><id>ID</id></plant>', 'application/xml'),
];

const moreThanJson = [
  body('text-after-json', 'a plant with a word after its JSON', '{"name":"NAME","id":ID} aloe'),
  body(
    'two-json-texts',
    'the JSON of a plant twice in one body',
    '{"name":"NAME","id":ID}{"name":"NAME","id":ID}',
  ),
];

const otherJson = [
  body('body-is-null', 'the JSON value null', 'null'),
  body('body-is-boolean', 'the JSON value true', 'true'),
  body('body-is-text', 'a JSON string', '"NAME"'),
  body('body-is-number', 'a JSON number', 'ID'),
  body('body-is-array', 'a JSON array with a plain plant in it', '[{"name":"NAME","id":ID}]'),
];

const fields = [
  body('missing-name', 'a plant without a name', '{"id":ID}'),
  body('missing-id', 'a plant without an id', '{"name":"NAME"}'),
  body('empty-object', 'an empty JSON object', '{}'),
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

/** Bodies that are not a NewPlant. */
export const bodyProbes = [
  body('no-body', 'a request without a body', ''),
  ...notJson,
  ...moreThanJson,
  ...otherJson,
  ...fields,
];
