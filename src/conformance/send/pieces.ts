import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { areInLowerCase, headerValues } from '../../http/fields.js';
import { openSocket, type Route, withHost } from '../../http/route.js';
import { operation } from '../../spec/operation.js';
import { type Fields, type ProbeRequest, requestTarget, type Transfer } from '../exchange.js';

/** Some firewalls reject requests without this field. */
const USER_AGENT = ['User-Agent', 'plant-store-contract'] as const;
/** As curl and fetch send it. Some servers respond with 406 to a client that does not say what it accepts. */
const ACCEPT = ['Accept', '*/*'] as const;
const LAST_CHUNK = Buffer.from('0\r\n\r\n');
/** After the first segment, before which the provider may still have to accept the connection. */
const FIRST_PAUSE_MS = 20;
/** Between two segments. The kernel would otherwise join them. */
const PAUSE_MS = 6;
/** A provider in this process reads between two turns of the event loop. A busy one may need some. */
const TURNS = 3;
/** How long the body waits for a 100 (RFC 9110, section 10.1.1: a client does not wait forever). */
const CONTINUE_MS = 300;

/** The method of a request. */
export function methodOf({ otherOperation }: ProbeRequest): string {
  return otherOperation?.method ?? operation.method;
}

/** All header fields of a request, in order; `Connection` is left to the transport. */
export function fieldsOf({ url, headers: extra }: Route, request: ProbeRequest): Fields {
  const { headers, body, otherOperation, chunked, withoutUserAgent } = request;
  const all = withOneCookie([...headers, ...extra]);
  // A probe may have one, and so may the user. Two would make the request malformed.
  const agent = all.find(isUserAgent);
  const own = all.filter((field) => field === agent || !isUserAgent(field));
  const isBodiless = otherOperation !== undefined && body.length === 0;
  const length: Fields = isBodiless ? [] : [['Content-Length', String(body.length)]];
  return [
    ...withHost(own, url),
    ...(headerValues(all, 'accept').length > 0 ? [] : [ACCEPT]),
    ...(agent === undefined && withoutUserAgent !== true ? [USER_AGENT] : []),
    ...(chunked ? ([['Transfer-Encoding', 'chunked']] as const) : length),
  ].map(([name, value]) => [spelledFor(request, name), value] as const);
}

/** A client sends all cookies in one field (RFC 6265, section 5.4): those of a probe, and those of the user. */
function withOneCookie(fields: Fields): Fields {
  const isCookie = ([name]: Fields[number]): boolean => name.toLowerCase() === 'cookie';
  const [first, ...others] = fields.filter(isCookie);
  if (first === undefined || others.length === 0) return fields;
  const joined = [first, ...others].map(([, value]) => value).join('; ');
  return fields
    .filter((field) => field === first || !isCookie(field))
    .map(([name, value]) => [name, name === first[0] && value === first[1] ? joined : value]);
}

/** The name of a field that the transport adds: a client that writes its own names in lower case writes all so. */
export function spelledFor({ headers }: ProbeRequest, name: string): string {
  return areInLowerCase(headers) ? name.toLowerCase() : name;
}

function isUserAgent([name]: Fields[number]): boolean {
  return name.toLowerCase() === 'user-agent';
}

/** The request line and the header fields of a request on a connection of its own, without the empty line. */
export function headOf(target: Route, request: ProbeRequest): string {
  const version = request.transfer?.http10 === true ? '1.0' : '1.1';
  const line = `${methodOf(request)} ${requestTarget(target.url, request)} HTTP/${version}\r\n`;
  const fields = fieldsOf(target, request).map(lineOf).join('');
  return `${line}${fields}${spelledFor(request, 'Connection')}: close`;
}

/**
 * The bytes of a request in the pieces in which they go out.
 *
 * @param head the request line and the header fields, without the empty line
 */
export function piecesOf(
  head: string,
  body: Uint8Array,
  isChunked: boolean,
  transfer: Transfer,
): readonly Buffer[] {
  const framed = isChunked ? inChunks(body, transfer) : Buffer.from(body);
  // Field values are bytes, one for each character (RFC 9110, section 5.5).
  const headBytes = Buffer.from(`${head}\r\n\r\n`, 'latin1');
  const bodyPieces = cut(framed, transfer.bodyCuts);
  const isHeadApart = transfer.awaitContinue === true || transfer.bodyCuts?.includes(0);
  if (isHeadApart) return [headBytes, ...bodyPieces];
  // Without a cut between them, the head and the beginning of the body share a segment.
  const [first = Buffer.of(), ...rest] = bodyPieces;
  return [Buffer.concat([headBytes, first]), ...rest];
}

