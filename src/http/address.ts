import { invalidOption } from '../toolkit-error.js';

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
  const shown = JSON.stringify(String(text));
  if (!URL.canParse(String(text)))
    throw invalidOption(`the base URL must be an absolute URL, such as http://localhost:3000; got ${shown}`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalidOption(`the base URL must begin with http:// or https://; got ${shown}`);
  if (url.port === '0') throw invalidOption(`the base URL must not have port 0; got ${shown}`);
  if (/[?#]/.test(String(text)))
    throw invalidOption(`the base URL must not have a query or a fragment; got ${shown}`);
  if (url.username !== '' || url.password !== '')
    throw invalidOption('the base URL must not have a user or a password');
  return url.href.replace(/\/+$/, '');
}

/** The host of a URL, without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Whether a host name or an address is of this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:[^.]+\.)*localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
