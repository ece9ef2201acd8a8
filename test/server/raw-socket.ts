import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type ListenOptions, type RunningPlantStore, startPlantStore } from 'plant-store-contract/server';
import { afterAll, afterEach, expect } from 'vitest';
import { send, TOKEN } from './plant-request.js';

/** A response as received. */
export interface RawResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** A connection on which a test writes any bytes. */
export class RawSocket implements Disposable {
  private bytes = Buffer.alloc(0);
  private over = false;
  private wake = (): void => {};
  /** Resolves when the connection has ended in any way. */
  readonly closed: Promise<void>;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.bytes = Buffer.concat([this.bytes, chunk]);
      this.wake();
    });
    // Tests expect resets; `close` follows.
    socket.on('error', () => {});
    const finished = (): void => {
      this.over = true;
      this.wake();
    };
    socket.on('end', finished);
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        finished();
        resolve();
      });
    });
  }

  /** @param hangsUp whether the client ends its side after the server has ended its own */
  static async open(port: number, hangsUp = true): Promise<RawSocket> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: !hangsUp });
    const raw = new RawSocket(socket);
    await once(socket, 'connect');
    return raw;
  }

  write(bytes: string | Uint8Array): void {
    this.socket.write(bytes);
  }

  /** Sends everything before it reads, as a blocking client does. Throws if it cannot send. */
  async sendUnread(bytes: string | Uint8Array): Promise<void> {
    this.socket.pause();
    await new Promise<void>((resolve, reject) => {
      this.socket.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
    this.socket.resume();
  }

  /**
   * The next response; throws where the connection ends before it is whole.
   *
   * @param method a response to HEAD has no body, whatever length it gives
   */
  async response(method: 'HEAD' | 'POST' = 'POST'): Promise<RawResponse> {
    for (;;) {
      const response = this.take(method);
      if (response !== undefined) return response;
      if (this.over) throw new Error(`the connection ended after ${JSON.stringify(this.bytes.toString())}`);
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }

  private take(method: 'HEAD' | 'POST'): RawResponse | undefined {
    const end = this.bytes.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const [start = '', ...lines] = this.bytes.toString('latin1', 0, end).split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [line.split(':', 1)[0]?.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    );
    const last = end + 4 + (method === 'HEAD' ? 0 : Number(headers['content-length'] ?? 0));
    if (this.bytes.length < last) return undefined;
    const text = this.bytes.toString('utf8', end + 4, last);
    this.bytes = this.bytes.subarray(last);
    return { status: Number(start.split(' ')[1]), headers, text };
  }
}

/** The head of a creation with the right token, the empty line included. */
export function head(...more: readonly string[]): string {
  const lines = [`Authorization: Bearer ${TOKEN}`, 'Content-Type: application/json', ...more];
  return `POST /plants HTTP/1.1\r\nHost: localhost\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}

/** A whole creation. */
export function wholeRequest(body: string, ...more: readonly string[]): string {
  return `${head(`Content-Length: ${Buffer.byteLength(body)}`, ...more)}${body}`;
}

/** Writes bytes on a new connection and returns the first response. */
export async function responseTo(port: number, bytes: string | Uint8Array): Promise<RawResponse> {
  using raw = await RawSocket.open(port);
  raw.write(bytes);
  return await raw.response();
}

/** Starts one store for the tests of a file. After each of them it must still respond, and nothing may have been thrown. */
export async function sturdyStore(options: ListenOptions = {}): Promise<RunningPlantStore> {
  const store = await startPlantStore({ token: TOKEN, duplicateId: 'replace', ...options });
  const uncaught: unknown[] = [];
  const keep = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtExceptionMonitor', keep);
  afterEach(async () => {
    expect((await send(store.url)).status).toBe(200);
    expect(uncaught.splice(0)).toEqual([]);
  });
  afterAll(async () => {
    process.off('uncaughtExceptionMonitor', keep);
    await store.close();
  });
  return store;
}
