import { isUtf8 } from 'node:buffer';
import { headerValues } from '../../http/fields.js';
import { limits } from '../../http/limits.js';
import { mistakeIn } from '../../validation/acceptance.js';
import { decodeContent } from '../../validation/content-coding.js';
import type { HeaderFields } from '../../validation/index.js';
import type { PlainRequest, PlainResponse } from '../../validation/message.js';
import type { Part, Violation } from '../../validation/violation.js';

/** Which messages are judged. */
export type MessageKind = 'request' | 'response';

/** How messages are stored. */
export type MessageFormat = 'raw' | 'har' | 'json';

/** The schemas of a body alone, as the command line names them. */
export type BodySchema = 'plant' | 'new-plant' | 'error';

/** Where a message is: the first byte of a raw message, or an entry of a HAR; empty for a body alone. */
export interface MessagePlace {
  /** From 1. */
  readonly line?: number;
  /** From 0. */
  readonly byte?: number;
  /** JSON pointer into the HAR. */
  readonly pointer?: string;
}

/** A part of a message that was not stored, and so cannot be judged. */
export interface MissingPart {
  readonly part: Part;
  /** The header that it is about; left out if it is about the whole part. */
  readonly pointer?: string;
  /** Why the part is missing, as a sentence. */
  readonly why: string;
}

/** The body of a stored message, content codings undone. */
export interface StoredBody {
  readonly body: Uint8Array;
  readonly missing: readonly MissingPart[];
}

/** A message as the validators take it: its body in bytes, content codings undone. */
export type JudgeableMessage =
  | ({ readonly kind: 'request' } & PlainRequest)
  | ({ readonly kind: 'response' } & PlainResponse);

/**
 * Why a stored request must be rejected. Nothing shows that a tool left a token out or replaced it, or that it cut off a
 * body whose length is not announced.
 *
 * @param keepsTokens whether there is a token in a request before it in the same file
 */
export function storedMistake(
  request: PlainRequest,
  missing: readonly MissingPart[],
  keepsTokens: boolean,
): Violation | undefined {
  const has = (name: string): boolean => headerValues(request.headers, name).length > 0;
  return mistakeIn(request, (mistake) => {
    if (missing.some((part) => isAbout(part, mistake))) return false;
    if (mistake.part === 'header') return keepsTokens && !has('authorization');
    return mistake.pointer !== '' || has('content-length');
  });
}

/** One message that was found. */
export interface StoredMessage {
  /** For people; without the query of its URL, which may contain a token. */
  readonly title: string;
  readonly place: MessagePlace;
  readonly message: JudgeableMessage;
  readonly missing: readonly MissingPart[];
  /** Of a response: why its request must be rejected, if that is certain. */
  readonly mistake?: Violation | undefined;
  /** What was assumed about it, as sentences. */
  readonly notes: readonly string[];
  /** Why there is nothing to judge, as a sentence. */
  readonly leftOut?: string;
  /** Why it is not certain whether there is something to judge, as a sentence. */
  readonly unclear?: string;
}

/** Whether a violation is about a part that was not stored. */
export function isAbout({ part, pointer }: MissingPart, violation: Violation): boolean {
  return violation.part === part && (pointer === undefined || violation.pointer === pointer);
}

const LONGEST_SHOWN = 120;

/** A URL or a request target for people. A query and credentials are left out: they may contain a token. */
export function shownUrl(url: string): string {
  const [whole = ''] = url.split('#');
  const [path = '', query] = whole.split('?');
  const plain = path.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, '$1');
  const short = plain.length <= LONGEST_SHOWN ? plain : `${plain.slice(0, LONGEST_SHOWN).toWellFormed()}…`;
  return query === undefined ? short : `${short}?…`;
}

/** A decoded body, or why it cannot be decoded. */
export type Content = { readonly body: Uint8Array; readonly note?: string } | { readonly lost: string };

/** Tools such as `curl --compressed` and HTTPie decode a body, but save the header that names its coding. */
const SAVED_DECODED = 'the tool that saved it undid its Content-Encoding; the body is judged as it was saved';

/** The codings of a body, in order. */
export function codingsIn(headers: HeaderFields): string[] {
  return headerValues(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((value) => value.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
}

/**
 * Undoes content codings.
 *
 * @param exact whether the body is known to be as it was sent; otherwise, readable text counts as decoded already
 */
export function contentOf(stored: Uint8Array, codings: readonly string[], exact: boolean): Content {
  if (stored.length > limits.savedBody) return { lost: `the body has more than ${limits.savedBody} bytes` };
  if (codings.length === 0 || stored.length === 0) return { body: stored };
  if (!exact && isPlainText(stored)) return { body: stored, note: SAVED_DECODED };
  const decoded = decodeContent(stored, codings, limits.savedBody);
  return typeof decoded === 'string' ? { lost: decoded } : { body: decoded };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Whether bytes are readable text. Compressed bytes never are. */
export function isPlainText(bytes: Uint8Array): boolean {
  return isUtf8(bytes) && !CONTROL.test(Buffer.from(bytes).toString('latin1'));
}
