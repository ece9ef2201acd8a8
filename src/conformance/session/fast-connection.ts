import type { Socket } from 'node:net';
import { withoutOuterSpace } from '../../http/fields.js';
import { openSocket, type Route } from '../../http/route.js';
import { keptResponse, LONGEST_BODY } from '../body.js';
import type { ProbeRequest, ProviderResponse } from '../exchange.js';
import type { CheckSettings } from '../options.js';
import type { ResponseOrFailure, SendResult } from './http.js';
import { messageOf } from './message.js';
import { wait } from './pace.js';

/** How long the provider may take to serve all connections. */
const OPENING_MS = 1_000;
/** Of a response in the usual form, in bytes. */
const LONGEST_HEAD = 16 * 1024;

const HEAD_END = Buffer.from('\r\n\r\n');
/** Without control characters. Of one that ends with a tab, Node's parser does not read every value. */
const TEXT = '[\\t\\x20-\\x7e\\x80-\\xff]*(?<!\\t)';
const STATUS_LINE = new RegExp(`^HTTP/1\\.([01]) ([2-5]\\d\\d)(?: (${TEXT}))?$`);
const FIELD = new RegExp(`^([!#$%&'*+\\-.^_\`|~\\w]+):(${TEXT})$`);

/**
 * A kept connection that carries one request at a time, as fast as Node allows. It reads only responses in the usual
 * form. Whatever is unusual ends the connection, and counts as a reset of a kept connection: the probe is then sent
 * again on a connection that reads everything.
 */
export class FastConnection {
  private socket: Socket | undefined;
  private received: Buffer = Buffer.alloc(0);
  private settle: ((result: ResponseOrFailure) => void) | undefined;
  /** It runs from the start of each request, so a response that never ends is late too. */
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly target: Route,
    private readonly timeoutMs: number,
  ) {}

  /** @param end what the last byte of the message waits for, if the request ends together with others */
  async send(request: ProbeRequest, end?: Promise<void>): Promise<SendResult> {
    const isUsed = this.socket !== undefined;
    const result = await new Promise<ResponseOrFailure>((settle) => {
      this.settle = settle;
      this.socket ??= this.open();
      this.timer ??= setTimeout(() => this.isLate(), this.timeoutMs).unref();
      this.timer.refresh();
      const bytes = messageOf(this.target, request);
      if (end === undefined || request.transfer?.endsTogether !== true) {
        this.socket.write(bytes);
        return;
      }
      this.socket.write(bytes.subarray(0, -1));
      void end.then(() => this.socket?.write(bytes.subarray(-1)));
    });
    return { ...result, reusedConnection: isUsed || result.failure !== undefined, connectMs: 0 };
  }

  close(): void {
    clearTimeout(this.timer);
    this.end('the connection was closed');
  }

  private open(): Socket {
    const socket = openSocket(this.target);
    socket.setNoDelay(true);
    socket.on('data', (bytes: Buffer) => this.take(bytes));
    socket.on('error', (cause) => this.end(cause.message));
    socket.on('close', () => this.end('the connection ended'));
    return socket;
  }

  private take(bytes: Buffer): void {
    this.received = this.received.length === 0 ? bytes : Buffer.concat([this.received, bytes]);
    const read = readResponse(this.received);
    if (read === 'incomplete') return;
    if (read === 'unusual' || this.settle === undefined) {
      this.end('the response is not in the usual form');
      return;
    }
    const { settle } = this;
    this.settle = undefined;
    this.received = Buffer.alloc(0);
    if (!read.isKept) this.drop();
    settle({ response: keptResponse(read.response) });
  }

  private isLate(): void {
    // It may run out between two requests, and then says nothing about either.
    if (this.settle !== undefined) this.end(`no response within ${this.timeoutMs} ms`, 'timeout');
  }

  private end(message: string, kind: 'reset' | 'timeout' = 'reset'): void {
    this.drop();
    const { settle } = this;
    this.settle = undefined;
    settle?.({ failure: { kind, message } });
  }

  private drop(): void {
    const { socket } = this;
    this.socket = undefined;
    this.received = Buffer.alloc(0);
    socket
      ?.removeAllListeners()
      .on('error', () => {})
      .destroy();
  }
}

interface Waiting {
  readonly count: number;
  readonly take: (connections: readonly FastConnection[]) => void;
}

/** The fast connections of a session. Who takes some waits until so many are free. */
export class FastConnections {
  private readonly free: FastConnection[];
  private readonly waiting: Waiting[] = [];
  readonly size: number;

  /** @param connections those that the provider serves side by side */
  constructor(connections: readonly FastConnection[]) {
    this.free = [...connections];
    this.size = connections.length;
  }

  /** Takes connections, at most all. Who asks first gets them first. */
  take(count: number): readonly FastConnection[] | Promise<readonly FastConnection[]> {
    if (this.waiting.length === 0 && this.free.length >= count) return this.free.splice(-count);
    return new Promise((take) => this.waiting.push({ count, take }));
  }

