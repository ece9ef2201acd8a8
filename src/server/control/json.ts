import { isUtf8 } from 'node:buffer';
import type { NewPlant } from '../../spec/types.js';
import { readJsonText } from '../../validation/json.js';
import { type JsonObject, narrow } from '../../validation/json-value.js';
import type { WritableJson } from '../../validation/json-writer.js';
import type { NumberedRequest, StoreEvent } from '../events.js';
import { withJson } from '../parsed-body.js';
import type { ServerSentEvent } from './server-sent-events.js';

/** Plain data that the control interface writes: options, failures and plants have nothing else. */
export function plain(data: object): WritableJson {
  return data as WritableJson;
}

/** A plant as JSON. A seed may have an id that is a double; an integer has one representation. */
export function plantJson({ id, ...rest }: NewPlant): WritableJson {
  return { ...rest, id: narrow(id) };
}

/** A received request as JSON. A body that is not UTF-8 is in Base64. */
export function requestJson({
  at,
  body,
  json: _json,
  headers,
  failure,
  ...rest
}: NumberedRequest): WritableJson {
  const bytes = Buffer.from(body);
  return plain({
    ...rest,
    at: at.toISOString(),
    headers: headers.map(([name, value]) => [name, value]),
    ...(isUtf8(bytes) ? { body: bytes.toString() } : { bodyBase64: bytes.toString('base64') }),
    ...(failure !== undefined && { failure: plain(failure) }),
  });
}

/** The data of an event. */
export function eventJson(event: StoreEvent): WritableJson {
  switch (event.type) {
    case 'request':
      return requestJson(event.request);
    case 'plant':
      return plantJson(event.plant);
    case 'failure':
      return plain(event.failure);
    case 'faults':
      return [...event.faults];
    case 'options':
      return plain(event.options);
    case 'cleared':
      return { what: event.what };
  }
}

/** A received request from the JSON of the control interface. */
export function requestFrom(json: JsonObject): NumberedRequest {
  const { at, body, bodyBase64, ...rest } = json;
  const bytes =
    typeof bodyBase64 === 'string' ? Buffer.from(bodyBase64, 'base64') : Buffer.from(String(body ?? ''));
  const received = { ...rest, at: new Date(String(at)), body: new Uint8Array(bytes) };
  return withJson(received) as unknown as NumberedRequest;
}

/** What happened, from an event of the control interface; `undefined` if it is not JSON. */
export function storeEventFrom({ type, json }: ServerSentEvent): StoreEvent | undefined {
  const read = readJsonText(json);
  if (!read.ok) return undefined;
  if (type === 'request') return { type, request: requestFrom(read.value as JsonObject) };
  if (type === 'cleared') return { type, ...(read.value as unknown as { what: 'plants' }) };
  return { type, [type]: read.value } as unknown as StoreEvent;
}
