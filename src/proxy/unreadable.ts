import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What Node answers itself where it cannot read a request. */
const ANSWERS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
};

/**
 * Tells of requests that Node's parser refuses, which never become exchanges: they are answered with 400, as Node does
 * where nobody listens, and their connection is closed.
 *
 * @param lastOn the last answer that was begun on a connection
 */
export function watchUnreadable(
  server: Server,
  lastOn: (socket: Socket) => ServerResponse | undefined,
  onUnreadable: (why: string) => void,
): void {
  server.on('clientError', (cause: NodeJS.ErrnoException, socket: Socket) => {
    const last = lastOn(socket);
    // A body that cannot be read belongs to an exchange, which ends with its connection.
    const isOfBody = last !== undefined && !last.req.complete;
    if (!socket.writable || (isOfBody && last.headersSent)) {
      socket.destroy();
      return;
    }
    if (!isOfBody && cause.code?.startsWith('HPE_')) onUnreadable(cause.message.replace('Parse Error: ', ''));
    const isAnswered = last?.headersSent === true && !last.writableFinished;
    const status = ANSWERS[cause.code ?? ''] ?? '400 Bad Request';
    if (!isAnswered) socket.write(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`);
    socket.destroySoon();
  });
}
