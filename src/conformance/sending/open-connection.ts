import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { tlsOptions } from '../../http/tls.js';
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

/** Begins to open a connection, with TLS if the URL asks for it. The caller listens for errors. */
export function openSocket(target: Target): Socket {
  const { url } = target;
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isTls = url.protocol === 'https:';
  const at = { host, port: Number(url.port) || (isTls ? 443 : 80) };
  if (!isTls) return connect({ ...at, noDelay: true });
  return connectTls({
    ...at,
    ...tlsOptions(target),
    ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
  });
}
