import { isUtf8 } from 'node:buffer';
import type { ForwardedRequest } from '../../http/exchange.js';
import type { Fields } from '../../http/fields.js';
import { readJsonText } from '../../validation/json.js';
import { sliceAt } from '../../validation/json-slices.js';
import { integerOf, isInt64 } from '../states.js';

/** Replaces an id in a request. */
export interface IdReplacement {
  /** The id to replace; `undefined` for any id except 0. */
  readonly id: number | bigint | undefined;
  readonly by: number | bigint;
}

/**
 * A request with the token of this verification instead of the pact's token. If it has no bearer token, none is added:
 * the interaction may be about that.
 */
export function withToken(request: ForwardedRequest, token: string): ForwardedRequest {
  const headers = request.headers.map(([name, value]): Fields[number] => {
    if (name.toLowerCase() !== 'authorization') return [name, value];
    return [name, value.replace(/^(bearer +)\S.*$/is, (_all, scheme: string) => scheme + token)];
  });
  return { ...request, headers };
}

/** A request with another id in its body. All other bytes stay unchanged. */
export function withId(request: ForwardedRequest, { id, by }: IdReplacement): ForwardedRequest {
  if (!isUtf8(request.body)) return request;
  const text = Buffer.from(request.body).toString();
  const read = readJsonText(text);
  const slice = read.ok ? sliceAt(text, ['id']) : undefined;
  if (slice === undefined) return request;
  const written = readJsonText(text.slice(slice.start, slice.end));
  const value = written.ok ? integerOf(written.value) : undefined;
  // If the id is not valid, the interaction is about that.
  if (value === undefined || !isInt64(value)) return request;
  if (id === undefined ? value === 0n : value !== integerOf(id)) return request;
  return { ...request, body: Buffer.from(text.slice(0, slice.start) + String(by) + text.slice(slice.end)) };
}
