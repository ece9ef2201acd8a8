import { Buffer } from 'node:buffer';
import type { ConnectionFailure } from './failures/failure.js';

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
   * How it is sent. All but `whole` are faults or failures: `hang`, never; `reset`, a connection reset instead; `truncate`,
   * half of the body, then the end of the connection; `short-length`, a Content-Length that counts characters.
   */
  readonly delivery?: 'whole' | 'short-length' | ConnectionFailure;
  /** How long to wait before anything is sent. */
  readonly delayMs?: number;
}

/** What is sent of a response, and how it ends: plain data, which each transport carries out in its own way. */
export interface Delivery {
  readonly status: number;
  /** A flat list of names and values, without `content-length`. */
  readonly headers: readonly string[];
  /** What is sent of the body: a character for each byte, as in Latin-1. */
  readonly body: string;
  /** The length that the head announces, in bytes; `undefined` if it announces none. */
  readonly contentLength: number | undefined;
  /** The connection goes on after the body, or closes; or nothing is sent: it is reset, or nothing ever happens. */
  readonly end: 'complete' | 'close' | 'reset' | 'never';
}

/** How a response is sent, with all that its faults and failures ask for. */
export function deliveryOf(response: OutgoingResponse, method: string): Delivery {
  const { status, headers, delivery = 'whole' } = response;
  const whole = asBytes(response.body);
  // RFC 9110, sections 9.3.2 and 15.3.5.
  const body = method === 'HEAD' || status === 204 ? '' : whole;
  const contentLength = status === 204 ? undefined : whole.length;
  const plan: Delivery = { status, headers, body, contentLength, end: 'complete' };
  switch (delivery) {
    case 'whole':
      return plan;
    case 'short-length':
      return { ...plan, contentLength: response.body.length };
    case 'truncate':
      return { ...plan, body: body.slice(0, whole.length >> 1), end: 'close' };
    case 'reset':
      return { ...plan, end: 'reset' };
    case 'hang':
      return { ...plan, end: 'never' };
  }
}

const ASCII = /^[\0-\x7f]*$/;

/** A text or bytes with a character for each byte. Most texts are ASCII, and stay as they are. */
function asBytes(body: string | Uint8Array): string {
  return typeof body === 'string' && ASCII.test(body) ? body : Buffer.from(body as string).toString('latin1');
}
