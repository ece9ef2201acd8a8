import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../../http/address.js';
import { headerValues } from '../../http/fields.js';
import { parseBearer } from '../../validation/bearer.js';
import { isJsonMediaType } from '../../validation/media-type.js';
import { tokenVerifier } from '../token.js';
import { problem, type Reply } from './control-request.js';

/** Why a request may not be answered; `undefined` if it may. */
export type Guard = (request: IncomingMessage, needsToken: boolean) => Reply | undefined;

/**
 * Keeps pages of other sites out.
 *
 * - A page whose name leads to this machine (DNS rebinding) sends its own name in `Host`. On loopback, only names of loopback
 *   are accepted. Elsewhere a name may be anything, and the token keeps such a page out.
 * - A page of another site sends its `Origin` with every request that could change something.
 * - With another media type than JSON, a browser would not ask first.
 */
export function guardFor(host: string, token: string | undefined): Guard {
  const accepts = token === undefined ? undefined : tokenVerifier({ tokens: [token], verify: undefined });
  return ({ rawHeaders, headers, method }, needsToken) => {
    const [name, ...more] = headerValues(rawHeaders, 'host');
    if (name === undefined || more.length > 0) return problem(400, 'a request must have one Host header');
    if (isLoopback(host) && !isLoopback(name.replace(/:\d*$/, '')))
      return problem(403, 'the Host of a request must be a name of this machine, such as localhost');
    const { origin } = headers;
    const site = headers['sec-fetch-site'];
    if (origin !== undefined && !isSameOrigin(origin, name))
      return problem(403, 'pages of other origins may not use the control interface');
    if (site === 'cross-site' || site === 'same-site')
      return problem(403, 'pages of other sites may not use the control interface');
    if (needsToken && accepts !== undefined) {
      const values = headerValues(rawHeaders, 'authorization');
      const credentials = values.length === 1 ? parseBearer(values[0] as string) : undefined;
      if (credentials?.ok !== true || accepts(credentials.token) !== true)
        return problem(
          401,
          'the control token is missing or wrong; send it as Authorization: Bearer <token>',
          {
            'www-authenticate': 'Bearer',
          },
        );
    }
    const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
    const type = headers['content-type'];
    if (method !== 'GET' && hasBody && headers['content-length'] !== '0' && !(type && isJsonMediaType(type)))
      return problem(415, 'the Content-Type of a body must be application/json');
    return undefined;
  };
}

function isSameOrigin(origin: string, host: string): boolean {
  return origin.toLowerCase() === `http://${host.toLowerCase()}`;
}
