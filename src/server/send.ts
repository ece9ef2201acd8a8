import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { OutgoingResponse } from './exchange.js';
import type { ServerSocket } from './malformed-http.js';
import { pieceOf } from './slow-body.js';

/** Time for a client to read what it received: on some systems, a reset destroys what is unread. */
const BEFORE_RESET_MS = 20;

/** Sends a response on its connection. */
export function send(outgoing: OutgoingResponse, response: ServerResponse, server: Server): void {
  const { delayMs, delivery } = outgoing;
  // Not the socket of the response, which has none while an earlier response is unfinished.
  const { socket } = response.req;
  if (socket.destroyed) return;
  if (delayMs !== undefined && delayMs > 0) {
    // The connection keeps the process alive, not the delay.
    const timer = setTimeout(() => send({ ...outgoing, delayMs: 0 }, response, server), delayMs).unref();
    response.once('close', () => clearTimeout(timer));
    return;
  }
  if (delivery === 'hang') {
    (socket as ServerSocket).hanging = true;
  } else if (delivery === 'reset' || delivery === 'reset-in-head' || delivery === 'reset-after-head') {
    inItsTurn(response, () => reset(outgoing, response));
  } else {
    respond(outgoing, response, server);
  }
}

function respond(outgoing: OutgoingResponse, response: ServerResponse, server: Server): void {
  const { body, delivery, bytesPerSecond } = outgoing;
  // While the server closes, connections are not kept.
  if (!server.listening) response.shouldKeepAlive = false;
  const bytes = writeHead(outgoing, response);
  if (delivery === 'truncate') {
    response.write(Buffer.from(body as string).subarray(0, bytes >> 1), () =>
      response.req.socket.destroySoon(),
    );
  } else if (bytesPerSecond !== undefined) {
    drip(Buffer.from(body as string), bytesPerSecond, response);
  } else {
    // An ASCII body is the same in Latin-1, which Node writes measurably faster.
    sendBody(response, body, bytes === body.length ? 'latin1' : 'utf8');
  }
}

/**
 * Ends a response with a body. Given the body, `end` would write twice, the second time nothing, which makes the kernel
 * and Node gather both: a tenth of the time of a request.
 */
function sendBody(response: ServerResponse, body: string | Uint8Array, encoding: 'latin1' | 'utf8'): void {
  const { socket } = response;
  // It has none while an earlier response on the connection is unfinished.
  if (socket === null || body.length === 0) {
    response.end(body, encoding);
    return;
  }
  socket.cork();
  response.write(body, encoding);
  socket.uncork();
  response.end();
}

/** @returns the length of the body in bytes */
function writeHead({ status, headers, body, delivery }: OutgoingResponse, response: ServerResponse): number {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  const length = delivery === 'short-length' ? String(body).length : bytes;
  response.writeHead(status, status === 204 ? [...headers] : [...headers, 'content-length', String(length)]);
  return bytes;
}

function drip(body: Buffer, bytesPerSecond: number, response: ServerResponse): void {
  const { size, everyMs } = pieceOf(bytesPerSecond);
  let at = 0;
  response.flushHeaders();
  const timer = setInterval(() => {
    response.write(body.subarray(at, at + size));
    at += size;
    if (at < body.length) return;
    clearInterval(timer);
    response.end();
  }, everyMs).unref();
  response.once('close', () => clearInterval(timer));
}

function reset(outgoing: OutgoingResponse, response: ServerResponse): void {
  const { socket } = response.req;
  const { delivery, status } = outgoing;
  if (delivery === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  if (delivery === 'reset-after-head') {
    writeHead(outgoing, response);
    response.flushHeaders();
  } else {
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-`);
  }
  setTimeout(() => socket.resetAndDestroy(), BEFORE_RESET_MS).unref();
}

/** Waits for the responses to earlier requests on the connection. */
function inItsTurn(response: ServerResponse, go: () => void): void {
  if (response.socket === null) response.once('socket', go);
  else go();
}
