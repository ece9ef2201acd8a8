import { fieldsFrom } from '../http/fields.js';
import type { NewPlant } from '../spec/types.js';
import { narrow } from '../validation/json-value.js';
import type { NumberedRequest, Watchers } from './events.js';
import type { IncomingRequest, Outcome } from './exchange.js';
import type { Failure } from './failures/failure.js';
import { type ParsedBody, withJson } from './parsed-body.js';
import type { TokenRedactor } from './token.js';

/** The characters of all names and tags together. With long names, fewer plants are kept. */
const MOST_CHARACTERS = 200_000_000;

/**
 * The plants of one server. `7` and `7n` are the same id. At the limits, each new plant removes the oldest ones, so that a
 * server can run for weeks.
 */
export class PlantMap {
  private readonly plants = new Map<number | bigint, NewPlant>();
  /** The ids from the oldest on. One iterator for good: a new one would step over all that were removed. */
  private oldest = this.plants.keys();
  private characters = 0;

  /** @param most how many plants are kept */
  constructor(
    private readonly most: number,
    private readonly watchers: Watchers,
  ) {}

  has(id: number | bigint): boolean {
    return this.plants.has(narrow(id));
  }

  /** The plant with an id. */
  get(id: number | bigint): NewPlant | undefined {
    return this.plants.get(narrow(id));
  }

  /** Whether a plant has this name, besides one. */
  hasName(name: string, beside: NewPlant | undefined): boolean {
    for (const plant of this.plants.values()) if (plant !== beside && plant.name === name) return true;
    return false;
  }

  /** Stores a plant, or replaces the one with its id. */
  set(plant: NewPlant): void {
    this.put(plant, this.get(plant.id));
  }

  /**
   * The same without looking for the one with its id, which takes a while among many plants.
   *
   * @param old the plant with this id, as {@link get} gave it
   */
  put(plant: NewPlant, old: NewPlant | undefined): void {
    this.characters += lengthOf(plant) - lengthOf(old);
    this.plants.set(narrow(plant.id), plant);
    while (this.plants.size > this.most || (this.characters > MOST_CHARACTERS && this.plants.size > 1))
      this.removeOldest();
    if (this.watchers.isWatched) this.watchers.tell({ type: 'plant', plant: { ...plant } });
  }

  /** The plants, in the order in which their ids were first used. */
  list(): NewPlant[] {
    return Array.from(this.plants.values(), (plant) => ({ ...plant }));
  }

  get size(): number {
    return this.plants.size;
  }

  /** The plants whose ids were first used last, at most so many, in the same order. */
  last(most: number): NewPlant[] {
    const first = this.plants.size - most;
    const found: NewPlant[] = [];
    let at = 0;
    for (const plant of this.plants.values()) if (at++ >= first) found.push({ ...plant });
    return found;
  }

  clear(): void {
    this.plants.clear();
    this.oldest = this.plants.keys();
    this.characters = 0;
  }

  private removeOldest(): void {
    const { value: id } = this.oldest.next();
    if (id === undefined) return;
    this.characters -= lengthOf(this.plants.get(id));
    this.plants.delete(id);
  }
}

function lengthOf(plant: NewPlant | undefined): number {
  return (plant?.name.length ?? 0) + (plant?.tag?.length ?? 0);
}

/**
 * A request that the server received, and its response. `[token]` replaces the value of Authorization, and every token
 * elsewhere: in the target, the other headers and the body.
 */
export interface ReceivedRequest extends ParsedBody {
  readonly method: string;
  /** The request target: path and query. */
  readonly target: string;
  /** Names and values, as received and in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; empty if it was larger than the limit. */
  readonly body: Uint8Array;
  /** The status of the response; 0 if none was sent. */
  readonly status: number;
  /** Why it was rejected, as a sentence; missing for a success. */
  readonly rejection?: string;
  /** The failure on demand that applied to it. */
  readonly failure?: Failure;
  readonly at: Date;
}

/** What a log shows of a request. */
export type RequestLine = Pick<ReceivedRequest, 'method' | 'target' | 'status' | 'rejection' | 'failure'>;

const EMPTY = new Uint8Array();

/** A slot of the ring. Slots are reused, so keeping a request allocates nothing. */
class Slot {
  method = '';
  target = '';
  headers: readonly string[] = [];
  body: Uint8Array = EMPTY;
  /** A copy of the length: reading it from an old body would cost a cache miss. */
  bodyLength = 0;
  status = 0;
  rejection: string | undefined;
  failure: Failure | undefined;
  time = 0;
}

