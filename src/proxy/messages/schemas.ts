import type { MessageKind } from './stored-message.js';

/** The schemas of a body alone, as the command line names them. */
export const bodySchemas = ['plant', 'new-plant', 'error'] as const;

/** One of them. */
export type BodySchema = (typeof bodySchemas)[number];

/** Which kind of message has a body of a schema. */
export function kindOf(schema: BodySchema): MessageKind {
  return schema === 'new-plant' ? 'request' : 'response';
}
