import { METHODS, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { operation } from '../spec/operation.js';
import { errorCodes, Rejection } from './error-codes.js';

/** How long `close` waits for requests in progress. */
const CLOSE_GRACE_MS = 5_000;

/**
 * A connection that was unused for that long may end. Clients keep connections themselves, the usual one of Go for 90 s. A
 * server that ends one first may break the next request, and no client may send a POST again by itself.
 */
const UNUSED_MS = 120_000;

/** The open connections of a server, and when they end. */
export class Connections {
  /** With the bytes that each had received when it was last looked at. */
  private readonly open = new Map<Socket, number>();
  private lookedAt = performance.now();
  private closed: Promise<void> | undefined;

  /** @param server one that does not listen yet */
  constructor(private readonly server: Server) {
    // Node would set a timer anew before and after every request, which takes a twentieth of the time of each.
    server.keepAliveTimeout = 0;
    server.on('connection', (socket) => {
      this.endUnused();
      this.open.set(socket, 0);
      socket.once('close', () => this.open.delete(socket));
    });
  }

  /** Stops listening, waits a while for requests in progress, and closes every connection. */
  close(): Promise<void> {
    this.closed ??= this.closing();
    return this.closed;
  }

  /** Only when another connection comes: without one, the unused ones do not become more. */
  private endUnused(): void {
    const now = performance.now();
    if (now - this.lookedAt < UNUSED_MS) return;
    this.lookedAt = now;
    for (const [socket, before] of this.open) {
      const { latest } = socket as ServerSocket;
      // Before the first request, the time limit for its headers applies.
      if (latest?.writableFinished === true && socket.bytesRead === before) socket.destroy();
      else this.open.set(socket, socket.bytesRead);
    }
  }

  private closing(): Promise<void> {
    const { server } = this;
    return new Promise((resolve) => {
      const giveUp = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      server.close(() => {
        clearTimeout(giveUp);
        resolve();
      });
      server.closeIdleConnections();
      // Node takes a connection without any request for a busy one.
      for (const socket of this.open.keys()) {
        if (socket.bytesRead === 0 || (socket as ServerSocket).hanging === true) socket.destroy();
      }
    });
  }
}

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers are larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** How long a client that still sends has to read the response. */
const LINGER_MS = 1_000;

/** A connection, the responses to its last two requests, and whether a fault leaves a request without a response. */
export type ServerSocket = Duplex & {
  readonly bytesRead?: number;
  latest?: ServerResponse | undefined;
  /** The response before the latest. */
  previous?: ServerResponse | undefined;
  rejected?: boolean;
  hanging?: boolean;
};

/** What Node's parser reports, with the packet in which it failed, if there is one. */
type ParserError = NodeJS.ErrnoException & { readonly reason?: string; readonly rawPacket?: Buffer };

/**
 * Responds to what `node:http` rejects before there is a request: broken framing, too large header sections, too slow
 * requests. Always with 400, since the path may be unknown, and without the body if the request may be HEAD.
 */
export function respondToMalformed(cause: ParserError, socket: ServerSocket): void {
  // Node reports every further part of the same malformed request.
  if (socket.rejected === true) return;
  socket.rejected = true;
  const { latest } = socket;
  const underWay = latest !== undefined && !latest.req.complete;
  // The client is gone, or got its response before it sent the whole request.
  if (!socket.writable || cause.code === 'ECONNRESET' || (underWay && latest.headersSent)) {
    socket.destroy();
    return;
  }
  const message =
    REASONS[cause.code ?? ''] ?? `the request is not well-formed HTTP: ${cause.reason ?? cause.message}`;
  const hasBody = underWay ? latest.req.method !== 'HEAD' : isNotHead(cause, socket);
  const respond = (): void => finish(socket, 400, new Rejection('malformed-http', message), { hasBody });
  // Responses keep the order of their requests.
  const before = underWay ? socket.previous : latest;
  if (before !== undefined && !before.writableFinished) before.once('close', respond);
  else respond();
}

/**
 * Whether the request whose head is malformed is surely not HEAD, which never gets a body (RFC 9110, section 9.3.2). Node
 * does not tell the method. If the beginning of the request came in an earlier packet, nobody knows it.
 */
function isNotHead({ rawPacket }: ParserError, { bytesRead }: ServerSocket): boolean {
  const packet = rawPacket?.toString('latin1') ?? '';
  if (/(?:^|\n)\s*HEAD(?![A-Z-])/i.test(packet)) return false;
  return bytesRead === packet.length || METHODS.some((method) => packet.startsWith(`${method} /`));
}

/** Responds to CONNECT, which `node:http` does not pass to the request handler. */
export function respondToConnect(_request: unknown, socket: Duplex): void {
  // Without a listener, an error of this socket ends the process.
  socket.on('error', () => {});
  const { method, path } = operation;
  const rejection = new Rejection(
    'method-not-allowed',
    `CONNECT is not supported; ${path} accepts ${method} only`,
  );
  finish(socket, 405, rejection, { headers: `Allow: ${method}\r\n` });
}

function finish(
  socket: Duplex,
  status: number,
  { reason, message }: Rejection,
  { headers = '', hasBody = true }: { readonly headers?: string; readonly hasBody?: boolean },
): void {
  const body = JSON.stringify({ error: errorCodes[reason], message });
  // Without a length, a response that may be to HEAD or not ends with the connection for both.
  const content = `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers}${hasBody ? content : ''}` +
      `Connection: close\r\n\r\n${hasBody ? body : ''}`,
  );
  // Read and drop what the client still sends for a while: a reset could destroy the response on its way.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
