import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The proxy that the environment names for a URL, as curl reads it: `HTTPS_PROXY`, unless `NO_PROXY` lists the host.
 *
 * @returns `undefined` if there is none, and for `http:`: such a server is usually near
 */
export function proxyFor(url: URL, env: NodeJS.ProcessEnv = process.env): URL | undefined {
  const proxy = env.https_proxy ?? env.HTTPS_PROXY ?? '';
  if (url.protocol !== 'https:' || proxy === '') return undefined;
  const exceptions = (env.no_proxy ?? env.NO_PROXY ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase());
  if (exceptions.some((entry) => isException(entry, url))) return undefined;
  const address = proxy.includes('://') ? proxy : `http://${proxy}`;
  return URL.canParse(address) ? new URL(address) : undefined;
}

/** An entry is `*`, a host, or the end of one, each with or without a port. */
function isException(entry: string, { hostname, port }: URL): boolean {
  const [, name = '', wantedPort] = /^\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (name === '' || (wantedPort !== undefined && wantedPort !== (port || '443'))) return false;
  return name === '*' || hostname === name || hostname.endsWith(`.${name}`);
}

/**
 * Opens a connection to a server through a proxy (RFC 9110, section 9.3.6).
 *
 * @throws Error if the proxy does not open one
 */
export function openTunnel(url: URL, proxy: URL, signal: AbortSignal): Promise<Socket> {
  const target = `${url.hostname}:${url.port || 443}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const authorization = proxy.username !== '' && {
    'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
  return new Promise((resolve, reject) => {
    const asked = request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || 80,
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...authorization },
      agent: false,
      signal,
    });
    const refuse = ({ statusCode }: IncomingMessage): void => {
      reject(new Error(`the proxy at ${proxy.host} returned ${statusCode}`));
      asked.destroy();
    };
    asked.once('error', (cause) =>
      reject(new Error(`the proxy at ${proxy.host}: ${cause.message}`, { cause })),
    );
    asked.once('response', refuse);
    asked.once('connect', (response, socket) => {
      if (response.statusCode !== 200) refuse(response);
      else resolve(socket);
    });
    asked.end();
  });
}
