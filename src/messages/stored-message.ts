import type { PlainRequest, PlainResponse } from '../validation/message.js';
import type { Part, Violation } from '../validation/violation.js';

/** Which messages are asked about. */
export type MessageKind = 'request' | 'response';

/** How messages are stored. */
export type MessageFormat = 'raw' | 'har' | 'json';

/** The schemas that a bare body can be judged by, as the command line calls them. */
export type BareBody = 'plant' | 'new-plant' | 'error';

/** Where a message stands: of a raw one its first byte, of one in a HAR the entry; a bare body is all there is. */
export interface Place {
  readonly line?: number;
  readonly byte?: number;
  readonly entry?: number;
  /** JSON pointer into the HAR. */
  readonly pointer?: string;
}

/** A part of a message that was not stored, so that nothing can be said of it. */
export interface Loss {
  readonly part: Part;
  /** Of which header; without it, of the whole part. */
  readonly pointer?: string;
  /** Why it is not there, as a sentence. */
  readonly why: string;
}

/** A message as it can be handed to the validators: its body in bytes, content codings undone. */
export type JudgeableMessage =
  | ({ readonly kind: 'request' } & PlainRequest)
  | ({ readonly kind: 'response' } & PlainResponse);

/** One message that was found. */
export interface StoredMessage {
  /** What it is, for people; without the query of its URL, which may hold a token. */
  readonly title: string;
  readonly place: Place;
  readonly message: JudgeableMessage;
  readonly losses: readonly Loss[];
  /** What was assumed in reading it, as sentences. */
  readonly notes: readonly string[];
  /** Why there is nothing to judge, as a sentence. */
  readonly leftOut?: string;
  /** Why nobody can say whether there is something to judge, as a sentence. */
  readonly unclear?: string;
}

/** All that was found, and what nobody may read of it. */
export interface StoredMessages {
  readonly messages: readonly StoredMessage[];
  readonly secrets: readonly string[];
}

/** Whether a violation is about what was not stored. */
export function isAbout({ part, pointer }: Loss, violation: Violation): boolean {
  return violation.part === part && (pointer === undefined || violation.pointer === pointer);
}
