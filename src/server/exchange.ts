import type { Delivery } from './delivery.js';
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

/** What the pipeline makes of a request. */
export interface Responded {
  readonly delivery: Delivery;
  readonly outcome: Outcome;
}

/** A value, or a promise of it. Most requests need no promise, which saves time. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value: at once, unless it is a promise. */
export function andThen<T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Responds to requests, whatever the transport. Never throws or rejects. */
export type Pipeline = (request: IncomingRequest) => MaybePromise<Responded>;
