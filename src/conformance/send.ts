import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Fields, NoResponse, ProbeRequest, ProviderResponse } from './exchange.js';

/** Where and how requests are sent. */
export interface Target {
  /** The URL of the operation: the base URL with `/plants` appended to its path. */
  readonly url: URL;
  /** Milliseconds that a request may take. */
  readonly timeoutMs: number;
}

/** What became of a request. */
export type Outcome = { readonly response: ProviderResponse } | { readonly failure: NoResponse };

/**
 * Sends one request as it stands and keeps what comes back as bytes. Each request has a connection of its own,
 * so that none is spoilt by another. Never rejects.
 */
export function send(
  { url, timeoutMs }: Target,
  { headers, body, query = '' }: ProbeRequest,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const open = url.protocol === 'https:' ? requestHttps : requestHttp;
    const outgoing = open(url, {
      method: 'POST',
      path: url.pathname + query,
      agent: false,
      headers: [
        'Host',
        url.host,
        ...headers.flat(),
        ...['Content-Length', String(body.length), 'Connection', 'close'],
      ] as unknown as string[],
    });
    const timer = setTimeout(() => {
      resolve({ failure: { kind: 'time-out', message: `no answer within ${timeoutMs} ms` } });
      outgoing.destroy();
    }, timeoutMs);
    const settle = (outcome: Outcome): void => {
      clearTimeout(timer);
      resolve(outcome);
    };
    outgoing.on('response', (incoming) => collect(incoming, settle));
    outgoing.on('error', (cause: NodeJS.ErrnoException) => settle({ failure: noResponse(cause) }));
    outgoing.end(body);
  });
}

function collect(incoming: IncomingMessage, settle: (outcome: Outcome) => void): void {
  const chunks: Buffer[] = [];
  const done = (): void =>
    settle({
      response: {
        status: incoming.statusCode ?? 0,
        reason: incoming.statusMessage ?? '',
        headers: pairs(incoming.rawHeaders),
        body: Buffer.concat(chunks),
        complete: incoming.complete,
      },
    });
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('end', done);
  // A body that breaks off: what came of it is judged all the same.
  incoming.on('error', done);
}

function pairs(flat: readonly string[]): Fields {
  return Array.from(
    { length: flat.length / 2 },
    (_, i) => [flat[2 * i] as string, flat[2 * i + 1] as string] as const,
  );
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
    return { kind: 'tls', message: `TLS fails: ${message}` };
  }
  if (code.startsWith('HPE_'))
    return { kind: 'malformed', message: `the answer is not well-formed HTTP: ${message}` };
  return { kind: 'reset', message: `the connection ended without an answer: ${message}` };
}
