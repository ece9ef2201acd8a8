import { isUtf8 } from 'node:buffer';
import type { Fields } from '../../header-fields.js';
import type { ForwardedRequest } from '../../proxy/message.js';
import { readJsonText } from '../../validation/json.js';
import { sliceAt } from '../../validation/json-slices.js';
import { integerOf, isInt64 } from '../integer.js';

/** An id in a request that another is sent for. */
export interface IdReplacement {
  /** `undefined`: whichever stands there, where it is an id, and not 0, which is of its own kind. */
  readonly id: number | bigint | undefined;
  readonly by: number | bigint;
}

/**
 * A request with the token of this verification in place of the one that the pact has. Where there is no bearer
 * token, none is added: that may be what the interaction is about.
 */
export function withToken(request: ForwardedRequest, token: string): ForwardedRequest {
  return { ...request, headers: request.headers.map((field) => swapped(field, token)) };
}

/** Whether a request has a bearer token that {@link withToken} would replace. */
export function hasToken({ headers }: { readonly headers: Fields }): boolean {
  return headers.some(([name, value]) => name.toLowerCase() === 'authorization' && BEARER.test(value));
}

const BEARER = /^(bearer +)\S.*$/is;

function swapped([name, value]: Fields[number], token: string): Fields[number] {
  if (name.toLowerCase() !== 'authorization') return [name, value];
  return [name, value.replace(BEARER, (_all, scheme: string) => scheme + token)];
}

/** A request with another id in its body; all other bytes stay as they are. */
export function withId(request: ForwardedRequest, { id, by }: IdReplacement): ForwardedRequest {
  if (!isUtf8(request.body)) return request;
  const text = Buffer.from(request.body).toString();
  const read = readJsonText(text);
  const slice = read.ok ? sliceAt(text, ['id']) : undefined;
  if (slice === undefined) return request;
  const written = readJsonText(text.slice(slice.start, slice.end));
  const value = written.ok ? integerOf(written.value) : undefined;
  // Where the request is wrong in its id, that is what the interaction is about.
  if (value === undefined || !isInt64(value)) return request;
  if (id === undefined ? value === 0n : value !== integerOf(id)) return request;
  return { ...request, body: Buffer.from(text.slice(0, slice.start) + String(by) + text.slice(slice.end)) };
}
