import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { type Fields, fieldsFrom } from '../header-fields.js';
import { KeptBody } from './kept-body.js';
import {
  endToEnd,
  type ForwardedExchange,
  type ForwardedRequest,
  type RequestHead,
  type ResponseHead,
} from './message.js';

/** How exchanges are relayed. */
export interface RelayOptions {
  /** Milliseconds that an exchange may take; then the connection is closed without an answer. Default: any number. */
  readonly timeoutMs?: number;
  /** How many bytes of a body an exchange tells. Default 1 MiB; all of them pass. */
  readonly keptBytes?: number;
  /**
   * Changes a request before it is sent on, which is then read to its end first; `undefined` closes the connection and
   * sends nothing.
   */
  readonly rewrite?: (request: ForwardedRequest) => (RequestHead & { readonly body: Uint8Array }) | undefined;
  /** Changes the head of a response before it goes back; what an exchange tells is what came. */
  readonly rewriteResponse?: (response: ResponseHead) => ResponseHead;
  /** Told when a request is sent on. */
  readonly onBegin?: () => void;
  /** Told of each exchange when it has ended, once for each that has begun. */
  readonly onExchange?: (exchange: ForwardedExchange) => void;
}

const KEPT_BYTES = 2 ** 20;

/** Relays one request to the upstream, and the answer back, as they come. */
export function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: RelayOptions,
  open: (head: RequestHead) => ClientRequest,
): void {
  const { rewrite, keptBytes = KEPT_BYTES } = options;
  const { method = '', url: target = '', rawHeaders } = incoming;
  const isChunked = incoming.headers['transfer-encoding'] !== undefined && rewrite === undefined;
  const head = { method, target, headers: withTrailerField(endToEnd(fieldsFrom(rawHeaders)), isChunked) };
  const kept = new KeptBody(keptBytes);
  const exchange = new Relayed(outgoing, options);
  if (rewrite === undefined) {
    const sent = open({ ...head, headers: [...head.headers, ...chunks(incoming)] });
    exchange.begin(sent, () => ({ ...head, ...kept.of(incoming) }));
    incoming.on('data', (chunk: Buffer) => kept.add(chunk));
    incoming.pipe(sent, { end: false });
    incoming.once('end', () => {
      const { rawTrailers } = incoming;
      if (rawTrailers.length > 0) sent.addTrailers(fieldsFrom(rawTrailers) as [string, string][]);
      sent.end();
    });
    flushHeadAlone(sent, kept);
    return;
  }
  const all: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => {
    all.push(chunk);
    kept.add(chunk);
  });
  incoming.once('end', () => {
    const body = Buffer.concat(all);
    const changed = rewrite({ ...head, ...kept.of(incoming), body });
    if (changed === undefined) {
      outgoing.destroy();
      return;
    }
    const sent = open({ ...changed, headers: withLength(changed) });
    exchange.begin(sent, () => ({ ...kept.of(incoming), ...changed, bodyLength: changed.body.length }));
    sent.end(changed.body);
  });
}

/**
 * Sends a head before its body, where that does not come at once: the other side may want to see it. Node's
 * `flushHeaders` writes it in UTF-8, and with bytes behind it in Latin-1, as it was read.
 */
function flushHeadAlone(message: ClientRequest | ServerResponse, body: KeptBody): void {
  setImmediate(() => {
    if (body.isEmpty && !message.writableEnded && !message.destroyed) message.write(NO_BYTES);
  });
}

const NO_BYTES = new Uint8Array(0);

/** `Trailer` announces fields behind chunks; Node throws where it stands without them. */
function withTrailerField(headers: Fields, isChunked: boolean): Fields {
  return isChunked ? headers : headers.filter(([name]) => name.toLowerCase() !== 'trailer');
}

/** A body whose length is not known beforehand comes in chunks, and so goes on in chunks. */
function chunks({ headers }: IncomingMessage): Fields {
  return headers['transfer-encoding'] === undefined ? [] : [['Transfer-Encoding', 'chunked']];
}

/** The length in the place where it stood: a body that was changed may have another. */
function withLength({ headers, body }: RequestHead & { readonly body: Uint8Array }): Fields {
  const length = String(body.length);
  const isLength = ([name]: Fields[number]): boolean => name.toLowerCase() === 'content-length';
  if (headers.some(isLength)) return headers.map((field) => (isLength(field) ? [field[0], length] : field));
  return body.length === 0 ? headers : [...headers, ['Content-Length', length]];
}

/** The way back of one exchange, and its end. */
class Relayed {
  private readonly start = performance.now();
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(
    private readonly outgoing: ServerResponse,
    private readonly options: RelayOptions,
  ) {}

  begin(sent: ClientRequest, request: () => ForwardedRequest): void {
    const { timeoutMs, onBegin } = this.options;
    const { outgoing } = this;
    onBegin?.();
    const fail = (failure: string): void => {
      this.end({ request: request(), failure });
      sent.destroy();
      outgoing.destroy();
    };
    if (timeoutMs !== undefined)
      this.timer = setTimeout(() => fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    sent.on('continue', () => {
      if (outgoing.req.httpVersionMinor > 0) outgoing.writeContinue();
    });
    sent.once('upgrade', (_received, socket) => {
      socket.destroy();
      fail('the upstream switched protocols');
    });
    // A host name with several addresses gives one error for all of them, which has no message of its own.
    sent.on('error', (cause) => fail(`no answer: ${cause.message || (cause as NodeJS.ErrnoException).code}`));
    sent.on('response', (received) => {
      try {
        this.back(received, request);
      } catch (cause) {
        fail(`the answer cannot be passed on: ${(cause as Error).message}`);
      }
    });
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) fail('the client went away');
      // Answered before its body had come: nobody sends the rest any more.
      else if (!sent.writableFinished) sent.destroy();
    });
  }

  private back(received: IncomingMessage, request: () => ForwardedRequest): void {
    const { rewriteResponse = (head) => head, keptBytes = KEPT_BYTES } = this.options;
    const { outgoing } = this;
    const head = {
      status: received.statusCode ?? 0,
      reason: received.statusMessage ?? '',
      headers: fieldsFrom(received.rawHeaders),
    };
    const kept = new KeptBody(keptBytes);
    const { status, reason, headers } = rewriteResponse(head);
    outgoing.sendDate = false;
    // Where the upstream closes its connection, the one before it ends as well.
    if (/\bclose\b/i.test(received.headers.connection ?? '')) outgoing.shouldKeepAlive = false;
    const isChunked =
      received.headers['transfer-encoding'] !== undefined &&
      outgoing.req.httpVersionMinor > 0 &&
      outgoing.req.method !== 'HEAD';
    outgoing.writeHead(status, reason, withTrailerField(endToEnd(headers), isChunked).flat());
    flushHeadAlone(outgoing, kept);
    received.on('data', (chunk: Buffer) => kept.add(chunk));
    received.pipe(outgoing, { end: false });
    const end = (): void => this.end({ request: request(), response: { ...head, ...kept.of(received) } });
    received.once('end', () => {
      end();
      const { rawTrailers } = received;
      if (rawTrailers.length > 0) outgoing.addTrailers(fieldsFrom(rawTrailers) as [string, string][]);
      outgoing.end();
    });
    // What breaks off there breaks off here, with all that came before.
    received.once('error', () => {
      end();
      outgoing.socket?.destroySoon();
    });
  }

  private end(exchange: Omit<ForwardedExchange, 'durationMs'>): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    this.options.onExchange?.({ ...exchange, durationMs: performance.now() - this.start });
  }
}
