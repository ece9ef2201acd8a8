import { Agent, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { fieldsFrom } from '../../header-fields.js';
import {
  type Fields,
  LONGEST_ANSWER,
  type NoResponse,
  type ProbeRequest,
  type ProviderResponse,
  requestTarget,
} from '../exchange.js';
import { LONGEST_HEAD, WireTap } from './wire-tap.js';

/** Where and how requests are sent. */
export interface Target {
  /** The URL of the operation: the base URL with `/plants` appended to its path. */
  readonly url: URL;
  /** Sent with every request, after its own. */
  readonly headers: Fields;
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string;
  /** Whether certificates are not looked at. */
  readonly insecure: boolean;
}

/** So much is kept of an answer that seems to have no end. */
export const KEPT_OF_ENDLESS = 64 * 1024;
/** Some firewalls let nobody in who does not say what it is. */
const USER_AGENT: Fields = [['User-Agent', 'plant-store-contract']];

/** What became of a request. */
export type Outcome = {
  readonly reusedConnection: boolean;
  /** Milliseconds until the connection stood; 0 where it stood already. */
  readonly connectMs: number;
} & (
  | { readonly response: ProviderResponse; readonly failure?: undefined }
  | { readonly failure: NoResponse; readonly response?: undefined }
);

/** How one request is sent. */
export interface Sending {
  /** Milliseconds that it may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** A connection to keep and use again; without one the request has a connection of its own. */
  readonly connection?: Agent;
}

/** One connection, kept open from request to request as long as the provider allows. To be destroyed. */
export function keptConnection({ url, ca, insecure }: Target): Agent {
  const options = { keepAlive: true, maxSockets: 1 };
  return url.protocol === 'https:'
    ? new TlsAgent({ ...options, rejectUnauthorized: !insecure, ...(ca !== undefined && { ca }) })
    : new Agent(options);
}

/**
 * Sends one request as it stands and keeps what comes back as bytes. By default each has a connection of its own:
 * a connection that another request left in disorder would spoil it, and who was authenticated a moment ago must
 * not be let in for that. Never rejects.
 */
export function send(
  { url, headers: extra, ca, insecure }: Target,
  request: ProbeRequest,
  { timeoutMs, signal, connection }: Sending,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const start = performance.now();
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const { headers, body, elsewhere, chunked } = request;
    const framing: readonly string[] = chunked
      ? ['Transfer-Encoding', 'chunked']
      : elsewhere !== undefined && body.length === 0
        ? []
        : ['Content-Length', String(body.length)];
    const outgoing = open(url, {
      method: elsewhere?.method ?? 'POST',
      path: requestTarget(url, request),
      agent: connection ?? false,
      maxHeaderSize: LONGEST_HEAD,
      rejectUnauthorized: !insecure,
      ...(ca !== undefined && { ca }),
      headers: [
        ...['Host', url.host, ...headers.flat(), ...withUserAgent(extra).flat(), ...framing],
        ...['Connection', connection === undefined ? 'close' : 'keep-alive'],
      ] as unknown as string[],
    });
    let tap: WireTap | undefined;
    let connectMs = 0;
    let isConnected = false;
    const settle = (outcome: { response: ProviderResponse } | { failure: NoResponse }): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      tap?.close();
      resolve({ ...outcome, reusedConnection: outgoing.reusedSocket, connectMs });
    };
    const giveUp = (failure: NoResponse): void => {
      settle({ failure });
      outgoing.destroy();
    };
    const stop = (): void => giveUp({ kind: 'stopped', message: 'stopped before it was answered' });
    const timer = setTimeout(() => {
      const [kind, what] = isConnected
        ? (['time-out', 'answer'] as const)
        : (['not-connected', 'connection'] as const);
      giveUp({ kind, message: `no ${what} within ${Math.round(timeoutMs)} ms` });
    }, timeoutMs);
    signal.addEventListener('abort', stop);
    outgoing.on('socket', (socket: Socket) => {
      tap = new WireTap(socket);
      if (socket.connecting) {
        socket.once('connect', () => {
          connectMs = performance.now() - start;
          isConnected = true;
        });
      } else isConnected = true;
    });
    let endEarly: (() => void) | undefined;
    outgoing.on('response', (incoming) => {
      endEarly = collect(incoming, (response) =>
        settle({ response: { ...response, surplus: tap?.surplus(incoming) ?? 0 } }),
      );
    });
    outgoing.on('error', (cause: NodeJS.ErrnoException) => {
      // An answer that had begun is judged by what came of it.
      if (endEarly === undefined) settle({ failure: noResponse(cause) });
      else endEarly();
    });
    outgoing.end(body);
  });
}

/**
 * Collects an answer to its end.
 *
 * @returns what to call where the connection breaks: what follows a whole answer is an error to Node, and then the
 *   answer itself is still read to its end
 */
function collect(
  incoming: IncomingMessage,
  settle: (response: Omit<ProviderResponse, 'surplus'>) => void,
): () => void {
  const chunks: Buffer[] = [];
  let length = 0;
  const done = (): void =>
    settle({
      status: incoming.statusCode ?? 0,
      reason: incoming.statusMessage ?? '',
      headers: fieldsFrom(incoming.rawHeaders),
      body: Buffer.concat(chunks),
      complete: incoming.complete && length <= LONGEST_ANSWER,
      received: length,
    });
  incoming.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    // Nothing that is sent asks for an answer this long: it may have no end.
    if (length <= LONGEST_ANSWER) return;
    chunks.splice(0, chunks.length, Buffer.concat(chunks).subarray(0, KEPT_OF_ENDLESS));
    done();
    incoming.destroy();
  });
  incoming.on('end', done);
  // A body that breaks off: what came of it is judged all the same.
  incoming.on('error', done);
  return () => {
    if (!incoming.complete) done();
  };
}

/** Fields that are sent besides, with one that says what sends them. */
export function withUserAgent(extra: Fields): Fields {
  return extra.some(([name]) => name.toLowerCase() === 'user-agent') ? extra : [...extra, ...USER_AGENT];
}

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
]);

function noResponse(cause: NodeJS.ErrnoException): NoResponse {
  const code = cause.code ?? '';
  // A host name with several addresses gives one error for all of them, which has no message of its own.
  const message = cause.message || code;
  if (UNREACHABLE.has(code))
    return { kind: 'unreachable', message: `the provider cannot be reached: ${message}` };
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code) || code === 'EPROTO') {
    // OpenSSL ends its sentences with its own place and a line break.
    return { kind: 'tls', message: `TLS fails: ${message.split('\n')[0]?.trim()}` };
  }
  if (code.startsWith('HPE_'))
    return { kind: 'malformed', message: `the answer is not well-formed HTTP: ${message}` };
  return { kind: 'reset', message: `the connection ended without an answer: ${message}` };
}
