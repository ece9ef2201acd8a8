import { fieldsFrom } from '../http/fields.js';
import type { NewPlant } from '../spec/types.js';
import { readJson } from '../validation/json.js';
import { type JsonValue, narrow } from '../validation/json-value.js';
import type { IncomingRequest, Outcome } from './exchange.js';
import type { Failure } from './failures/failure.js';
import type { TokenRedactor } from './token.js';

/** The plants of one server. `7` and `7n` are the same id. */
export class PlantMap {
  private readonly plants = new Map<number | bigint, NewPlant>();

  has(id: number | bigint): boolean {
    return this.plants.has(narrow(id));
  }

  /** The plant with an id. */
  get(id: number | bigint): NewPlant | undefined {
    return this.plants.get(narrow(id));
  }

  /** Stores a plant, or replaces the one with its id. */
  set(plant: NewPlant): void {
    this.plants.set(narrow(plant.id), plant);
  }

  /** The plants, in the order in which their ids were first used. */
  list(): NewPlant[] {
    return Array.from(this.plants.values(), (plant) => ({ ...plant }));
  }

  clear(): void {
    this.plants.clear();
  }
}

/**
 * A request that the server received, and its response. `[redacted]` replaces the value of Authorization, and every token
 * elsewhere: in the target, the other headers and the body.
 */
export interface ReceivedRequest {
  readonly method: string;
  /** The request target: path and query. */
  readonly target: string;
  /** Names and values, as received and in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; empty if it was larger than the limit. */
  readonly body: Uint8Array;
  /**
   * The body as JSON, read exactly: an integer beyond 2^53 is a `bigint`. `undefined` if the body is not JSON. Of equal
   * keys, the last one counts.
   */
  readonly json: JsonValue | undefined;
  /** The status of the response; 0 if none was sent. */
  readonly status: number;
  /** Why it was rejected, as a sentence; missing for a success. */
  readonly rejection?: string;
  /** The failure on demand that applied to it. */
  readonly failure?: Failure;
  readonly at: Date;
}

/** A received request with its number: 1 for the first one. The numbers go on after a reset. */
export interface NumberedRequest extends ReceivedRequest {
  readonly number: number;
}

const EMPTY = new Uint8Array();

/** What is kept of a request: all but its connection. */
interface Kept extends Outcome {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly time: number;
}

/** The last requests of a server. */
export class ReceivedLog {
  private readonly kept: Ring<Kept>;

  /**
   * @param most how many requests are kept; 0 keeps none
   */
  constructor(
    most: number,
    private readonly redactor: TokenRedactor,
  ) {
    this.kept = new Ring(most);
  }

  add(request: IncomingRequest, outcome: Outcome): void {
    this.kept.add(keptOf(request, outcome), request.body?.length ?? 0);
  }

  /** The kept requests, oldest first. The spread parses their bodies, so that they print as data. */
  list(): ReceivedRequest[] {
    return Array.from(this.kept.entries(), ([, kept]) => ({ ...this.shown(kept) }));
  }

  /** The kept requests with their numbers, oldest first. */
  listNumbered(): NumberedRequest[] {
    return Array.from(this.kept.entries(), ([number, kept]) => ({ number, ...this.shown(kept) }));
  }

  /** The request that was added last, as {@link listNumbered} shows it. */
  showLast(request: IncomingRequest, outcome: Outcome): NumberedRequest {
    return { number: this.kept.total, ...this.show(request, outcome) };
  }

  /** One request as {@link list} shows it; it need not be kept. */
  show(request: IncomingRequest, outcome: Outcome): ReceivedRequest {
    return this.shown(keptOf(request, outcome));
  }

  clear(): void {
    this.kept.clear();
  }

  /** A copy with tokens redacted. */
  private shown({ method, target, headers, body, status, rejection, failure, time }: Kept): ReceivedRequest {
    const redact = this.redactor.forRequest(headers);
    const fields = fieldsFrom(headers).map(([name, value]) => {
      // An unknown token is a secret too: it may be valid elsewhere.
      const isSecret = name.toLowerCase() === 'authorization';
      return [name, isSecret ? value.replace(/^(bearer )?.*$/is, '$1[redacted]') : redact(value)] as const;
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

/** Adds the body as JSON. It is parsed when it is read first: most log entries are never read so closely. */
function withJson(request: Omit<ReceivedRequest, 'json'>): ReceivedRequest {
  return Object.defineProperty(request, 'json', {
    enumerable: true,
    configurable: true,
    get() {
      const read = readJson(request.body);
      const value = read.ok ? read.value : undefined;
      Object.defineProperty(request, 'json', { value, enumerable: true });
      return value;
    },
  }) as ReceivedRequest;
}

function redactedBody(body: Uint8Array, redact: (text: string) => string): Uint8Array {
  // Latin-1 preserves every byte, and a token is ASCII.
  const text = Buffer.from(body).toString('latin1');
  const redacted = redact(text);
  // slice() of a Buffer would not copy.
  return redacted === text ? new Uint8Array(body) : Buffer.from(redacted, 'latin1');
}

function keptOf({ method, target, headers, body = EMPTY }: IncomingRequest, outcome: Outcome): Kept {
  const { status, rejection, failure } = outcome;
  return { method, target, headers, body, status, rejection, failure, time: Date.now() };
}

/** With large things, fewer are kept. */
const MOST_BYTES = 64 * 2 ** 20;

/** The last things that were added, in bounded memory. Each has a number: 1 for the first one ever added. */
export class Ring<T> {
  private readonly things: (T | undefined)[] = [];
  /** How many bytes each one takes: to look into an old thing would cost a cache miss. */
  private readonly sizes: number[] = [];
  private bytes = 0;
  private count = 0;
  /** The number of the first one that is kept. */
  private oldest = 1;

  /** @param most how many are kept */
  constructor(readonly most: number) {}

  /** How many were added in all: the number of the last one. */
  get total(): number {
    return this.count;
  }

  /** @returns its number */
  add(thing: T, bytes: number): number {
    const number = ++this.count;
    if (this.most === 0) {
      this.oldest++;
      return number;
    }
    if (number - this.oldest >= this.most) this.drop();
    const place = number % this.most;
    this.things[place] = thing;
    this.sizes[place] = bytes;
    this.bytes += bytes;
    while (this.bytes > MOST_BYTES) this.drop();
    return number;
  }

  get(number: number): T | undefined {
    return number >= this.oldest && number <= this.count ? this.things[number % this.most] : undefined;
  }

  /** The kept ones with their numbers, oldest first. */
  *entries(): Generator<readonly [number: number, thing: T]> {
    for (let number = this.oldest; number <= this.count; number++) yield [number, this.get(number) as T];
  }

  /** Forgets all. The numbers go on. */
  clear(): void {
    while (this.oldest <= this.count) this.drop();
  }

  private drop(): void {
    const place = this.oldest++ % this.most;
    this.bytes -= this.sizes[place] ?? 0;
    this.things[place] = undefined;
    this.sizes[place] = 0;
  }
}