/** A body in chunks (RFC 9112, section 7.1). */
function inChunks(body: Uint8Array, { chunks = [] }: Transfer): Buffer {
  const parts: Uint8Array[] = [];
  for (let at = 0, index = 0; at < body.length; index++) {
    const size = Math.max(1, Math.min(chunks[index] ?? chunks.at(-1) ?? body.length, body.length - at));
    parts.push(Buffer.from(`${size.toString(16)}\r\n`), body.subarray(at, at + size), Buffer.from('\r\n'));
    at += size;
  }
  return Buffer.concat([...parts, LAST_CHUNK]);
}

/** Cuts bytes at positions. Those below 0 count from the end, and those outside the bytes are ignored. */
function cut(bytes: Buffer, cuts: readonly number[] = []): readonly Buffer[] {
  const places = cuts
    .map((at) => (at < 0 ? bytes.length + at : at))
    .filter((at) => at > 0 && at < bytes.length);
  const edges = [0, ...new Set(places.sort((a, b) => a - b)), bytes.length];
  return edges
    .slice(1)
    .map((end, at) => bytes.subarray(edges[at], end))
    .filter(({ length }) => length > 0);
}

function lineOf([name, value]: Fields[number]): string {
  return `${name}: ${value}\r\n`;
}

/**
 * A connection that sends a message in our own pieces, and lets Node's HTTP client read the response. What the client
 * itself writes is dropped: it would write the whole message at once.
 */
export class PiecewiseConnection extends Duplex {
  private readonly socket: Socket;
  private readonly opened: Promise<void>;
  private begun = false;
  private isAwaited = false;
  private isStopped = false;
  private goOn = (): void => {};
  private readonly goingOn = new Promise<void>((resolve) => {
    this.goOn = resolve;
  });

  /** @param awaitsContinue whether the body waits for {@link continue} */
  constructor(
    target: Route,
    private readonly pieces: readonly Buffer[],
    private readonly awaitsContinue: boolean,
  ) {
    super();
    const socket = openSocket(target);
    this.socket = socket;
    this.opened = new Promise((resolve) => {
      socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => resolve());
    });
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => {
      if (!this.push(awaitsContinue ? withoutConnectionField(chunk) : chunk)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (cause) => this.destroy(cause));
    socket.on('close', () => this.destroy());
  }

  get connecting(): boolean {
    return this.socket.connecting;
  }

  /** Call it when there is a 100: the provider waits for the body, even if a final response comes at once. */
  continue(): void {
    this.isAwaited = true;
    this.goOn();
  }

  /** Call it when there is a final response: nothing more needs to be sent. */
  stop(): void {
    this.isStopped = !this.isAwaited;
    this.goOn();
  }

  override _read(): void {
    this.socket.resume();
  }

  override _write(_chunk: unknown, _encoding: string, done: () => void): void {
    if (!this.begun) {
      this.begun = true;
      void this.sendAll();
    }
    done();
  }

  override _destroy(cause: Error | null, done: (cause: Error | null) => void): void {
    this.socket.destroy();
    done(cause);
  }

  private async sendAll(): Promise<void> {
    await this.opened;
    for (const [at, piece] of this.pieces.entries()) {
      if (at > 0) await this.untilNext(at);
      if (this.isStopped || this.socket.destroyed) return;
      this.socket.write(piece);
    }
  }

  private async untilNext(at: number): Promise<void> {
    if (at === 1 && this.awaitsContinue)
      return Promise.race([this.goingOn, sleep(CONTINUE_MS, undefined, { ref: false })]);
    await sleep(at === 1 ? FIRST_PAUSE_MS : PAUSE_MS);
    for (let turn = 0; turn < TURNS; turn++) await nextTurn();
  }
}

const INTERIM_HEAD = /^HTTP\/1\.1 1\d\d[\s\S]*?\r\n\r\n/;

/**
 * Bytes of a response without the field Connection of a 100 at their beginning. Reactor Netty and MochiWeb send "Connection: close" in
 * it. After that, Node's parser takes the final response for data that is too much, and curl reads it.
 */
function withoutConnectionField(chunk: Buffer): Buffer {
  const text = chunk.toString('latin1');
  const head = INTERIM_HEAD.exec(text)?.[0];
  if (head === undefined) return chunk;
  return Buffer.from(head.replace(/\r\nConnection:[^\r\n]*/gi, '') + text.slice(head.length), 'latin1');
}
