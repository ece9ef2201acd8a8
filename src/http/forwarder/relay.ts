import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { reasonOf } from '../../toolkit-error.js';
import {
  type ForwardedExchange,
  type ForwardedRequest,
  type ForwardedResponse,
  memoryOfHead,
  type RequestHead,
  type ResponseHead,
} from '../exchange.js';
import { fieldsFrom } from '../fields.js';
import { limitInWords, limits, type SharedLimit } from '../limits.js';
import { connectionOf, delayCloseUntilRequestEnds } from './connections.js';
import {
  endToEnd,
  flushHeadAlone,
  responseProblem,
  trailersFrom,
  withLength,
  withTrailerField,
} from './framing.js';
import { KeptBody } from './kept-body.js';

/** How exchanges are relayed, and who is called. */
export interface RelayOptions {
  /**
   * Changes a request before it is forwarded. The request is then read to its end first. `undefined` closes the
   * connection and sends nothing.
   */
  readonly rewrite?: (request: ForwardedRequest) => (RequestHead & { readonly body: Uint8Array }) | undefined;
  /** Changes the head of a response before it is sent. The exchange has the head as it came. */
  readonly rewriteResponse?: (response: ResponseHead) => ResponseHead;
  /**
   * Says why a whole response is not sent. With this function, no byte of a response is sent before it is whole, and none
   * if it is longer than `keptBytes`.
   */
  readonly whyUnsent?: (response: ForwardedResponse) => string | undefined;
  /** Milliseconds for an exchange; then the connection is closed without a response. Default: no limit. */
  readonly timeoutMs?: number;
  /** How many bytes of a body an exchange has. Default 2 MiB; all of them are forwarded. */
  readonly keptBytes?: number;
  /** The limit on the bodies of all exchanges under way. Default: none. */
  readonly keptTogether?: SharedLimit<KeptBody>;
  /** Called when a request is forwarded, before its first byte. */
  readonly onBegin?: (request: RequestHead) => void;
  /** Called at the end of each exchange, once for each that has begun. */
  readonly onExchange?: (exchange: ForwardedExchange) => void;
}

/** Relays one request to the upstream, and the response back, as they come. */
export function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  options: RelayOptions,
  open: (head: RequestHead) => ClientRequest,
): void {
  const { rewrite, keptBytes = limits.body, keptTogether } = options;
  const { method = '', url: target = '', rawHeaders } = incoming;
  const isChunked = incoming.headers['transfer-encoding'] !== undefined && rewrite === undefined;
  const head = { method, target, headers: withTrailerField(endToEnd(fieldsFrom(rawHeaders)), isChunked) };
  const kept = new KeptBody(keptBytes, keptTogether);
  if (rewrite === undefined) {
    const framing = isChunked ? ([['Transfer-Encoding', 'chunked']] as const) : [];
    const sent = open({ ...head, headers: [...head.headers, ...framing] });
    new Exchange(outgoing, options, sent, kept, () => ({ ...head, ...kept.of(incoming) }));
    forwardBody(incoming, sent, kept);
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
    const request = { ...kept.of(incoming), ...changed, bodyLength: changed.body.length };
    new Exchange(outgoing, options, sent, kept, () => request);
    sent.end(changed.body);
  });
}

/** Forwards the body of a request as it comes. */
function forwardBody(incoming: IncomingMessage, sent: ClientRequest, kept: KeptBody): void {
  incoming.on('data', (chunk: Buffer) => kept.add(chunk));
  incoming.pipe(sent, { end: false });
  incoming.once('end', () => {
    if (sent.destroyed) return;
    const trailers = trailersFrom(incoming.rawTrailers);
    if (trailers.length > 0) sent.addTrailers(trailers);
    sent.end();
  });
  // An upstream may respond and close before it has read everything. Some clients read only after they have sent it.
  sent.once('close', () => {
    if (!incoming.readableEnded) incoming.resume();
  });
  flushHeadAlone(sent, kept);
}

