import { withoutOrigin } from '../request-target.js';

/**
 * The one operation of the interface. If the interface gains another one, add it here: all checks of methods and paths, and
 * all URLs, use this. A test checks that no other file names the path.
 */
export const operation = { method: 'POST', path: '/plants' } as const;

/** The operation as people write it: `POST /plants`. */
export const operationTitle = `${operation.method} ${operation.path}`;

/** The path of a request target or of a URL, without its query (RFC 9112, section 3.2). */
export function pathOf(target: string): string {
  const path = withoutOrigin(target);
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
}

/** Whether a path is that of the operation below any base URL: `/plants`, `/v1/plants`. */
export function isOperationPath(path: string): boolean {
  return path.endsWith(operation.path);
}

/** Whether a request is for the operation, even if something else is wrong with it. */
export function isOperation(method: string, target: string): boolean {
  return method === operation.method && isOperationPath(pathOf(target));
}

/** The URL of the operation: its path is appended to the base URL's own path (openapi.yaml#/paths). */
export function operationUrl(baseUrl: string): URL {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + operation.path;
  return url;
}