/** With large bodies, fewer requests are kept. */
const MOST_BODY_BYTES = 64 * 1024 * 1024;

/** The last requests of a server, in a ring, because adding to it must be fast. */
export class ReceivedLog {
  private readonly ring: Slot[];
  /** The number of requests ever added, and the number of the oldest that is kept. */
  private added = 0;
  private oldest = 0;
  private bodyBytes = 0;
  /** The number of the last request, kept or not. */
  private count = 0;

  /**
   * @param size how many requests are kept; 0 keeps none
   */
  constructor(
    size: number,
    private readonly redactor: TokenRedactor,
  ) {
    this.ring = Array.from({ length: size }, () => new Slot());
  }

  add(request: IncomingRequest, outcome: Outcome): void {
    this.count++;
    if (this.ring.length === 0) return;
    const slot = this.slot(this.added++);
    // The oldest slot is overwritten; clearing it first would cost more than everything else here.
    if (this.added - this.oldest > this.ring.length) this.oldest++;
    this.bodyBytes -= slot.bodyLength;
    write(slot, request, outcome);
    this.bodyBytes += slot.bodyLength;
    while (this.bodyBytes > MOST_BODY_BYTES) this.drop();
  }

  /** The kept requests, oldest first. The spread parses their bodies, so that they print as data. */
  list(): ReceivedRequest[] {
    const kept: ReceivedRequest[] = [];
    for (let i = this.oldest; i < this.added; i++) kept.push({ ...this.shown(this.slot(i)) });
    return kept;
  }

  /** The kept requests with their numbers, oldest first. */
  listNumbered(): NumberedRequest[] {
    const kept = this.list();
    const before = this.count - kept.length;
    return kept.map((request, index) => ({ number: before + index + 1, ...request }));
  }

  /** The request that was added last, as {@link listNumbered} shows it. */
  showLast(request: IncomingRequest, outcome: Outcome): NumberedRequest {
    return { number: this.count, ...this.show(request, outcome) };
  }

  /** One request as {@link list} shows it; it need not be kept. */
  show(request: IncomingRequest, outcome: Outcome): ReceivedRequest {
    const slot = new Slot();
    write(slot, request, outcome);
    return this.shown(slot);
  }

  /** The same for a log, without what only costs time there: headers and body. */
  line(request: IncomingRequest, { status, rejection, failure }: Outcome): RequestLine {
    const redact = this.redactor.forRequest(request.headers);
    return {
      method: request.method,
      target: redact(request.target),
      status,
      ...(rejection !== undefined && { rejection: redact(rejection) }),
      ...(failure !== undefined && { failure }),
    };
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

  /** A copy with tokens redacted. */
  private shown({ method, target, headers, body, status, rejection, failure, time }: Slot): ReceivedRequest {
    const redact = this.redactor.forRequest(headers);
    const fields = fieldsFrom(headers).map(([name, value]) => {
      // An unknown token is a secret too: it may be valid elsewhere.
      const isSecret = name.toLowerCase() === 'authorization';
      return [name, isSecret ? value.replace(/^(bearer )?.*$/is, '$1[token]') : redact(value)] as const;
    });
    return withJson({
      method,
      target: redact(target),
      headers: fields,
      body: redactedBody(body, redact),
      status,
      ...(rejection !== undefined && { rejection: redact(rejection) }),
      ...(failure !== undefined && { failure: structuredClone(failure) }),
      at: new Date(time),
    });
  }
}

function redactedBody(body: Uint8Array, redact: (text: string) => string): Uint8Array {
  // Latin-1 preserves every byte, and a token is ASCII.
  const text = Buffer.from(body).toString('latin1');
  const redacted = redact(text);
  // slice() of a Buffer would not copy.
  return redacted === text ? new Uint8Array(body) : Buffer.from(redacted, 'latin1');
}

function write(slot: Slot, request: IncomingRequest, { status, rejection, failure }: Outcome): void {
  const { method, target, headers, body = EMPTY } = request;
  slot.method = method;
  slot.target = target;
  slot.headers = headers;
  slot.body = body;
  slot.bodyLength = body.length;
  slot.status = status;
  slot.rejection = rejection;
  slot.failure = failure;
  slot.time = Date.now();
}