/** One exchange under way: relays its response, and reports it when it ends. */
class Exchange {
  private readonly start = performance.now();
  private readonly timer: NodeJS.Timeout | undefined;
  private received: IncomingMessage | undefined;
  private responseBody: KeptBody | undefined;
  /** Set once no more of it will come. */
  private response: ForwardedResponse | undefined;
  private hasSurplus = false;
  private whyIncomplete: string | undefined;
  private hasEnded = false;

  /**
   * @param requestBody what is kept of its body
   * @param request what is known of the request so far
   */
  constructor(
    private readonly outgoing: ServerResponse,
    private readonly options: RelayOptions,
    private readonly sent: ClientRequest,
    private readonly requestBody: KeptBody,
    private readonly request: () => ForwardedRequest,
  ) {
    const { timeoutMs, onBegin } = options;
    onBegin?.(request());
    if (timeoutMs !== undefined)
      this.timer = setTimeout(() => this.fail(`no response within ${timeoutMs} ms`), timeoutMs);
    this.listenToUpstream();
    this.listenToClient();
  }

  private listenToUpstream(): void {
    const { sent, outgoing } = this;
    // An upstream may send it any number of times, but a client needs it once.
    sent.once('continue', () => {
      if (outgoing.req.httpVersionMinor > 0) outgoing.writeContinue();
    });
    sent.once('upgrade', (_received, socket) => {
      socket.destroy();
      this.fail('the upstream switched protocols');
    });
    sent.on('error', (cause: NodeJS.ErrnoException) => {
      // A response that has begun ends by itself, complete or not.
      if (this.received === undefined) this.fail(this.reasonFor(cause));
      else if (!this.received.complete) this.whyIncomplete = `incomplete response: ${cause.message}`;
      else if (cause.code?.startsWith('HPE_')) this.hasSurplus = true;
    });
    sent.on('response', (received) => {
      this.received = received;
      try {
        this.forward(received);
      } catch (cause) {
        this.fail(`the response cannot be forwarded: ${(cause as Error).message}`);
      }
    });
  }

