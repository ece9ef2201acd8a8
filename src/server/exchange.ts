import type { ConnectionFailure, Failure } from './failures/failure.js';

/** A request, the same for `node:http` and for `fetch`. */
export interface IncomingRequest {
  readonly method: string;
  /** The request target as received: a path with its query, or an absolute URL. */
  readonly target: string;
  /** A flat list of names and values, as received and in order. */
  readonly headers: readonly string[];
  /** The whole body; `undefined` if it is larger than the limit. */
  readonly body: Uint8Array | undefined;
  /** The parts in which the body arrived, if it came over a connection. */
  readonly pieces?: readonly Uint8Array[];
  /** The version of HTTP, if it came over a connection. */
  readonly httpVersion?: string;
  /** What is wrong with the HTTP message itself, as a sentence. */
  readonly malformed?: string | undefined;
  /** The same object for all requests of one connection. */
  readonly connection: object;
}

/** A response as the steps make it. */
export interface OutgoingResponse {
  readonly status: number;
  /** A flat list of names and values, without `content-length`. */
  readonly headers: readonly string[];
  readonly body: string | Uint8Array;
  /**
   * How it is sent. All but `whole` are faults or failures: `hang`, never; `reset`, a connection reset instead, or inside
   * or after the head; `truncate`, half of the body, then the end of the connection; `short-length`, a Content-Length that
   * counts characters.
   */
  readonly delivery?: 'whole' | 'short-length' | ConnectionFailure;
  /** How long the transport waits before it sends anything. */
  readonly delayMs?: number;
  /** How fast the body is sent. */
  readonly bytesPerSecond?: number;
}

/** How a request ended. */
export interface Outcome {
  /** The status of the response; 0 if none was sent. */
  readonly status: number;
  /** Why it was rejected, as a sentence. */
  readonly rejection: string | undefined;
  readonly failure: Failure | undefined;
}

/** A value, or a promise of it. Most requests need no promise, which saves time. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: at once, unless it is a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Responds to requests, whatever the transport. Never throws or rejects. */
export type Pipeline = (request: IncomingRequest) => MaybePromise<Delivery>;

/** How a body is divided into pieces that are sent slowly. */
export interface Pace {
  readonly size: number;
  readonly everyMs: number;
}

/** What is sent of a response, and how it ends: plain data, which each transport carries out in its own way. */
export interface Delivery {
  readonly status: number;
  /** A flat list of names and values, without `content-length`. */
  readonly headers: readonly string[];
  /** How long nothing is sent. */
  readonly delayMs: number;
  /** How much of the head is sent. */
  readonly head: 'none' | 'part' | 'whole';
  /** What is sent of the body. */
  readonly body: string | Uint8Array;
  /** The length that the head announces, in bytes; `undefined` if it announces none. */
  readonly contentLength: number | undefined;
  /** Missing if the body is sent at once. */
  readonly pace: Pace | undefined;
  /** What happens then: the connection goes on, closes, is reset, or nothing ever happens. */
  readonly end: 'complete' | 'close' | 'reset' | 'never';
}

/** How a response is sent, with all that its faults and failures ask for. */
export function deliveryOf(
  { status, headers, body, delivery = 'whole', delayMs = 0, bytesPerSecond }: OutgoingResponse,
  method: string,
): Delivery {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const plan: Delivery = {
    status,
    headers,
    delayMs,
    head: 'whole',
    // RFC 9110, sections 9.3.2 and 15.3.5.
    body: method === 'HEAD' || status === 204 ? '' : body,
    contentLength: status === 204 ? undefined : length,
    pace: bytesPerSecond === undefined ? undefined : paceOf(bytesPerSecond),
    end: 'complete',
  };
  // As for nearly every response.
  if (delivery === 'whole') return plan;
  const bytes = Buffer.from(plan.body as string);
  switch (delivery) {
    case 'short-length':
      return { ...plan, body: bytes, contentLength: body.length };
    case 'truncate':
      return { ...plan, body: bytes.subarray(0, length >> 1), end: 'close' };
    case 'reset-after-head':
      return { ...plan, body: '', end: 'reset' };
    case 'reset-in-head':
      return { ...plan, head: 'part', body: '', end: 'reset' };
    case 'reset':
      return { ...plan, head: 'none', body: '', end: 'reset' };
    case 'hang':
      return { ...plan, head: 'none', body: '', end: 'never' };
  }
}

/** A timer that is more frequent costs more than it shows. */
const SHORTEST_MS = 50;

function paceOf(bytesPerSecond: number): Pace {
  const size = Math.max(1, Math.round((bytesPerSecond * SHORTEST_MS) / 1_000));
  return { size, everyMs: (size * 1_000) / bytesPerSecond };
}
