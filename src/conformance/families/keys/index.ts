import { singleRequestProbes } from '../../probe.js';
import { probeFrom } from '../draft.js';
import { creation, requestWith, withBody } from '../requests.js';
import { missingMembers } from './missing.js';
import { escapedKeys, unknownMembers } from './unknown.js';

const invalid = singleRequestProbes('rejected', 'invalid', 'plain-plant');
const open = singleRequestProbes('open', 'invalid', 'plain-plant');

/** A body in which `NAME` stands for a fresh name, and `ID` for a fresh id. */
function body<const Name extends string>(name: Name, title: string, text: string) {
  return invalid(name, title, (values) => requestWith(values, text));
}

/** Members that are missing, unknown, there twice, or written in another way. */
export const keyProbes = [
  body('missing-name', 'a plant without a name', '{"id":ID}'),
  body('missing-id', 'a plant without an id', '{"name":"NAME"}'),
  body('empty-object', 'an empty JSON object', '{}'),
  open('unknown-field', 'a plain plant with an unknown field', (values) => {
    const request = creation(values);
    return withBody(request, Buffer.from(request.body).toString().replace(/\}$/, ',"colour":"green"}'));
  }),
  open('repeated-key', 'a plant with the key "name" twice', (values) =>
    requestWith(values, '{"name":"Agave","name":"NAME","id":ID}'),
  ),
  ...[...escapedKeys, ...unknownMembers, ...missingMembers].map(probeFrom),
];
