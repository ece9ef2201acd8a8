import { singleRequestProbes } from '../../probe.js';
import { probeFrom } from '../draft.js';
import { creation, creationWith, requestWith, withBody } from '../requests.js';
import { malformedTexts } from './malformed.js';
import { spelledPlants } from './spellings.js';

const valid = singleRequestProbes('created', 'valid', 'plain-plant');
const invalid = singleRequestProbes('rejected', 'invalid', 'plain-plant');
const open = singleRequestProbes('open', 'invalid', 'plain-plant');

/** A body in which `NAME` stands for a fresh name, and `ID` for a fresh id. */
function body<const Name extends string>(name: Name, title: string, text: string, mediaType?: string) {
  return invalid(name, title, (values) => requestWith(values, text, mediaType));
}

/** A plain plant whose JSON is written in another way. */
function rewritten<const Name extends string>(
  name: Name,
  title: string,
  json: (name: string, id: string) => string,
) {
  return valid(name, title, (values) => {
    const request = creation(values);
    return withBody(request, json(request.plant?.name ?? '', String(request.id)));
  });
}

const spellings = [
  rewritten(
    'json-with-white-space',
    'a plain plant with white space around and inside its JSON',
    (name, id) => `\r\n{\n\t"name" : "${name}" ,\n\t"id" : ${id}\n}\n`,
  ),
  rewritten(
    'json-in-another-order',
    'a plain plant whose id comes before its name',
    (name, id) => `{"id":${id},"name":"${name}"}`,
  ),
  rewritten(
    'json-with-escapes',
    'a plain plant with letters written as \\u escapes',
    (name, id) => `{"n\\u0061me":"\\u0041${name.slice(1)}","id":${id}}`,
  ),
];

const noBody = body('no-body', 'a request without a body', '');

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

const openSpellings = [
  open('byte-order-mark', 'a plain plant after a byte-order mark', (values) => {
    const request = creation(values);
    return withBody(request, Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), request.body]));
  }),
  open('lone-surrogate', 'a plant whose name has half a surrogate pair', (values) =>
    creationWith(values, { name: '"NAME\\ud800"' }),
  ),
  open('malformed-utf-8', 'a plant whose name has a byte that is not UTF-8', (values) => {
    const request = creationWith(values, { name: '"NAME\xe9"' });
    return withBody(request, Buffer.from(Buffer.from(request.body).toString(), 'latin1'));
  }),
  open('not-a-number', 'a plain plant with NaN in an unknown field', (values) =>
    creationWith(values, { colour: 'NaN' }),
  ),
];

/** Spellings of one plant, and texts that are not the JSON of a plant. */
export const jsonTextProbes = [
  ...spellings,
  noBody,
  ...notJson,
  ...moreThanJson,
  ...openSpellings,
  ...[...spelledPlants, ...malformedTexts].map(probeFrom),
];
