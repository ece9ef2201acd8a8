import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { fieldsFrom } from '../header-fields.js';
import { flushHeadAlone, withTrailerField } from './framing.js';
import { KEPT_BYTES, KeptBody } from './kept-body.js';
import { lingerUntilSent } from './lingering.js';
import {
  endToEnd,
  type ForwardedExchange,
  type ForwardedRequest,
  type ForwardedResponse,
  type ResponseHead,
} from './message.js';

/** How answers go back, and who is told. */
export interface WayBackOptions {
  /** Milliseconds that an exchange may take; then the connection is closed without an answer. Default: any number. */
  readonly timeoutMs?: number;
  /** How many bytes of a body an exchange tells. Default 1 MiB; all of them pass. */
  readonly keptBytes?: number;
  /** Changes the head of a response before it goes back; what an exchange tells is what came. */
  readonly rewriteResponse?: (response: ResponseHead) => ResponseHead;
  /** Told when a request is sent on. */
  readonly onBegin?: () => void;
  /** Told of each exchange when it has ended, once for each that has begun. */
  readonly onExchange?: (exchange: ForwardedExchange) => void;
}

/** The way back of one exchange, and its end. */
export class WayBack {
  private readonly start = performance.now();
  private timer: NodeJS.Timeout | undefined;
  /** What came, once no more will. */
  private response: ForwardedResponse | undefined;
  private hasSurplus = false;
  private whyBroken: string | undefined;
  private isOver = false;

  /** @param request what is known of the request so far */
  constructor(
    private readonly outgoing: ServerResponse,
    private readonly options: WayBackOptions,
    private readonly sent: ClientRequest,
    private readonly request: () => ForwardedRequest,
  ) {
    const { timeoutMs, onBegin } = options;
    onBegin?.();
    if (timeoutMs !== undefined)
      this.timer = setTimeout(() => this.fail(`no answer within ${timeoutMs} ms`), timeoutMs);
    let received: IncomingMessage | undefined;
    sent.on('continue', () => {
      if (outgoing.req.httpVersionMinor > 0) outgoing.writeContinue();
    });
    sent.once('upgrade', (_received, socket) => {
      socket.destroy();
      this.fail('the upstream switched protocols');
    });
    sent.on('error', (cause: NodeJS.ErrnoException) => {
      // What has come of an answer ends by itself, whole or not.
      if (received === undefined) this.fail(this.whyNot(cause));
      else if (!received.complete) this.whyBroken = `the answer broke off: ${cause.message}`;
      else if (cause.code?.startsWith('HPE_')) this.hasSurplus = true;
    });
    sent.on('response', (response) => {
      received = response;
      try {
        this.back(response);
      } catch (cause) {
        this.fail(`the answer cannot be passed on: ${(cause as Error).message}`);
      }
    });
    outgoing.once('close', () => {
      if (!outgoing.writableEnded) this.fail('the client went away');
    });
  }

  private back(received: IncomingMessage): void {
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
    if (!outgoing.req.readableEnded) {
      lingerUntilSent(outgoing.req);
      keepDraining(this.sent);
    }
    const isChunked =
      received.headers['transfer-encoding'] !== undefined &&
      outgoing.req.httpVersionMinor > 0 &&
      outgoing.req.method !== 'HEAD';
    outgoing.writeHead(status, reason, withTrailerField(endToEnd(headers), isChunked).flat());
    flushHeadAlone(outgoing, kept);
    received.on('data', (chunk: Buffer) => kept.add(chunk));
    received.pipe(outgoing, { end: false });
    const answered = (): void =>
      this.answered({ ...head, ...kept.of(received), ...(this.hasSurplus && { surplus: true }) });
    received.once('end', () => {
      answered();
      const { rawTrailers } = received;
      if (rawTrailers.length > 0) outgoing.addTrailers(fieldsFrom(rawTrailers) as [string, string][]);
      outgoing.end();
    });
    // What breaks off there breaks off here, with all that came before.
    received.once('error', () => {
      answered();
      outgoing.socket?.destroySoon();
    });
  }

  /** The answer has come. An early one does not end the exchange: the request may still be on its way. */
  private answered(response: ForwardedResponse): void {
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
      // Nobody sends the rest any more.
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

  /** A host name with several addresses gives one error for all of them, which has no message of its own. */
  private whyNot({ message, code }: NodeJS.ErrnoException): string {
    // An upstream that is told that a client has closed its side may close as well.
    const isLeft = code === 'ECONNRESET' && this.outgoing.req.socket.readableEnded;
    return isLeft ? 'the client went away' : `no answer: ${message || code}`;
  }

  private end(failure = this.whyBroken): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.timer);
    const { response } = this;
    this.options.onExchange?.({
      request: this.request(),
      ...(response !== undefined && { response }),
      // One that comes too late says nothing of an answer that is there.
      ...((response === undefined || !response.complete) && failure !== undefined && { failure }),
      durationMs: performance.now() - this.start,
    });
  }
}

/** Node listens no further to the connection of a request that is answered, even where it is still being written. */
function keepDraining(sent: ClientRequest): void {
  const { socket } = sent;
  const drain = (): void => void sent.emit('drain');
  socket?.on('drain', drain);
  sent.once('close', () => socket?.off('drain', drain));
}
