import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCodes } from './error-codes.js';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the request line and headers are larger than 16 KiB',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'the chunk extensions are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive in time',
};

/** How long a client that goes on sending may take to read why it was refused. */
const LINGER_MS = 1_000;

/** A connection, the response to the latest request on it, and whether a fault has swallowed an answer. */
export type AnsweringSocket = Duplex & { latest?: ServerResponse; refused?: boolean; hanging?: boolean };

/**
 * Answers what `node:http` refuses before there is a request: broken framing, header sections that are too
 * large, requests that are too slow. Always the documented failure, since the path may not be known yet.
 */
export function answerRefusedByNode(
  cause: NodeJS.ErrnoException & { reason?: string },
  socket: AnsweringSocket,
): void {
  // Node reports every further piece of the same broken request.
  if (socket.refused === true) return;
  socket.refused = true;
  const { latest } = socket;
  const underWay = latest !== undefined && !latest.req.complete;
  // The client is gone, or has had its answer before it sent all: there is nothing left to say.
  if (!socket.writable || cause.code === 'ECONNRESET' || (underWay && latest.headersSent)) {
    socket.destroy();
    return;
  }
  const message =
    REASONS[cause.code ?? ''] ?? `the request is not well-formed HTTP: ${cause.reason ?? cause.message}`;
  const refuse = (): void => finish(socket, 400, 'malformed-http', message, '');
  // Answers keep the order of their requests: a good one that came before this is answered first.
  if (latest !== undefined && !underWay && !latest.writableFinished) latest.once('close', refuse);
  else refuse();
}

/** Answers CONNECT, which `node:http` keeps from the ordinary handler. */
export function answerTunnel(_request: unknown, socket: Duplex): void {
  // Nobody else listens to the errors of this socket, and one that nobody hears ends the process.
  socket.on('error', () => {});
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
