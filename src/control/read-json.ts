import type { NumberedRequest } from '../server/events.js';
import { withJson } from '../server/parsed-body.js';
import type { JsonObject } from '../validation/json-value.js';

/** A received request from the JSON of the control interface. */
export function requestFrom(json: JsonObject): NumberedRequest {
  const { at, body, bodyBase64, ...rest } = json;
  const bytes =
    typeof bodyBase64 === 'string' ? Buffer.from(bodyBase64, 'base64') : Buffer.from(String(body ?? ''));
  const received = { ...rest, at: new Date(String(at)), body: new Uint8Array(bytes) };
  return withJson(received) as unknown as NumberedRequest;
}
