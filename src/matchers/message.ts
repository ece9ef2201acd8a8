import { inspect } from 'node:util';
import { bytesIn, type HeaderFields } from '../validation/message.js';
import {
  bodyOf,
  cannotBeRead,
  hasBody,
  isStream,
  isUnread,
  READ_ALREADY,
  type ReadBody,
  readFrom,
} from './body.js';
import { isBrowserResponse, plainResponse } from './browser-response.js';
import { headerPairs } from './headers.js';
import { canBeRead, type Unread } from './reading.js';
import { asSent, whyNoJson } from './value.js';

/** What was given to a matcher, by its looks; of `unreadable` nothing can be said, neither that it is right nor wrong. */
export type Received =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: HeaderFields;
      readonly body: unknown;
    }
  | { readonly kind: 'request'; readonly headers: HeaderFields; readonly body: unknown }
  | { readonly kind: 'value'; readonly body: unknown }
  | { readonly kind: 'unreadable'; readonly problem: string };

/**
 * Reads whatever a client gives for a response: `status` or `statusCode`, `headers` in any shape, and a body under
 * any of the usual names; a request likewise; and any other value as itself. What is given can still be read.
 *
 * @returns at once, but where the body still has to be read: of fetch, of `undici.request`, of a browser, and a Blob
 */
export function read(received: unknown): Received | Promise<Received> {
  const problem = whyUnreadable(received);
  if (problem !== undefined) return unreadable(problem);
  if (typeof received !== 'object' || received === null) return { kind: 'value', body: received };
  if (isBrowserResponse(received))
    return plainResponse(received).then(read, (cause) => {
      return unreadable(cannotBeRead(cause).problem);
    });
  const status = statusOf(received);
  const isResponse = status !== undefined && 'headers' in received;
  if (!isResponse && !isRequest(received)) return readValue(received);
  const headers = headerPairs((received as { headers?: unknown }).headers);
  if (headers === undefined) return unreadable('its headers have none of the usual shapes');
  const about = isResponse ? ({ kind: 'response', status } as const) : ({ kind: 'request' } as const);
  const whole = (body: ReadBody): Received =>
    'problem' in body ? unreadable(body.problem) : { ...about, headers, ...body };
  const body = isFetchMessage(received) ? fetched(received, headers) : bodyOf(received, headers);
  return body instanceof Promise ? body.then(whole) : whole(body);
}

function unreadable(problem: string): Received {
  return { kind: 'unreadable', problem };
}

function whyUnreadable(received: unknown): string | undefined {
  if (received === undefined) return 'there is nothing: undefined was given';
  if (typeof received === 'function' || typeof received === 'symbol') return `a ${typeof received} was given`;
  if (typeof received !== 'object' || received === null) return undefined;
  if ('then' in received && typeof received.then === 'function')
    return 'a promise was given; await it first, or write expect(…).resolves';
  return undefined;
}

function readValue(value: object): Received | Promise<Received> {
  if (isStream(value)) return unreadable('a stream was given; read it first');
  // An Error may have a `statusCode` and `data`, as those of h3 do.
  if (statusOf(value) !== undefined && hasBody(value) && !('data' in value))
    return unreadable('it has a status and a body, and no headers; give { status, headers, body }');
  // The errors of clients, which have a status and a message themselves.
  const { response } = value as { readonly response?: unknown };
  if (typeof response === 'object' && response !== null && 'headers' in response)
    return unreadable('it is no response, it holds one; hand over its `response`, as in error.response');
  const noJson = whyNoJson(value);
  if (noJson !== undefined) return unreadable(`it is ${noJson}`);
  const whole = (body: ReadBody): Received =>
    'problem' in body ? unreadable(body.problem) : { kind: 'value', ...body };
  return isUnread(value) ? readFrom(value, []).then(whole) : whole({ body: bytesIn(value) ?? asSent(value) });
}

function statusOf(message: object): number | undefined {
  const { status, statusCode } = message as { readonly status?: unknown; readonly statusCode?: unknown };
  return [status, statusCode].find((value): value is number => Number.isInteger(value));
}

function isRequest(message: object): boolean {
  const { headers, method } = message as { readonly headers?: unknown; readonly method?: unknown };
  return typeof headers === 'object' && headers !== null && (typeof method === 'string' || hasBody(message));
}

interface FetchMessage extends Unread {
  clone(): Unread;
}

function isFetchMessage(message: object): message is FetchMessage {
  return 'clone' in message && isUnread(message);
}

/** How Node and undici print their own messages: by this they are known in every realm. */
const PRINTED = inspect.custom;

async function fetched(message: FetchMessage, headers: HeaderFields): Promise<ReadBody> {
  if (!canBeRead(message)) {
    // ofetch leaves beside the body what it has read.
    const left = await bodyOf(message, headers);
    return 'problem' in left ? { problem: READ_ALREADY } : left;
  }
  // The clone of node-fetch waits until both have been read, and that of happy-dom may be empty, and the first then too.
  if (!(PRINTED in message)) return readFrom(message, headers);
  try {
    return { body: new Uint8Array(await message.clone().arrayBuffer()) };
  } catch (cause) {
    return cannotBeRead(cause);
  }
}
