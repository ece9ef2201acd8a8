import { isUtf8 } from 'node:buffer';
import type { Fields } from '../../http/fields.js';
import { visibleInLine } from '../../report/escape.js';
import { shortened } from '../../shortened.js';
import { ToolkitError } from '../../toolkit-error.js';
import type { JudgedSides } from '../../validation/exchange.js';
import type { Part, Violation } from '../../validation/violation.js';

/** Which messages are judged. */
export type MessageKind = 'request' | 'response';

/** The schemas of a body alone, as the command line names them. */
export const bodySchemas = ['plant', 'new-plant', 'error'] as const;

/** One of them. */
export type BodySchema = (typeof bodySchemas)[number];

/** A part of a message that was not stored, and so cannot be judged. */
export interface MissingPart {
  readonly part: Part;
  /** The header that it is about; left out if it is about the whole part. */
  readonly pointer?: string;
  /** Why the part is missing, as a sentence. */
  readonly why: string;
}

/** A whole request, as the proxy sees it. If its body was decoded, it has no `Content-Encoding` any more. */
export function wholeRequest(method: string, target: string, headers: Fields, body: Uint8Array) {
  return { request: { method, target, ...whole(headers, body) } };
}

/** A whole response, in the same way. */
export function wholeResponse(status: number, headers: Fields, body: Uint8Array) {
  return { response: { status, reason: '', ...whole(headers, body) } };
}

function whole(headers: Fields, body: Uint8Array) {
  return { headers, body, bodyLength: body.length, complete: true };
}

/** The fields of a message whose body was decoded by the tool that saved it. */
export function withoutCodings(headers: Fields): Fields {
  return headers.filter(([name]) => name.toLowerCase() !== 'content-encoding');
}

/** One message that was found. */
export interface StoredMessage {
  /** For people; without the query of its URL, which may contain a token. */
  readonly title: string;
  /** JSON pointer into a HAR. */
  readonly pointer?: string;
  /** The fields of its request, which may have credentials. */
  readonly credentials?: Fields;
  readonly message?: JudgedSides;
  readonly missing?: readonly MissingPart[];
  /** Of a response: why its request must be rejected, if that is certain. */
  readonly mistake?: Violation | undefined;
  /** Why there is no message, as a sentence: it cannot be read, or there is nothing to judge. */
  readonly unjudged?: readonly [verdict: 'blocked' | 'not-applicable', reason: string];
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
  const short = shortened(plain, LONGEST_SHOWN);
  return query === undefined ? short : `${short}?…`;
}

/**
 * The error for a file with nothing that can be judged. It quotes nothing of the file: the malformed part may contain a token.
 *
 * @param name of the file
 * @param why what is wrong, and where, as the end of a sentence
 */
export function unjudged(name: string, why: string): ToolkitError {
  return new ToolkitError('invalid-message', `${visibleInLine(name)} ${why}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const BINARY = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;

/** Whether bytes are readable text. Compressed bytes never are. */
export function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !BINARY.test(bytes.toString('latin1'));
}
