import { operation } from '../../spec/operation.js';
import type { MessageKind } from './stored-message.js';

/** The schemas of a body alone, as the command line names them. */
export type BodySchema = 'plant' | 'new-plant' | 'error';

const JSON_TYPE = ['content-type', 'application/json'] as const;

/** The message around a body alone. Nothing is wrong with its head. */
export const HEADS = {
  plant: { kind: 'response', status: 200, headers: [JSON_TYPE] },
  'new-plant': {
    kind: 'request',
    method: operation.method,
    url: operation.path,
    headers: [JSON_TYPE, ['authorization', 'Bearer none']],
  },
  error: { kind: 'response', status: 400, headers: [JSON_TYPE] },
} as const;

/** What such a message is called. */
export const TITLES: Readonly<Record<BodySchema, string>> = {
  plant: 'the body as a Plant',
  error: 'the body as an Error',
  'new-plant': 'the body as a NewPlant',
};

/** The schemas of a body alone. */
export const bodySchemas = Object.keys(HEADS) as BodySchema[];

/** Which kind of message has a body of a schema. */
export function kindOf(schema: BodySchema): MessageKind {
  return HEADS[schema].kind;
}
