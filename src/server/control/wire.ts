import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { NewPlant } from '../../spec/types.js';
import { readJsonText, type WritableJson } from '../../validation/json.js';
import { type JsonObject, narrow } from '../../validation/json-value.js';
import type { NumberedRequest, StoreEvent } from '../events.js';
import { eventReader, type ServerSentEvent } from '../page/browser/read-stream.js';
import { withJson } from '../parsed-body.js';

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

export type { ServerSentEvent } from '../page/browser/read-stream.js';

/** Intermediaries end connections on which nothing happens. */
export const ALIVE_MS = 15_000;
/** A comment. */
export const ALIVE = ':\n\n';

/** Begins a response of events. */
export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
}

export function eventText({ type, json }: ServerSentEvent): string {
  return `event: ${type}\ndata: ${json}\n\n`;
}

/**
 * The events of a response of our own; they end when the connection does.
 *
 * @throws the reason of `signal` when it aborts
 */
export async function* readEvents(response: Response, signal?: AbortSignal): AsyncGenerator<ServerSentEvent> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  // Node 20 to 22 forget the signal of a fetch when they collect the garbage of its request.
  const stop = (): void => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', stop, { once: true });
  const decoder = new TextDecoder();
  const eventsIn = eventReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal?.throwIfAborted();
      if (done) return;
      const events = eventsIn(decoder.decode(value, { stream: true }));
      if (events === undefined) return;
      yield* events;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    stop();
  }
}
