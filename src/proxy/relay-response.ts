import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import {
  type ForwardedExchange,
  type ForwardedRequest,
  type ForwardedResponse,
  memoryOfHead,
  type RequestHead,
  type ResponseHead,
} from '../http/exchange.js';
import { fieldsFrom } from '../http/fields.js';
import { limits } from '../http/limits.js';
import type { SharedLimit } from '../http/shared-limit.js';
import { reasonOf } from '../toolkit-error.js';
import { connectionOf } from './client-connection.js';
import { delayCloseUntilRequestEnds } from './connections.js';
import { endToEnd, flushHeadAlone, trailersFrom, withTrailerField } from './framing.js';
import { responseProblem } from './framing-problem.js';
import { KeptBody } from './kept-body.js';
import { untilWhole } from './whole-response.js';

/** How responses are relayed, and who is called. */
export interface ResponseRelayOptions {
  /** Milliseconds for an exchange; then the connection is closed without a response. Default: no limit. */
  readonly timeoutMs?: number;
  /** How many bytes of a body an exchange has. Default 2 MiB; all of them are forwarded. */
  readonly keptBytes?: number;
  /** The limit on the bodies of all exchanges under way. Default: none. */
  readonly keptTogether?: SharedLimit<KeptBody>;
  /** Sends no byte of a response before it is whole. If it is longer than `keptBytes`, also decoded, it is not sent at all. */
  readonly holdsResponses?: boolean;
  /** Changes the head of a response before it is sent. The exchange has the head as it came. */
  readonly rewriteResponse?: (response: ResponseHead) => ResponseHead;
  /** Called when a request is forwarded, before its first byte. */
  readonly onBegin?: (request: RequestHead) => void;
  /** Called at the end of each exchange, once for each that has begun. */
  readonly onExchange?: (exchange: ForwardedExchange) => void;
}

/** Relays the response of one exchange, and reports the exchange when it ends. */
export class ResponseRelay {
  private readonly start = performance.now();
  private readonly timer: NodeJS.Timeout | undefined;
  /** Set once no more of it will come. */
  private response: ForwardedResponse | undefined;
  private responseBody: KeptBody | undefined;
  private hasSurplus = false;
  private whyIncomplete: string | undefined;
  private hasEnded = false;

  /**
   * @param requestBody what is kept of its body
   * @param request what is known of the request so far
   */
  constructor(
    private readonly outgoing: ServerResponse,
    private readonly options: ResponseRelayOptions,
    private readonly sent: ClientRequest,
    private readonly requestBody: KeptBody,
    private readonly request: () => ForwardedRequest,
  ) {
    const { timeoutMs, onBegin } = options;
    onBegin?.(request());
    if (timeoutMs !== undefined)
      this.timer = setTimeout(() => this.fail(`no response within ${timeoutMs} ms`), timeoutMs);
    let received: IncomingMessage | undefined;
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
      if (received === undefined) this.fail(this.reasonFor(cause));
      else if (!received.complete) this.whyIncomplete = `incomplete response: ${cause.message}`;
      else if (cause.code?.startsWith('HPE_')) this.hasSurplus = true;
    });
    sent.on('response', (response) => {
      received = response;
      try {
        this.forward(response);
      } catch (cause) {
        this.fail(`the response cannot be forwarded: ${(cause as Error).message}`);
      }
    });
    connectionOf(outgoing.req.socket).onBrokenBody = (reason) => {
      this.end(`the request cannot be read: ${reason}`);
      sent.destroy();
    };
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) this.fail('the client went away');
    });
  }

  private forward(received: IncomingMessage): void {
    const {
      rewriteResponse = (head) => head,
      keptBytes = limits.body,
      keptTogether,
      holdsResponses,
    } = this.options;
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
    const responseSoFar = (): ForwardedResponse => ({ ...head, ...kept.of(received) });
    const end = (): void => {
      this.responded({ ...responseSoFar(), ...(this.hasSurplus && { surplus: true }) });
      const trailers = trailersFrom(received.rawTrailers);
      if (trailers.length > 0) outgoing.addTrailers(trailers);
      outgoing.end();
    };
    if (holdsResponses === true) {
      const send = (): void => {
        this.writeHead(received, rewriteResponse(head));
        outgoing.write(kept.of(received).body);
        end();
      };
      untilWhole(received, kept, keptBytes).then(send, ({ message }: Error) => {
        this.response = { ...responseSoFar(), complete: false };
        this.fail(message);
      });
      return;
    }
    this.writeHead(received, rewriteResponse(head));
    flushHeadAlone(outgoing, kept);
    received.pipe(outgoing, { end: false });
    received.once('end', end);
    // An incomplete response stays incomplete: the client gets what came, and then the end of its connection.
    received.once('error', () => {
      this.responded(responseSoFar());
      outgoing.socket?.destroySoon();
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
