import type { ForwardedExchange, ForwardedResponse } from '../../http/exchange.js';
import { fieldsFrom, headerValues } from '../../http/fields.js';
import { SeenSecrets } from '../../proxy/seen-secrets.js';
import { DONE, ok, problem, type Routes } from '../control/control-request.js';
import type { Engine } from '../engine.js';
import type { Delivery, IncomingRequest } from '../exchange.js';
import { failureText } from '../failures/check-failure.js';
import type { ShownFailure, ShownPlants } from './browser/wire.js';
import { ExchangeLog } from './exchange-log.js';
import { ExchangeRedactors, shownField } from './exchange-redactor.js';
import { exchangeRoutes } from './exchange-routes.js';
import { MOST_EXCHANGES, pageFiles, pageFolder } from './page-files.js';

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
  engine.watchers.onExchange = (request, { delivery, outcome: { rejection, failure } }) => {
    const exchange = exchangeFrom(request, delivery);
    seen.add(exchange.request.headers);
    log.add({
      exchange,
      ...(rejection !== undefined && { rejection }),
      ...(failure !== undefined && { failure: failureText(failure) }),
    });
  };
  const redactors = new ExchangeRedactors(seen);
  return {
    ...files,
    ...exchangeRoutes(log, redactors, () => ({ kind: 'serve', url })),
    ...stateRoutes(engine, redactors),
  };
}

const NOTHING = new Uint8Array();

/** An exchange of the server as a proxy before it would see it. */
function exchangeFrom(request: IncomingRequest, delivery: Delivery): ForwardedExchange {
  const { method, target, headers, body } = request;
  const announced = Number(headerValues(headers, 'content-length')[0]) || 0;
  const sent = responseFrom(delivery);
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

/** What a client receives; `undefined` if it is no whole head. */
function responseFrom(delivery: Delivery): ForwardedResponse | undefined {
  const { status, headers, head, body, contentLength, end } = delivery;
  if (head !== 'whole') return undefined;
  const sent = typeof body === 'string' ? Buffer.from(body) : body;
  const received = sent.subarray(0, contentLength);
  const length = contentLength === undefined ? [] : ['content-length', String(contentLength)];
  return {
    status,
    reason: '',
    headers: fieldsFrom([...headers, ...length]),
    body: received,
    bodyLength: received.length,
    trailers: [],
    complete: end === 'complete',
    ...(received.length < sent.length && { surplus: true as const }),
  };
}

/** The bytes of a socket are part of a larger buffer, which would be kept whole. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.buffer.byteLength > 2 * bytes.length ? new Uint8Array(bytes) : bytes;
}

const MOST_PLANTS = 200;
const LONGEST = 300;

/** What a page shows of the state of a server. A plant or a failure may have a token in it. */
function stateRoutes(engine: Engine, redactors: ExchangeRedactors): Routes {
  const shown = (text: string): string => {
    const hidden = redactors.for([]).text(text);
    return hidden.length <= LONGEST ? hidden : `${hidden.slice(0, LONGEST).toWellFormed()}…`;
  };
  const plants = (): ShownPlants => ({
    total: engine.plants.size,
    // As text: a number of JavaScript has too few digits for an id.
    plants: engine.plants.last(MOST_PLANTS).map(({ id, name, tag }) => ({
      id: String(id),
      name: shown(name),
      ...(tag !== undefined && { tag: shown(tag) }),
    })),
  });
  const failures = (): readonly ShownFailure[] =>
    engine.failures
      .numbered()
      .map(({ number, failure }) => ({ number, text: shown(failureText(hideIn(failure))) }));
  return {
    '/shown-plants': { GET: () => ok(plants()) },
    '/shown-failures': { GET: () => ok(failures()) },
    '/shown-failures/{number}': {
      DELETE({ parameters: { number = '' } }) {
        const isRemoved = /^\d{1,15}$/.test(number) && engine.failures.remove(Number(number));
        return isRemoved ? DONE : problem(404, `the failure ${number} is not set`);
      },
    },
  };
}

/** A failure may be for requests with certain credentials, which no request needs to have sent yet. */
function hideIn<F extends { readonly when?: object }>(failure: F): F {
  const { when = {} } = failure;
  const { headers } = when as { readonly headers?: Readonly<Record<string, string>> };
  if (headers === undefined) return failure;
  const hidden = Object.entries(headers).map(([name, value]) => [name, shownField(name, value)]);
  return { ...failure, when: { ...when, headers: Object.fromEntries(hidden) } };
}