  giveBack(connections: readonly FastConnection[]): void {
    this.free.push(...connections);
    let [next] = this.waiting;
    while (next !== undefined && this.free.length >= next.count) {
      this.waiting.shift();
      next.take(this.free.splice(-next.count));
      [next] = this.waiting;
    }
  }

  close(): void {
    for (const connection of this.free) connection.close();
  }
}

/**
 * Opens as many kept connections as the provider serves side by side. Some providers serve a connection until it ends, and
 * then the next one, or have a thread for each. One more is tried than is kept: some probes need a connection of their own.
 *
 * @param isServed sends a plain plant on a connection, and says whether there was a response
 */
export async function openFastConnections(
  settings: Pick<CheckSettings, keyof Route | 'concurrency' | 'timeoutMs'>,
  isServed: (connection: FastConnection) => Promise<boolean>,
): Promise<FastConnections> {
  const { concurrency, timeoutMs } = settings;
  const tried = Array.from({ length: concurrency + 1 }, () => new FastConnection(settings, timeoutMs));
  const served = new Set<FastConnection>();
  const isOver = new AbortController();
  const all = tried.map(async (connection) => {
    if (await isServed(connection)) served.add(connection);
  });
  await Promise.race([Promise.all(all), wait(OPENING_MS, isOver.signal)]);
  isOver.abort();
  const [spare, ...kept] = served;
  for (const connection of tried) if (!served.has(connection) || connection === spare) connection.close();
  await Promise.all(all);
  return new FastConnections(kept);
}

/** A response in the usual form, and whether its connection can carry the next request. */
export interface UsualResponse {
  readonly response: ProviderResponse;
  readonly isKept: boolean;
}

/**
 * Reads a response in the usual form: a status line, fields, and a body whose length is in Content-Length or whose
 * chunks have no extensions and no trailers (RFC 9112, sections 4 to 7).
 *
 * @returns `unusual` for everything else: the caller then leaves it to Node's own parser
 */
export function readResponse(bytes: Buffer): UsualResponse | 'incomplete' | 'unusual' {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd < 0) return bytes.length > LONGEST_HEAD ? 'unusual' : 'incomplete';
  const [line = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const [, minor, status, reason = ''] = STATUS_LINE.exec(line) ?? [];
  if (status === undefined || status === '204' || status === '304') return 'unusual';
  const headers: [string, string][] = [];
  let length: string | undefined;
  let coding: string | undefined;
  let connection = minor === '1' ? 'keep-alive' : 'close';
  for (const field of lines) {
    const [, name, written] = FIELD.exec(field) ?? [];
    if (name === undefined || written === undefined) return 'unusual';
    const value = withoutOuterSpace(written);
    headers.push([name, value]);
    const lowerName = name.toLowerCase();
    if (lowerName === 'content-length') {
      if (length !== undefined) return 'unusual';
      length = value;
    } else if (lowerName === 'transfer-encoding') {
      if (coding !== undefined) return 'unusual';
      coding = value.toLowerCase();
    } else if (lowerName === 'connection') connection = value.toLowerCase();
  }
  const body =
    coding === undefined
      ? bodyOfLength(bytes, headEnd + 4, length)
      : coding === 'chunked' && length === undefined
        ? chunkedBody(bytes, headEnd + 4)
        : 'unusual';
  if (typeof body === 'string') return body;
  return {
    response: {
      status: Number(status),
      reason,
      headers,
      body,
      received: body.length,
      complete: true,
      surplus: 0,
    },
    isKept: connection === 'keep-alive',
  };
}

/** The body, if it is all there is. */
function bodyOfLength(
  bytes: Buffer,
  start: number,
  length: string | undefined,
): Buffer | 'incomplete' | 'unusual' {
  if (length === undefined || !/^\d{1,7}$/.test(length) || Number(length) > LONGEST_BODY) return 'unusual';
  const end = start + Number(length);
  if (bytes.length < end) return 'incomplete';
  return bytes.length === end ? bytes.subarray(start, end) : 'unusual';
}

function chunkedBody(bytes: Buffer, start: number): Buffer | 'incomplete' | 'unusual' {
  const chunks: Buffer[] = [];
  let at = start;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd < 0) return bytes.length - at > 8 ? 'unusual' : 'incomplete';
    const size = bytes.toString('latin1', at, lineEnd);
    if (!/^[0-9a-f]{1,6}$/i.test(size) || bytes.length > LONGEST_BODY) return 'unusual';
    const from = lineEnd + 2;
    const to = from + Number.parseInt(size, 16);
    if (bytes.length < to + 2) return 'incomplete';
    if (bytes.toString('latin1', to, to + 2) !== '\r\n') return 'unusual';
    if (to === from) return bytes.length === to + 2 ? Buffer.concat(chunks) : 'unusual';
    chunks.push(bytes.subarray(from, to));
    at = to + 2;
  }
}
