import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { operation } from '../spec/operation.js';
import { errorCodes, Rejection } from './error-codes.js';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers are larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** How long a client that still sends has to read the response. */
const LINGER_MS = 1_000;

/** A connection, the response to its latest request, and whether a fault leaves a request without a response. */
export type ServerSocket = Duplex & { latest?: ServerResponse; rejected?: boolean; hanging?: boolean };

/**
 * Responds to what `node:http` rejects before there is a request: broken framing, too large header sections, too slow
 * requests. Always with 400, since the path may be unknown.
 */
export function respondToMalformed(
  cause: NodeJS.ErrnoException & { reason?: string },
  socket: ServerSocket,
): void {
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
  const respond = (): void => finish(socket, 400, new Rejection('malformed-http', message));
  // Responses keep the order of their requests.
  if (latest !== undefined && !underWay && !latest.writableFinished) latest.once('close', respond);
  else respond();
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
  finish(socket, 405, rejection, `Allow: ${method}\r\n`);
}

function finish(socket: Duplex, status: number, { reason, message }: Rejection, headers = ''): void {
  const body = JSON.stringify({ error: errorCodes[reason], message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n${headers}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // Read and drop what the client still sends for a while: a reset could destroy the response on its way.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
