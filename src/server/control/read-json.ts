import { readJsonText } from '../../validation/json.js';
import type { JsonObject } from '../../validation/json-value.js';
import type { NumberedRequest, StoreEvent } from '../events.js';
import { withJson } from '../parsed-body.js';
import type { ServerSentEvent } from './server-sent-events.js';

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
