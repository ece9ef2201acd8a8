import { Buffer } from 'node:buffer';
import { fieldsFrom, type HeaderFields, headerValues } from '../http/fields.js';
import { inJsonStrings, Redactor } from '../report/redaction.js';
import { readJson } from '../validation/json.js';
import { isObject, type JsonValue } from '../validation/json-value.js';
import type { Delivery, IncomingRequest } from './exchange.js';
import { copyOf, type Failure, idOf } from './failures/failure.js';

/**
 * A request that the server received, and its response. `[redacted]` replaces the value of Authorization, and every token
 * elsewhere: in the target, the other headers and the body.
 */
export interface ReceivedRequest {
  /** 1 for the first one. The numbers go on after a reset. */
  readonly number: number;
  /** Empty if the request could not be read so far. */
  readonly method: string;
  /** The request target: path and query. Empty if the request could not be read so far. */
  readonly target: string;
  /** Names and values, as received and in order. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body; empty if it was larger than the limit. In a body of JSON, only strings are redacted. */
  readonly body: Uint8Array;
  /**
   * The body as JSON, read exactly: an integer beyond 2^53 is a `bigint`. `undefined` if the body is not JSON. Of equal
   * keys, the last one counts.
   */
  readonly json: JsonValue | undefined;
  /** The status of the response; 0 until it is sent, and if none is. */
  readonly status: number;
  /** Why it was rejected, as a sentence; missing for a success. */
  readonly rejection?: string;
  /** The failure on demand that applied to it. */
  readonly failure?: Failure;
  /** What was sent of the response: the fields, without those of the HTTP server, and the body. */
  readonly response?: { readonly headers: ReceivedRequest['headers']; readonly body: string };
  /** When it arrived. */
  readonly at: Date;
}

const MOST_REQUESTS = 1_000;
/** With large bodies, fewer requests are kept. */
const MOST_BYTES = 64 * 2 ** 20;
const NO_BYTES = new Uint8Array(0);

/** A request as it came, tokens included: most are never shown. */
export class Entry {
  readonly at = Date.now();
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Uint8Array;
  status = 0;
  rejection: string | undefined;
  failure: Failure | undefined;
  response: Pick<Delivery, 'headers' | 'body'> | undefined;
  private fields: { readonly name: unknown; readonly id: bigint | undefined } | undefined;

  constructor(
    readonly number: number,
    {
      method,
      target,
      headers,
      body = NO_BYTES,
    }: Pick<IncomingRequest, 'method' | 'target' | 'headers' | 'body'>,
  ) {
    this.method = method;
    this.target = target;
    this.headers = headers;
    this.body = body;
  }

  /** Keeps what was sent of its response. */
  respond({ status, headers, body }: Pick<Delivery, 'status' | 'headers' | 'body'>): void {
    this.status = status;
    // A slice of a long text would keep all of it.
    const kept =
      body.length < LONGEST_RESPONSE
        ? body
        : Buffer.from(body.slice(0, LONGEST_RESPONSE), 'latin1').toString('latin1');
    this.response = { headers, body: kept };
  }

  /** Name and id of its plant. The body is read once, so that many waits cost little. */
  get plant(): { readonly name: unknown; readonly id: bigint | undefined } {
    if (this.fields === undefined) {
      const read = readJson(this.body);
      const { name, id } = read.ok && isObject(read.value) ? read.value : {};
      this.fields = { name, id: idOf(id) };
    }
    return this.fields;
  }
}

/** The last requests of a server, in a ring, in the order in which they arrived. */
export class Journal {
  /** Called for each request when it arrives. */
  readonly watchers = new Set<(entry: Entry) => void>();
  private readonly ring: (Entry | undefined)[] = new Array(MOST_REQUESTS).fill(undefined);
  private readonly redactor: Redactor;
  /** How many were received, and the number of the oldest one that is kept. */
  private count = 0;
  private oldest = 1;
  private bytes = 0;

  /** @param tokens those that the server accepts */
  constructor(tokens: readonly string[]) {
    this.redactor = new Redactor(tokens.map((value) => ({ value })));
  }

