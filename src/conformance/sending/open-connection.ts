import type { Socket } from 'node:net';
import { openSocket } from '../../http/open-socket.js';
import type { Target } from './send.js';

/** A connection that was opened for one request. */
export interface OpenedConnection {
  readonly socket: Socket;
  /** Why it could not be opened. */
  readonly error?: Error;
  /** Milliseconds that it took. */
  readonly connectMs: number;
}

/** Opens a connection before there is a request for it. After this time, it may still be being opened. */
export function openConnection(target: Target, ms: number): Promise<OpenedConnection> {
  const start = performance.now();
  const socket = openSocket(target);
  return new Promise((resolve) => {
    const done = (error?: Error): void => {
      clearTimeout(timer);
      resolve({ socket, connectMs: performance.now() - start, ...(error !== undefined && { error }) });
    };
    const timer = setTimeout(() => done(), ms);
    socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => done());
    // Its request reports later errors as well. Without a listener, an error would end the process.
    socket.on('error', done);
  });
}
