import type { Routes } from '../control/call.js';
import { fieldsFrom, headerValues } from '../http/fields.js';
import type { ForwardedExchange, ForwardedResponse } from '../proxy/message.js';
import { SeenSecrets } from '../proxy/seen-secrets.js';
import type { Engine } from '../server/engine.js';
import type { IncomingRequest, OutgoingResponse } from '../server/exchange.js';
import { failureText } from '../server/failures/failure-text.js';
import { ExchangeLog } from './exchange-log.js';
import { exchangeRoutes } from './exchange-routes.js';
import { SecretHider } from './hide-secrets.js';
import { MOST_EXCHANGES, pageFiles, pageFolder } from './page-files.js';
import { stateRoutes } from './state-routes.js';

/**
 * Keeps the last exchanges of a reference server for a page.
 *
 * @param url where it listens
 * @param secrets tokens that the page must not show, besides those of the server and of clients
 * @returns what the page asks for
 */
export function watchStore(
  engine: Engine,
  url: string,
  secrets: readonly string[],
  folder = pageFolder,
): Routes {
  const files = pageFiles(folder);
  const log = new ExchangeLog(MOST_EXCHANGES);
  const seen = new SeenSecrets([...engine.tokens, ...secrets]);
  engine.watchers.onExchange = (request, response, outcome) => {
    const { rejection, failure } = outcome ?? {};
    const exchange = exchangeFrom(request, response);
    seen.add(exchange.request.headers);
    log.add({
      exchange,
      ...(rejection !== undefined && { rejection }),
      ...(failure !== undefined && { failure: failureText(failure) }),
    });
  };
  const hider = new SecretHider(seen);
  return {
    ...files,
    ...exchangeRoutes(log, hider, () => ({ kind: 'serve', url })),
    ...stateRoutes(engine, hider),
  };
}

const NOTHING = new Uint8Array();

/** An exchange of the server as a proxy before it would see it. */
function exchangeFrom(request: IncomingRequest, response: OutgoingResponse): ForwardedExchange {
  const { method, target, headers, body } = request;
  const announced = Number(headerValues(headers, 'content-length')[0]) || 0;
  const sent = responseFrom(response, method);
  return {
    request: {
      method,
      target,
      headers: fieldsFrom(headers),
      body: body === undefined ? NOTHING : ownBytes(body),
      bodyLength: body?.length ?? announced,
      trailers: [],
      complete: body !== undefined,
    },
    ...(sent === undefined ? { failure: 'no response was sent' } : { response: sent }),
    durationMs: 0,
  };
}

/** What is sent of a response; `undefined` for nothing that is a whole head. */
function responseFrom(outgoing: OutgoingResponse, method: string): ForwardedResponse | undefined {
  const { status, headers, delivery } = outgoing;
  if (delivery === 'hang' || delivery === 'reset' || delivery === 'reset-in-head') return undefined;
  const whole = typeof outgoing.body === 'string' ? Buffer.from(outgoing.body) : outgoing.body;
  const announced = delivery === 'short-length' ? String(outgoing.body).length : whole.length;
  const length = { truncate: whole.length >> 1, 'reset-after-head': 0 }[delivery as string] ?? announced;
  const body = method === 'HEAD' ? NOTHING : whole.subarray(0, length);
  return {
    status,
    reason: '',
    headers: fieldsFrom(status === 204 ? headers : [...headers, 'content-length', String(announced)]),
    body,
    bodyLength: body.length,
    trailers: [],
    complete: delivery !== 'truncate' && delivery !== 'reset-after-head',
    ...(announced < whole.length && { surplus: true as const }),
  };
}

/** The bytes of a socket are part of a larger buffer, which would be kept whole. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > 2 * bytes.length ? new Uint8Array(bytes) : bytes;
}
