import { invalidOption } from './toolkit-error.js';

/**
 * A base URL as it was given, made sure of.
 *
 * @returns it without slashes at its end
 * @throws ToolkitError `invalid-option` where no request could be sent to it
 */
export function baseUrlOf(text: string | URL): string {
  const shown = JSON.stringify(String(text));
  if (!URL.canParse(String(text)))
    throw invalidOption(`the base URL must be an absolute URL, such as http://localhost:3000; got ${shown}`);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw invalidOption(`the base URL must begin with http:// or https://; got ${shown}`);
  if (url.port === '0')
    throw invalidOption(`the base URL must name a port that can be reached; got ${shown}`);
  if (/[?#]/.test(String(text)))
    throw invalidOption(`the base URL must have no query and no fragment; got ${shown}`);
  if (url.username !== '' || url.password !== '')
    throw invalidOption('the base URL must hold no user and no password');
  return url.href.replace(/\/+$/, '');
}

/** The URL of the operation: `/plants` is appended to the base URL's own path (interface: Endpoints). */
export function plantsUrlOf(baseUrl: string): URL {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/plants`;
  return url;
}
