import { singleRequestProbes } from '../probe.js';
import { creation, PLAIN_TAG, withBody, withMediaType } from './requests.js';

const control = singleRequestProbes('created', 'control');
const valid = singleRequestProbes('created', 'valid', 'plain-plant');
const validWithTag = singleRequestProbes('created', 'valid', 'plain-plant-with-tag');

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

/** Plants that every provider creates. The controls of most probes are first: the plainest plants. */
export const validProbes = [
  control('plain-plant', 'a plain plant without a tag', (values) => creation(values)),
  control('plain-plant-with-tag', 'a plain plant with a tag', (values) =>
    creation(values, { tag: PLAIN_TAG }),
  ),
  valid('name-of-one-letter', 'a plant whose name is one letter', (values) =>
    creation(values, { name: 'A' }),
  ),
  valid('name-of-30-letters', 'a plant whose name has 30 letters', (values) =>
    creation(values, { name: values.freshName() + values.freshName() + values.freshName() }),
  ),
  // Words with a meaning in a programming language.
  ...(['null', 'true', 'NaN', 'constructor'] as const).map((name) =>
    valid(`name-${name}`, `a plant whose name is the word ${name}`, (values) => creation(values, { name })),
  ),
  validWithTag('tag-null', 'a plant whose tag is the word null', (values) =>
    creation(values, { tag: 'null' }),
  ),
  valid('media-type-with-charset', 'a plain plant as application/json; charset=utf-8', (values) =>
    withMediaType(creation(values), 'application/json; charset=utf-8'),
  ),
  valid('media-type-in-capitals', 'a plain plant as Application/JSON', (values) =>
    withMediaType(creation(values), 'Application/JSON'),
  ),
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
