import type { Socket } from 'node:net';
import { openSocket } from '../../http/open-socket.js';
import type { ProbeRequest } from '../exchange.js';
import type { ResponseOrFailure, Target } from '../sending/send.js';
import { readResponse } from './read-response.js';
import { requestBytes } from './request-bytes.js';

/**
 * A kept connection that carries one request at a time, as fast as Node allows. It reads only responses in the usual
 * form. Whatever is unusual ends the connection, and counts as a reset of a kept connection: the probe is then sent
 * again by the sender that reads everything.
 */
export class Lane {
  private socket: Socket | undefined;
  private received: Buffer = Buffer.alloc(0);
  private settle: ((result: ResponseOrFailure) => void) | undefined;
  /** It runs from the start of each request, so a response that never ends is late too. */
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly target: Target,
    private readonly timeoutMs: number,
  ) {}

  /** Whether an earlier request used the connection. */
  isUsed = false;

  /** @param end what the last byte of the message waits for */
  send(request: ProbeRequest, end?: Promise<void>): Promise<ResponseOrFailure> {
    return new Promise((settle) => {
      this.settle = settle;
      this.isUsed = this.socket !== undefined;
      this.socket ??= this.open();
      this.timer ??= setTimeout(() => this.isLate(), this.timeoutMs).unref();
      this.timer.refresh();
      const bytes = requestBytes(this.target, request);
      if (end === undefined) {
        this.socket.write(bytes);
        return;
      }
      this.socket.write(bytes.subarray(0, -1));
      void end.then(() => this.socket?.write(bytes.subarray(-1)));
    });
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
    settle({ response: read.response });
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
