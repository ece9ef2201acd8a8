import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { refuse } from '../in-front.js';
import type { Layer } from './provider.js';

/** Rejects bodies in chunks (RFC 9112, section 6.3). */
export function rejectsChunks(status: number): Layer {
  return async ({ request }, next) =>
    request.headers['transfer-encoding'] === undefined
      ? next()
      : { status, body: { error: status, message: 'a Content-Length is required' } };
}

/** Rejects `Expect: 100-continue` (RFC 9110, section 15.5.18). */
export function rejectsExpectations(server: Server): void {
  server.on('checkContinue', (_request, response) => refuse(response, 417));
}

/** Sends no 100, and waits for the body, as a server of HTTP/1.0 does. */
export function sendsNoContinue(server: Server): void {
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
}

/** Says in its 100 that the connection will be closed, and still responds, as Reactor Netty and MochiWeb do. */
export function closesInContinue(server: Server): void {
  server.on('checkContinue', (request, response) => {
    request.socket.write('HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n');
    server.emit('request', request, response);
  });
}

/** Rejects a request without a token at once, and closes the connection with the body unread. */
export function rejectsBeforeTheBody(server: Server): void {
  const [own] = server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.headers.authorization !== undefined) return own?.(request, response);
    response.once('finish', () => request.socket.destroySoon());
    return refuse(response, 401, { Connection: 'close' });
  });
}

/** Reads an Authorization as an earlier one of the connection, if both differ only in their case, as Jetty does. */
export function keepsFieldsOfConnection(server: Server): void {
  const kept = new WeakMap<Socket, Map<string, string>>();
  server.prependListener('request', ({ headers, socket }) => {
    const ofConnection = kept.get(socket) ?? new Map<string, string>();
    kept.set(socket, ofConnection);
    const { authorization = '' } = headers;
    const known = ofConnection.get(authorization.toLowerCase());
    if (known === undefined) ofConnection.set(authorization.toLowerCase(), authorization);
    else headers.authorization = known;
  });
}
