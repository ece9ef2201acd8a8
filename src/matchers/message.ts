import { type HeaderFields, headerValues } from '../validation/message.js';
import { bodyOf, bytesIn, hasBody, isStream, READ_ALREADY, type ReadBody } from './body.js';
import { headerPairs } from './headers.js';

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
 * @returns at once, but where the body still has to be read: of fetch, and of `undici.request`
 */
export function read(received: unknown): Received | Promise<Received> {
  const problem = whyUnreadable(received);
  if (problem !== undefined) return { kind: 'unreadable', problem };
  if (typeof received !== 'object' || received === null) return { kind: 'value', body: received };
  const status = statusOf(received);
  const isResponse = status !== undefined && ('headers' in received || hasBody(received));
  if (!isResponse && !isRequest(received)) return { kind: 'value', body: bytesIn(received) ?? received };
  const headers = headerPairs((received as { headers?: unknown }).headers);
  if (headers === undefined)
    return { kind: 'unreadable', problem: 'its headers have none of the usual shapes' };
  const about = isResponse ? ({ kind: 'response', status } as const) : ({ kind: 'request' } as const);
  const whole = (body: ReadBody): Received =>
    'problem' in body ? { kind: 'unreadable', ...body } : { ...about, headers, ...body };
  const body = isFetchMessage(received) ? cloned(received) : bodyOf(received, headerValues(headers, CODING));
  return body instanceof Promise ? body.then(whole) : whole(body);
}

const CODING = 'content-encoding';

function whyUnreadable(received: unknown): string | undefined {
  if (received === undefined) return 'there is nothing: undefined was given';
  if (typeof received === 'function' || typeof received === 'symbol') return `a ${typeof received} was given`;
  if (typeof received !== 'object' || received === null) return undefined;
  if ('then' in received && typeof received.then === 'function')
    return 'a promise was given; await it first, or write expect(…).resolves';
  return isStream(received) && statusOf(received) === undefined
    ? 'a stream was given; read it first'
    : undefined;
}

function statusOf(message: object): number | undefined {
  const { status, statusCode } = message as { readonly status?: unknown; readonly statusCode?: unknown };
  return [status, statusCode].find((value): value is number => Number.isInteger(value));
}

function isRequest(message: object): boolean {
  const { headers, method } = message as { readonly headers?: unknown; readonly method?: unknown };
  return typeof headers === 'object' && headers !== null && (typeof method === 'string' || hasBody(message));
}

interface FetchMessage {
  readonly bodyUsed: boolean;
  clone(): { arrayBuffer(): Promise<ArrayBuffer> };
}

function isFetchMessage(message: object): message is FetchMessage {
  return 'clone' in message && 'arrayBuffer' in message && typeof message.arrayBuffer === 'function';
}

async function cloned(message: FetchMessage): Promise<ReadBody> {
  if (message.bodyUsed) return { problem: READ_ALREADY };
  try {
    return { body: new Uint8Array(await message.clone().arrayBuffer()) };
  } catch (cause) {
    return { problem: `its body cannot be read: ${cause instanceof Error ? cause.message : cause}` };
  }
}
