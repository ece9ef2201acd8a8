import { fieldsFrom } from '../http/fields.js';
import type { NewPlant } from '../spec/types.js';
import { readJson } from '../validation/json.js';
import { type JsonValue, narrow } from '../validation/json-value.js';
import type { IncomingRequest } from './exchange.js';
import { copyOf, type Failure } from './failures/failure.js';
import type { TokenRedactor } from './token.js';

/** The plants of one server. `7` and `7n` are the same id. */
export class PlantMap {
  private readonly plants = new Map<number | bigint, NewPlant>();

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
  /** 1 for the first one. The numbers go on after a reset. */
  readonly number: number;
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

/** How a request ended. */
type Outcome = Pick<ReceivedRequest, 'status' | 'rejection' | 'failure'>;

const MOST_REQUESTS = 1_000;
/** With large bodies, fewer requests are kept. */
const MOST_BYTES = 64 * 2 ** 20;

/** A request as it came, tokens included: most are never shown. */
interface Kept extends Outcome {
  readonly number: number;
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  readonly at: number;
}

/** The last requests of a server. */
export class ReceivedLog {
  private kept: Kept[] = [];
  private bytes = 0;
  private count = 0;

  constructor(private readonly redactor: TokenRedactor) {}

  /** @returns a function that shows it as {@link list} does */
  add(request: IncomingRequest, outcome: Outcome): () => ReceivedRequest {
    const { method, target, headers, body = new Uint8Array() } = request;
    const entry = { ...outcome, number: ++this.count, method, target, headers, body, at: Date.now() };
    this.kept.push(entry);
    this.bytes += body.length;
    while (this.kept.length > MOST_REQUESTS || this.bytes > MOST_BYTES)
      this.bytes -= this.kept.shift()?.body.length ?? 0;
    return () => this.shown(entry);
  }

  /** The kept requests, oldest first. */
  list(): ReceivedRequest[] {
    return this.kept.map((entry) => this.shown(entry));
  }

  clear(): void {
    this.kept = [];
    this.bytes = 0;
  }

  /** A copy with tokens redacted, and with the body as JSON. */
  private shown({ headers, rejection, failure, at, ...entry }: Kept): ReceivedRequest {
    const redact = this.redactor.forRequest(headers);
    const body = redactedBody(entry.body, redact);
    const read = readJson(body);
    return {
      ...entry,
      target: redact(entry.target),
      headers: fieldsFrom(headers).map(([name, value]) => {
        // An unknown token is a secret too: it may be valid elsewhere.
        const isSecret = name.toLowerCase() === 'authorization';
        return [name, isSecret ? value.replace(/^(bearer )?.*$/is, '$1[redacted]') : redact(value)] as const;
      }),
      body,
      json: read.ok ? read.value : undefined,
      ...(rejection !== undefined && { rejection: redact(rejection) }),
      ...(failure !== undefined && { failure: copyOf(failure) }),
      at: new Date(at),
    };
  }
}

function redactedBody(body: Uint8Array, redact: (text: string) => string): Uint8Array {
  // Latin-1 preserves every byte, and a token is ASCII.
  const text = Buffer.from(body).toString('latin1');
  const redacted = redact(text);
  return redacted === text ? new Uint8Array(body) : Buffer.from(redacted, 'latin1');
}
