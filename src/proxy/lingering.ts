import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** A client that sends nothing for so long has read what it was sent, or never will. */
const IDLE_MS = 5_000;
/** However much it sends. */
const LONGEST_MS = 30_000;

/**
 * Makes the connection of a request linger when it is closed before the request has come to its end (RFC 9112, section
 * 9.6). Node would destroy it at once; what is still on its way would be met by a reset, and that takes the answer from
 * a client that sends all it has before it reads.
 */
export function lingerUntilSent(incoming: IncomingMessage): void {
  const { socket } = incoming;
  const close = (): void => Socket.prototype.destroySoon.call(socket);
  const linger = (): void => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LONGEST_MS);
    socket.once('close', () => clearTimeout(timer));
    socket.setTimeout(IDLE_MS, () => void socket.destroy());
    incoming.once('end', close);
  };
  let isLingering = false;
  socket.destroySoon = () => {
    if (incoming.readableEnded) return close();
    if (!isLingering) linger();
    isLingering = true;
  };
}
