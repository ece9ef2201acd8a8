import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { invalidOption, ToolkitError } from '../toolkit-error.js';

/** Whether a text is a URL that begins with `http://` or `https://`. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * Checks a base URL.
 *
 * @returns the URL without slashes at its end
 * @throws ToolkitError `invalid-option` if no request can be sent to it
 */
export function baseUrlOf(text: string | URL): string {
  const given = String(text);
  const { port = '0', username = '', password = '', href } = isHttpUrl(given) ? new URL(given) : {};
  // The message shows no part of it: there may be a password.
  if (href === undefined || port === '0' || username + password !== '' || /[?#]/.test(given))
    throw invalidOption(
      'the base URL must be an absolute URL such as http://localhost:3000, without a user, a query or a fragment',
    );
  return href.replace(/\/+$/, '');
}

/**
 * The URL of another server than the provider. No message and no report shows a password of it, so there is none.
 *
 * @param what "the broker"
 * @param instead what the user and the password are given with, if they may be given
 * @throws ToolkitError `invalid-option`
 */
export function urlOf(what: string, text: string, instead?: string): URL {
  const url = isHttpUrl(text) ? new URL(text) : undefined;
  if (url === undefined || url.username + url.password !== '')
    throw invalidOption(
      `${what} must be a URL with http or https, without a user and a password${instead === undefined ? '' : `: ${instead}`}`,
    );
  return url;
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The port of a URL, or the usual one of its protocol. */
export function portOf({ port, protocol }: URL): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

/** Whether a host name or an address is of this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}

/** Where a server listens. */
export interface Listening {
  /** `http://127.0.0.1:12345` */
  readonly url: string;
  readonly port: number;
}

/**
 * Starts to listen.
 *
 * @param port 0 for a free port
 * @throws ToolkitError `invalid-option`, `port-in-use` or `cannot-listen`
 */
export async function listen(server: Server, host: string, port: number): Promise<Listening> {
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw invalidOption(`a port must be 0 to 65535; got ${port}`);
  // Node would listen on every address of the machine.
  if (host === '') throw invalidOption('the host to listen on must not be empty');
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const where = `port ${port} of ${host}`;
      reject(
        cause.code === 'EADDRINUSE'
          ? new ToolkitError('port-in-use', `${where} is in use; choose another, or 0 for a free one`, {
              cause,
            })
          : new ToolkitError('cannot-listen', `cannot listen on ${where}: ${cause.message}`, { cause }),
      );
    });
    server.listen(port, host, resolve);
  });
  const { address, family, port: taken } = server.address() as AddressInfo;
  return { url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`, port: taken };
}
