import type { ForwardedRequest } from '../../http/exchange.js';
import type { Fields } from '../../http/fields.js';
import { readJson } from '../../validation/json.js';
import { JsonSpans } from '../../validation/json-spans.js';
import { objectOf } from '../../validation/json-value.js';
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
  const value = idIn(request.body);
  // If the id is not valid, the interaction is about that.
  if (value === undefined || !isInt64(value)) return request;
  if (id === undefined ? value === 0n : value !== integerOf(id)) return request;
  const body = new JsonSpans(request.body).replacedAt(['id'], String(by));
  return body === undefined ? request : { ...request, body: Buffer.from(body) };
}

/** The exact id in the body of a request. */
export function idIn(body: Uint8Array): bigint | undefined {
  const read = readJson(body);
  return read.ok ? integerOf(objectOf(read.value).id) : undefined;
}
