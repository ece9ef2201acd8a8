import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '../provider.js';
import { type Plant, type PlantRules, readPlant } from './plant.js';
import { type Store, type StoreRules, storeOf } from './store.js';
import { type Answer, type Writing, write } from './write.js';

/** Why a request fails. The status of each failure is not shown. */
type Cause = 'token' | 'path' | 'method' | 'size' | 'media-type' | 'json' | 'plant' | 'duplicate';

/** A request as a layer sees it. */
interface Call {
  readonly request: IncomingMessage;
  readonly body: Buffer;
  readonly isAuthorised: boolean;
}

/** Something in front of the provider. It responds itself, or calls `next`. */
export type Layer = (call: Call, next: () => Promise<Answer>) => Promise<Answer>;

/** How a provider differs from others where the interface says nothing. */
export interface Variation {
  /** Default 400, and 404 and 405 for paths and methods that are not in the interface. */
  readonly statuses?: Partial<Record<Cause, number>>;
  /** Whether a bad body is rejected before the token is checked. Default false. */
  readonly validatesFirst?: boolean;
  /** Whether a header authorises the request. Default: it is `Bearer ` and the token. */
  readonly authorization?: (value: string, token: string) => boolean;
  /** Whether several Authorization headers are joined to a list. Default: only the first one counts. */
  readonly joinsAuthorizations?: boolean;
  readonly plants?: PlantRules;
  readonly store?: StoreRules;
  /** The maximum size of a body in bytes, and how a larger one is rejected. Default: 4 MiB, with a response at its end. */
  readonly largest?: number;
  readonly tooLarge?: 'answered' | 'answered-early' | 'broken-off' | 'reset';
  /** Makes new layers for each provider, because they remember requests. */
  readonly layers?: () => readonly Layer[];
  readonly writing?: Writing;
  /** Makes the message of a failure from the body of its request. */
  readonly quotes?: (body: Buffer) => string;
  /** The path before /plants. */
  readonly basePath?: string;
  /** Changes the server before it listens. */
  readonly server?: (server: Server) => void;
}

/**
 * Starts a provider that conforms. It is written from the interface alone, and shares only the exact JSON parser with
 * the reference server, because `JSON.parse` of Node 20 rounds.
 */
export async function startCorrect(token: string, variation: Variation = {}): Promise<Provider> {
  const store = storeOf(variation.store);
  const layers = variation.layers?.() ?? [];
  const server = createServer((request, response) => {
    void answer({ request, response }, { token, store, layers, variation });
  });
  variation.server?.(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${variation.basePath ?? ''}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a provider is made of. */
interface Parts {
  readonly token: string;
  readonly store: Store;
  readonly layers: readonly Layer[];
  readonly variation: Variation;
}

async function answer(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  { token, store, layers, variation }: Parts,
): Promise<void> {
  const { largest = 4 * 2 ** 20, tooLarge = 'answered', writing = {} } = variation;
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > largest && tooLarge !== 'answered') {
    // A client that is still sending meets a closed connection, and may receive half of the response or nothing.
    if (tooLarge === 'reset') request.socket.resetAndDestroy();
    else if (tooLarge === 'broken-off') breakOff(response);
    else {
      response.once('finish', () => request.socket.destroy());
      await write(response, failure('size', variation), { ...writing, close: true });
    }
    return;
  }
  const body = await bodyOf(request);
  if (body === undefined) return;
  const isAuthorised = authorised(request, token, variation);
  const own = async (): Promise<Answer> =>
    body.length > largest
      ? failure('size', variation)
      : quoting(answerTo(request, body, isAuthorised, store, variation), body, variation);
  const through = layers.reduceRight<() => Promise<Answer>>(
    (next, layer) => () => layer({ request, body, isAuthorised }, next),
    own,
  );
  await write(response, await through(), writing);
}

/** Sends half a response. The connection is reset after the client had time to read it. */
function breakOff(response: ServerResponse): void {
  response.writeHead(413, { 'Content-Type': 'application/json', 'Content-Length': 100 });
  response.write('{"error":413,', () => setTimeout(() => response.socket?.resetAndDestroy(), 50));
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await request.toArray());
  } catch {
    // The client has closed the connection.
    return undefined;
  }
}

function answerTo(
  request: IncomingMessage,
  body: Buffer,
  isAuthorised: boolean,
  store: Store,
  variation: Variation,
): Answer {
  const path = request.url?.split('?')[0];
  if (path !== `${variation.basePath ?? ''}/plants`) return failure('path', variation);
  if (request.method !== 'POST') return { ...failure('method', variation), headers: { Allow: 'POST' } };
  const plant = plantOf(request, body, variation);
  const rejection = isAuthorised ? undefined : failure('token', variation);
  const wrong = typeof plant === 'string' ? failure(plant, variation) : undefined;
  const first = variation.validatesFirst ? (wrong ?? rejection) : (rejection ?? wrong);
  return first ?? store.create(plant as Plant, (existing) => failure('duplicate', variation, existing));
}

function quoting(answer: Answer, body: Buffer, { quotes }: Variation): Answer {
  if (quotes === undefined || answer.status < 400) return answer;
  return { ...answer, body: { ...answer.body, message: quotes(body) } };
}

function authorised(
  { headers, headersDistinct }: IncomingMessage,
  token: string,
  { authorization, joinsAuthorizations }: Variation,
): boolean {
  const all = headersDistinct.authorization ?? [];
  const value = joinsAuthorizations ? all.join(', ') : (headers.authorization ?? '');
  return authorization === undefined ? value === `Bearer ${token}` : authorization(value, token);
}

function plantOf({ headers }: IncomingMessage, body: Buffer, { plants }: Variation): Plant | Cause {
  const mediaType = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json' || headers['content-encoding'] !== undefined) return 'media-type';
  return readPlant(body, plants);
}

const CODES: Readonly<Record<Cause, number>> = {
  token: -1,
  path: 0,
  method: 1,
  size: 2 ** 31 - 1,
  'media-type': -(2 ** 31),
  json: 400,
  plant: 7,
  duplicate: 8,
};

/** @param existing the plant that the message shows */
function failure(cause: Cause, { statuses = {} }: Variation, existing?: Plant): Answer {
  const usual = { path: 404, method: 405 } as Partial<Record<Cause, number>>;
  const status = statuses[cause] ?? usual[cause] ?? 400;
  const shown = existing && `: ${existing.name} (${existing.tag ?? 'no tag'}) has the id ${existing.id}`;
  const message = cause === 'token' ? '' : `not this ${cause}${shown ?? ''}`;
  return { status, body: { error: CODES[cause], message } };
}
