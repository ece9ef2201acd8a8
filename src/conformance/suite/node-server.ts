import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { invalidOption } from '../../toolkit-error.js';

/** A server of node:http, node:https or node:http2, as `app.listen(0)` of Express and Koa gives it. */
export type NodeServer = Server;

export function isNodeServer(target: unknown): target is NodeServer {
  if (typeof target !== 'object' || target === null || !('listening' in target)) return false;
  const { address, close } = target as Partial<NodeServer>;
  return typeof address === 'function' && typeof close === 'function';
}

/** Applications that answer nothing before they listen: of Express, Connect, Koa, and servers of node:http. */
export function hasToListen(target: unknown): boolean {
  const { listen, fetch } = Object(target) as { readonly listen?: unknown; readonly fetch?: unknown };
  return typeof listen === 'function' && typeof fetch !== 'function';
}

/** A server as soon as it listens, as a provider that can be stopped. */
export async function listeningServer(server: NodeServer): Promise<{ url: string; close(): Promise<void> }> {
  if (!server.listening) await once(server, 'listening');
  const close = (): Promise<void> => closed(server);
  const where = server.address();
  if (where !== null && typeof where !== 'string') return { url: urlOf(server, where), close };
  await close();
  throw invalidOption('the server listens on no port');
}

function urlOf(server: NodeServer, { address, family, port }: AddressInfo): string {
  const scheme = 'setSecureContext' in server ? 'https' : 'http';
  // An address that stands for all of this machine cannot be asked.
  if (address === '::' || address === '0.0.0.0') return `${scheme}://127.0.0.1:${port}`;
  return `${scheme}://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}

/** Clients that keep their connections are not waited for. */
async function closed(server: NodeServer): Promise<void> {
  const { closeAllConnections } = server as { readonly closeAllConnections?: () => void };
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    closeAllConnections?.call(server);
  });
}
