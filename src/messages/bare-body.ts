import type { Source } from './source.js';
import type { BareBody, JudgeableMessage, MessageKind, StoredMessages } from './stored-message.js';

const JSON_TYPE = { 'content-type': 'application/json' };

/** What a body is put in so that it can be judged as a message: a head with which nothing is wrong. */
const MESSAGES: Readonly<Record<BareBody, (body: Uint8Array) => JudgeableMessage>> = {
  plant: (body) => ({ kind: 'response', status: 200, headers: JSON_TYPE, body }),
  'new-plant': (body) => ({
    kind: 'request',
    headers: { ...JSON_TYPE, authorization: 'Bearer none' },
    body,
  }),
  error: (body) => ({ kind: 'response', status: 400, headers: JSON_TYPE, body }),
};

const TITLES: Readonly<Record<BareBody, string>> = {
  plant: 'the body as a Plant',
  error: 'the body as an Error',
  'new-plant': 'the body as a NewPlant',
};

/** The schemas that a bare body can be judged by. */
export const bareBodies = Object.keys(MESSAGES) as BareBody[];

/** Which kind of message a body belongs to. */
export function kindOf(as: BareBody): MessageKind {
  return as === 'new-plant' ? 'request' : 'response';
}

/** A source that is a body and nothing else, byte for byte. */
export function bareBody({ bytes }: Source, as: BareBody): StoredMessages {
  const message = MESSAGES[as](bytes);
  return { messages: [{ title: TITLES[as], place: {}, message, losses: [], notes: [] }], secrets: [] };
}