  private listenToClient(): void {
    const { sent, outgoing } = this;
    connectionOf(outgoing.req.socket).onBrokenBody = (reason) => {
      this.end(`the request cannot be read: ${reason}`);
      sent.destroy();
    };
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) this.fail('the client went away');
    });
  }

  /** Forwards the response, or what of it may be forwarded. */
  private forward(received: IncomingMessage): void {
    const { rewriteResponse = (head) => head, keptBytes = limits.body, keptTogether } = this.options;
    const { outgoing } = this;
    const head = {
      status: received.statusCode ?? 0,
      reason: received.statusMessage ?? '',
      headers: fieldsFrom(received.rawHeaders),
    };
    const framing = { httpVersion: received.httpVersion, headers: head.headers };
    const problem = responseProblem(framing, head.status);
    if (problem !== undefined) throw new Error(problem);
    connectionOf(outgoing.req.socket).holdUntilClosed(outgoing, memoryOfHead(head.headers));
    const kept = new KeptBody(keptBytes, keptTogether);
    this.responseBody = kept;
    received.on('data', (chunk: Buffer) => kept.add(chunk));
    const soFar = (): ForwardedResponse => ({ ...head, ...kept.of(received) });
    const writeHead = (): void => this.writeHead(received, rewriteResponse(head));
    if (this.options.whyUnsent === undefined) this.forwardAsItComes(received, kept, soFar, writeHead);
    else this.forwardWhole(received, kept, soFar, writeHead);
  }

  private forwardAsItComes(
    received: IncomingMessage,
    kept: KeptBody,
    soFar: () => ForwardedResponse,
    writeHead: () => void,
  ): void {
    const { outgoing } = this;
    writeHead();
    flushHeadAlone(outgoing, kept);
    received.pipe(outgoing, { end: false });
    received.once('end', () => this.endResponse(received, soFar()));
    // An incomplete response stays incomplete: the client gets what came, and then the end of its connection.
    received.once('error', () => {
      this.responded(soFar());
      outgoing.socket?.destroySoon();
    });
  }

  private forwardWhole(
    received: IncomingMessage,
    kept: KeptBody,
    soFar: () => ForwardedResponse,
    writeHead: () => void,
  ): void {
    const { whyUnsent, keptBytes = limits.body } = this.options;
    const leaveUnsent = (why: string): void => {
      this.response ??= { ...soFar(), complete: false };
      this.fail(why);
    };
    received.on('data', () => {
      if (kept.isTooLong) leaveUnsent(`the response is longer than ${limitInWords(keptBytes)}`);
    });
    received.once('error', () => leaveUnsent('the response is incomplete'));
    received.once('end', () => {
      const response = soFar();
      const why = whyUnsent?.(response);
      if (why !== undefined) {
        leaveUnsent(why);
        return;
      }
      writeHead();
      this.outgoing.write(response.body);
      this.endResponse(received, response);
    });
  }

  private writeHead(received: IncomingMessage, { status, reason, headers }: ResponseHead): void {
    const { outgoing } = this;
    outgoing.sendDate = false;
    // If the upstream closes its connection, the client's connection ends as well.
    if (/\bclose\b/i.test(received.headers.connection ?? '')) outgoing.shouldKeepAlive = false;
    if (!outgoing.req.readableEnded) {
      delayCloseUntilRequestEnds(outgoing.req);
      keepDraining(this.sent);
    }
    const isChunked =
      received.headers['transfer-encoding'] !== undefined &&
      outgoing.req.httpVersionMinor > 0 &&
      outgoing.req.method !== 'HEAD';
    outgoing.writeHead(status, reason, withTrailerField(endToEnd(headers), isChunked).flat());
  }

  private endResponse(received: IncomingMessage, response: ForwardedResponse): void {
    this.responded({ ...response, ...(this.hasSurplus && { surplus: true }) });
    const trailers = trailersFrom(received.rawTrailers);
    if (trailers.length > 0) this.outgoing.addTrailers(trailers);
    this.outgoing.end();
  }

  /** The response has come. An early one does not end the exchange: more of the request may come. */
  private responded(response: ForwardedResponse): void {
    this.response = response;
    const { req: incoming } = this.outgoing;
    if (incoming.readableEnded) {
      this.end();
      return;
    }
    const { socket } = incoming;
    const end = (): void => {
      incoming.off('end', end);
      socket.off('close', end);
      this.end();
      // The client will not send the rest.
      if (!incoming.readableEnded) this.sent.destroy();
    };
    incoming.once('end', end);
    socket.once('close', end);
  }

  private fail(failure: string): void {
    this.end(failure);
    this.sent.destroy();
    this.outgoing.destroy();
  }

  private reasonFor(problem: NodeJS.ErrnoException): string {
    // An upstream whose client has closed its side may close as well.
    const hasClientEnded = problem.code === 'ECONNRESET' && this.outgoing.req.socket.readableEnded;
    return hasClientEnded ? 'the client went away' : `no response: ${reasonOf(problem)}`;
  }

  private end(failure = this.whyIncomplete): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    clearTimeout(this.timer);
    const { response } = this;
    this.options.onExchange?.({
      request: this.request(),
      ...(response !== undefined && { response }),
      // A failure after a complete response is not about the response.
      ...(response?.complete !== true && failure !== undefined && { failure }),
      durationMs: performance.now() - this.start,
    });
    this.requestBody.leaveLimit();
    this.responseBody?.leaveLimit();
  }
}

/** After a response, Node no longer listens to the connection, even if the request is still being written. */
function keepDraining(sent: ClientRequest): void {
  const { socket } = sent;
  const drain = (): void => void sent.emit('drain');
  socket?.on('drain', drain);
  sent.once('close', () => socket?.off('drain', drain));
}
