import type { NewPlant } from '../spec/types.js';
import { narrow } from '../validation/json-number.js';
import type { IncomingRequest } from './exchange.js';

/** The plants of one server. An id is one key however it is written: `7` and `7n` are the same plant. */
export class PlantMap {
  private readonly plants = new Map<number | bigint, NewPlant>();

  has(id: number | bigint): boolean {
    return this.plants.has(narrow(id));
  }

  /** Keeps a plant; one with the same id is replaced. */
  set(plant: NewPlant): void {
    this.plants.set(narrow(plant.id), plant);
  }

  /** The plants in the order in which their ids first came. */
  list(): NewPlant[] {
    return Array.from(this.plants.values(), (plant) => ({ ...plant }));
  }

  clear(): void {
    this.plants.clear();
  }
}

/**
 * A request that the server received, and what it answered. `[token]` stands for the value of Authorization, and
 * wherever else a token of the server with 8 characters or more was.
 */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target: path and query. */
  readonly target: string;
  /** Names as received and in order, with their values. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; empty where it was larger than the limit. */
  readonly body: Uint8Array;
  /** The status of the answer. */
  readonly status: number;
  /** Why it was refused, in words; absent for a success. */
  readonly refusal?: string;
  readonly at: Date;
}

const EMPTY = new Uint8Array();

/** A place of the ring. It is written over, not made anew, so that keeping a request costs no allocation. */
class Slot {
  method = '';
  target = '';
  headers: readonly string[] = [];
  body: Uint8Array = EMPTY;
  /** Kept beside the body: looking into a body that is about to go costs a cache miss. */
  bodyLength = 0;
  status = 0;
  refusal: string | undefined;
  time = 0;
}

/** So that a thousand bodies of the largest size do not fill the memory: then fewer requests are kept. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** The last requests of a server: a ring, so that writing costs nothing that a client would notice. */
export class ReceivedLog {
  private readonly ring: Slot[];
  /** How many were ever added, and the number of the oldest that is kept. */
  private added = 0;
  private oldest = 0;
  private bodyBytes = 0;

  /**
   * @param size how many requests are kept; 0 keeps none
   * @param redact takes the tokens out of a text
   */
  constructor(
    size: number,
    private readonly redact: (text: string) => string,
  ) {
    this.ring = Array.from({ length: size }, () => new Slot());
  }

  add(request: IncomingRequest, status: number, refusal: string | undefined): void {
    if (this.ring.length === 0) return;
    const slot = this.slot(this.added++);
    // A slot that is written over is dropped by that; clearing it first would cost more than the rest.
    if (this.added - this.oldest > this.ring.length) this.oldest++;
    this.bodyBytes -= slot.bodyLength;
    write(slot, request, status, refusal);
    this.bodyBytes += slot.bodyLength;
    while (this.bodyBytes > MOST_BODY_BYTES) this.drop();
  }

  /** What is kept, oldest first. */
  list(): ReceivedRequest[] {
    const kept: ReceivedRequest[] = [];
    for (let i = this.oldest; i < this.added; i++) kept.push(this.shown(this.slot(i)));
    return kept;
  }

  /** A request that need not be kept, as {@link list} would show it. */
  show(request: IncomingRequest, status: number, refusal: string | undefined): ReceivedRequest {
    const slot = new Slot();
    write(slot, request, status, refusal);
    return this.shown(slot);
  }

  clear(): void {
    while (this.oldest < this.added) this.drop();
  }

  private slot(number: number): Slot {
    return this.ring[number % this.ring.length] as Slot;
  }

  private drop(): void {
    const slot = this.slot(this.oldest++);
    this.bodyBytes -= slot.bodyLength;
    slot.bodyLength = 0;
    slot.body = EMPTY;
    slot.headers = [];
  }

  /** Copied, and without tokens. */
  private shown({ method, target, headers, body, status, refusal, time }: Slot): ReceivedRequest {
    const fields: (readonly [string, string])[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i] as string;
      const value = headers[i + 1] as string;
      // A wrong token is a secret as well: it may be somebody's right one elsewhere.
      const secret = name.toLowerCase() === 'authorization';
      fields.push([name, secret ? value.replace(/^(bearer )?.*$/is, '$1[token]') : this.redact(value)]);
    }
    return {
      method,
      target: this.redact(target),
      headers: fields,
      body: this.redactedBody(body),
      status,
      ...(refusal !== undefined && { refusal: this.redact(refusal) }),
      at: new Date(time),
    };
  }

  private redactedBody(body: Uint8Array): Uint8Array {
    // Latin-1 keeps every byte, and a token has ASCII characters only.
    const text = Buffer.from(body).toString('latin1');
    const redacted = this.redact(text);
    // Slicing a Buffer would not copy it.
    return redacted === text ? new Uint8Array(body) : Buffer.from(redacted, 'latin1');
  }
}

function write(slot: Slot, request: IncomingRequest, status: number, refusal: string | undefined): void {
  const { method, target, headers, body = EMPTY } = request;
  slot.method = method;
  slot.target = target;
  slot.headers = headers;
  slot.body = body;
  slot.bodyLength = body.length;
  slot.status = status;
  slot.refusal = refusal;
  slot.time = Date.now();
}
