import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { hostOf } from './address.js';
import { type TlsSettings, tlsOptions } from './tls.js';
import { type OutboundProxy, TunnelSocket } from './tunnel-socket.js';

/** A server, and the way to it. */
export interface Reachable extends TlsSettings {
  readonly url: URL;
  /** A proxy through which every connection goes. */
  readonly proxy?: OutboundProxy | undefined;
}

/** Begins to open a connection, with TLS if the URL asks for it. The caller listens for errors. */
export function openSocket(server: Reachable): Socket {
  const { url, proxy } = server;
  const host = hostOf(url);
  const isTls = url.protocol === 'https:';
  const at = { host, port: Number(url.port) || (isTls ? 443 : 80) };
  const tunnel = proxy && new TunnelSocket(url, proxy);
  if (!isTls) return tunnel ?? connect({ ...at, noDelay: true });
  const socket = connectTls({
    ...(tunnel === undefined ? at : { socket: tunnel }),
    ...tlsOptions(server),
    ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
    ALPNProtocols: ['http/1.1'],
  });
  // Otherwise TLS reports only that the connection ended.
  tunnel?.once('error', (cause) => socket.destroy(cause));
  return socket;
}

/** An agent that opens the connections of requests to a server. */
export function agentTo(
  server: Reachable,
  options: { readonly keepAlive?: boolean; readonly maxSockets?: number; readonly timeout?: number } = {},
): Agent {
  const agent =
    server.url.protocol === 'https:'
      ? new TlsAgent({ ...options, ...tlsOptions(server) })
      : new Agent(options);
  if (server.proxy !== undefined) agent.createConnection = () => openSocket(server);
  return agent;
}
