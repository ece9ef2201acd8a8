import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Delivery } from './exchange.js';

/** A connection, the response to its last request, and whether a request is left without a response. */
export type ServerSocket = Duplex & {
  readonly bytesRead?: number;
  latest?: ServerResponse;
  hanging?: boolean;
};

/** Sends a response on its connection. */
export function send(delivery: Delivery, response: ServerResponse, server: Pick<Server, 'listening'>): void {
  // Not the socket of the response, which has none while an earlier response is unfinished.
  const { socket } = response.req;
  if (socket.destroyed) return;
  const { status, headers, body, contentLength, end } = delivery;
  if (end === 'never') {
    (socket as ServerSocket).hanging = true;
    return;
  }
  if (end === 'reset') {
    socket.resetAndDestroy();
    return;
  }
  // While the server closes, connections are not kept.
  if (!server.listening) response.shouldKeepAlive = false;
  const length = contentLength === undefined ? [] : ['content-length', String(contentLength)];
  response.writeHead(status, [...headers, ...length]);
  if (end === 'close') response.write(body, () => socket.destroySoon());
  else response.end(body);
}
