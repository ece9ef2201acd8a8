import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCodes } from './error-codes.js';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers are larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** How long a client that goes on sending may take to read why it was refused. */
const LINGER_MS = 1_000;

/**
 * Answers what `node:http` refuses before there is a request: broken framing, header sections that are too
 * large, requests that are too slow. Always the documented failure, since the path may not be known yet.
 */
export function answerRefusedByNode(
  cause: NodeJS.ErrnoException & { reason?: string },
  socket: Duplex,
): void {
  // Answered already: node reports every further piece of the same broken request.
  if (socket.writableEnded) return;
  // The client is gone: there is nobody to answer.
  if (!socket.writable || cause.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const message =
    REASONS[cause.code ?? ''] ?? `the request is not well-formed HTTP: ${cause.reason ?? cause.message}`;
  finish(socket, 400, 'malformed-http', message, '');
}

/** Answers CONNECT, which `node:http` keeps from the ordinary handler. */
export function answerTunnel(_request: unknown, socket: Duplex): void {
  finish(
    socket,
    405,
    'method-not-allowed',
    'there are no tunnels here; /plants takes POST only',
    'Allow: POST\r\n',
  );
}

function finish(
  socket: Duplex,
  status: number,
  name: keyof typeof errorCodes,
  message: string,
  headers: string,
): void {
  const body = JSON.stringify({ error: errorCodes[name], message });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json\r\n${headers}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
  // What the client still sends is dropped for a while, lest a reset overtakes the answer.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
