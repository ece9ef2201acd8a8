import { isUtf8 } from 'node:buffer';
import type { NewPlant } from '../../spec/types.js';
import { narrow } from '../../validation/json-value.js';
import type { WritableJson } from '../../validation/json-writer.js';
import type { NumberedRequest, StoreEvent } from '../events.js';

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