  /** Keeps a request that has arrived. What becomes of it is written into the entry. */
  add(request: Pick<IncomingRequest, 'method' | 'target' | 'headers' | 'body'>): Entry {
    const entry = new Entry(++this.count, request);
    if (this.count - this.oldest === MOST_REQUESTS) this.dropOldest();
    this.ring[this.count % MOST_REQUESTS] = entry;
    this.bytes += entry.body.length;
    while (this.bytes > MOST_BYTES) this.dropOldest();
    for (const watch of this.watchers) watch(entry);
    return entry;
  }

  /** The kept requests, oldest first. */
  *entries(): Generator<Entry> {
    for (let number = this.oldest; number <= this.count; number++)
      yield this.ring[number % MOST_REQUESTS] as Entry;
  }

  /** Forgets all requests, also those that are not answered yet. */
  clear(): void {
    this.ring.fill(undefined);
    this.oldest = this.count + 1;
    this.bytes = 0;
  }

  /** A copy with tokens redacted, and with the body as JSON. */
  shown({
    number,
    method,
    target,
    headers,
    body: given,
    at,
    status,
    rejection,
    failure,
    response,
  }: Entry): ReceivedRequest {
    const redact = this.redactorFor(headers);
    const body = redactedBody(given, redact);
    const read = readJson(body);
    return {
      number,
      method,
      target: redact(target),
      headers: fieldsFrom(headers).map(([name, value]) => {
        // An unknown token is a secret too: it may be valid elsewhere.
        const isSecret = name.toLowerCase() === 'authorization';
        return [name, isSecret ? value.replace(/^(bearer )?.*$/is, '$1[redacted]') : redact(value)] as const;
      }),
      body,
      json: read.ok ? read.value : undefined,
      status,
      ...(rejection !== undefined && { rejection: redact(rejection) }),
      ...(failure !== undefined && { failure: copyOf(failure) }),
      ...(response !== undefined && { response: shownResponse(response, redact) }),
      at: new Date(at),
    };
  }

  /**
   * Takes tokens out of texts about a request, and remembers its credentials. An unknown token is taken out too, since it may
   * be valid elsewhere, and so is what is called `access_token`.
   */
  redactorFor(headers: HeaderFields): (text: string) => string {
    const credentials = headerValues(headers, 'authorization').filter((value) => value.length >= LONG_TOKEN);
    this.redactor.see(credentials.map((value) => ['authorization', value]));
    return (text) => this.redactor.message(text).replace(ACCESS_TOKEN, '$1[redacted]');
  }

  private dropOldest(): void {
    const at = this.oldest++ % MOST_REQUESTS;
    this.bytes -= this.ring[at]?.body.length ?? 0;
    this.ring[at] = undefined;
  }
}

/** A longer body of a response is cut: the response to a plant has its name. */
const LONGEST_RESPONSE = 16 * 1024;

function shownResponse(
  { headers, body }: Pick<Delivery, 'headers' | 'body'>,
  redact: (text: string) => string,
) {
  return {
    headers: fieldsFrom(headers).map(([name, value]) => [name, redact(value)] as const),
    body: redact(Buffer.from(body, 'latin1').toString() + (body.length === LONGEST_RESPONSE ? '…' : '')),
  };
}

/** `Bearer` and a token that is no word of an ordinary text. */
const LONG_TOKEN = 'Bearer 12345678'.length;

/** The value of `access_token` is a token too (RFC 6750, section 2). */
const ACCESS_TOKEN = /(access_token["']?\s*[=:]\s*["']?)[^&\s"']+/g;

/** A copy of a body without tokens. JSON stays JSON: only its strings change. */
function redactedBody(body: Uint8Array, redact: (text: string) => string): Uint8Array {
  const isJson = readJson(body).ok;
  // Latin-1 preserves every byte, and a token is ASCII.
  const encoding = isJson ? 'utf8' : 'latin1';
  const text = Buffer.from(body).toString(encoding);
  const redacted = isJson
    ? inJsonStrings(text, (one, key) => (key === 'access_token' ? '[redacted]' : redact(one)))
    : redact(text);
  return redacted === text ? new Uint8Array(body) : new Uint8Array(Buffer.from(redacted, encoding));
}
