import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { ServerSocket } from './connections.js';
import type { Delivery, Pace } from './exchange.js';

/** Time for a client to read what it received: on some systems, a reset destroys what is unread. */
const BEFORE_RESET_MS = 20;

/** Sends a response on its connection. */
export function send(delivery: Delivery, response: ServerResponse, server: Server): void {
  const { delayMs } = delivery;
  if (delayMs === 0) {
    carryOut(delivery, response, server);
    return;
  }
  // The connection keeps the process alive, not the delay.
  const timer = setTimeout(() => carryOut(delivery, response, server), delayMs).unref();
  response.once('close', () => clearTimeout(timer));
}

function carryOut(delivery: Delivery, response: ServerResponse, server: Server): void {
  // Not the socket of the response, which has none while an earlier response is unfinished.
  const { socket } = response.req;
  if (socket.destroyed) return;
  if (delivery.end === 'never') (socket as ServerSocket).hanging = true;
  else if (delivery.end === 'reset') inItsTurn(response, () => reset(delivery, response));
  else respond(delivery, response, server);
}

function respond(delivery: Delivery, response: ServerResponse, server: Server): void {
  const { body, contentLength, pace, end } = delivery;
  // While the server closes, connections are not kept.
  if (!server.listening) response.shouldKeepAlive = false;
  writeHead(delivery, response);
  if (end === 'close') {
    response.write(body, () => response.req.socket.destroySoon());
  } else if (pace !== undefined) {
    drip(Buffer.from(body as string), pace, response);
  } else {
    // An ASCII body is the same in Latin-1, which Node writes measurably faster.
    sendBody(response, body, contentLength === body.length ? 'latin1' : 'utf8');
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

function writeHead({ status, headers, contentLength }: Delivery, response: ServerResponse): void {
  const length = contentLength === undefined ? [] : ['content-length', String(contentLength)];
  response.writeHead(status, [...headers, ...length]);
}

function drip(body: Buffer, { size, everyMs }: Pace, response: ServerResponse): void {
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

function reset(delivery: Delivery, response: ServerResponse): void {
  const { socket } = response.req;
  const { head, status } = delivery;
  if (head === 'none') {
    socket.resetAndDestroy();
    return;
  }
  if (head === 'whole') {
    writeHead(delivery, response);
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
