import { X509Certificate } from 'node:crypto';
import { Agent, ClientRequest, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps, Agent as TlsAgent } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls, createSecureContext } from 'node:tls';
import { definedOnly } from '../defined-only.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import { hostOf, portOf } from './address.js';
import { readWithin } from './collected-bytes.js';
import { deadline } from './deadline.js';
import type { ResponseHead } from './exchange.js';
import { checkSendable, type Fields, fieldsFrom, headerValues } from './fields.js';
import { limitInWords } from './limits.js';

/** Whom a client trusts, and how it proves who it is. */
export interface TlsSettings {
  /** Certificates to trust instead of the usual ones, as PEM. */
  readonly ca?: string | undefined;
  /** Whether to accept any certificate. Default false. */
  readonly insecure?: boolean | undefined;
  /** The certificate by which the server knows the client, as PEM, with those that lead to its authority. */
  readonly cert?: string | undefined;
  /** The private key of that certificate, as PEM without a passphrase. No report shows it. */
  readonly key?: string | undefined;
}

/** Another server, and the way to it. */
export interface Route extends TlsSettings {
  readonly url: URL;
  /** Fields that every request has after its own. */
  readonly headers: Fields;
}

/** Options that say which way leads to a server. */
export interface RouteOptions extends TlsSettings {
  /** Further header fields of every request, in order. No report contains their values. */
  readonly headers?: Fields | undefined;
}

/** The longest head of a response, in bytes: longer than any real one. Node's own limit of 16 KiB is not one of HTTP. */
export const LONGEST_HEAD = 256 * 1024;

const CERTIFICATE = /-----BEGIN (?:[A-Z0-9]+ )*CERTIFICATE-----.*?-----END (?:[A-Z0-9]+ )*CERTIFICATE-----/gs;

/**
 * Checks options, and makes a route of them.
 *
 * @throws ToolkitError `invalid-option` if no connection can use them
 */
export function routeTo(url: URL, options: RouteOptions): Route {
  const { headers = [], ca, insecure, cert, key } = options;
  for (const [name, value] of headers) checkSendable(name, value);
  checkHost(headerValues(headers, 'host'));
  try {
    // Node accepts any text for a CA, and then trusts no certificate. Of several, it reads the ones before the first broken one.
    const certificates = ca === undefined ? [] : (ca.match(CERTIFICATE) ?? [ca]);
    for (const certificate of certificates) new X509Certificate(certificate);
  } catch (cause) {
    throw invalidOption('the CA must be certificates in PEM', { cause });
  }
  checkClientCertificate(options, url);
  return definedOnly({ url, headers, ca, insecure, cert, key });
}

/** A name or an address, with brackets for IPv6, and a port or none. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

function checkHost(given: readonly string[]): void {
  if (given.length > 1) throw invalidOption('the header "Host" can be set only once');
  if (!given.every((value) => HOST.test(value) && URL.canParse(`http://${value}`)))
    throw invalidOption(
      'the header "Host" must be a name or an address, such as plants.example or [::1]:8080',
    );
}

/** Fields with one `Host`, the first of them: the one that is given, otherwise that of the URL. */
export function withHost(fields: Fields, { host }: URL): Fields {
  const [given = host] = headerValues(fields, 'host');
  return [['Host', given], ...fields.filter(([name]) => name.toLowerCase() !== 'host')];
}

function checkClientCertificate({ cert, key }: TlsSettings, url: URL): void {
  if (cert === undefined && key === undefined) return;
  if (cert === undefined || key === undefined)
    throw invalidOption('a client certificate needs both: the certificate (cert) and its private key (key)');
  if (url.protocol !== 'https:') throw invalidOption('a client certificate needs a base URL with https');
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw invalidOption(
      `the client certificate and its key cannot be used, as PEM without a passphrase: ${reasonOf(cause)}`,
    );
  }
}

/** What a connection with TLS is opened with, as Node takes it. */
function tlsOptions(route: Route): ConnectionOptions {
  const { headers, url, ca, insecure = false, cert, key } = route;
  // Whoever sends another Host means the server of that name, and its certificate.
  const [host = url.host] = headerValues(headers, 'host');
  const name = hostOf(new URL(`https://${host}`));
  return {
    rejectUnauthorized: !insecure,
    ...definedOnly({ ca, cert, key }),
    ...(isIP(name) === 0 && { servername: name }),
  };
}

/** Begins to open a connection, with TLS if the URL asks for it. The caller listens for errors. */
export function openSocket(route: Route): Socket {
  const { url } = route;
  const host = hostOf(url);
  const isTls = url.protocol === 'https:';
  const at = { host, port: portOf(url) };
  if (!isTls) return connect({ ...at, noDelay: true });
  return connectTls({
    ...at,
    ...tlsOptions(route),
    ALPNProtocols: ['http/1.1'],
  });
}

/** An agent that opens the connections of requests to a server. */
export function agentTo(
  route: Route,
  options: { readonly keepAlive?: boolean; readonly timeout?: number } = {},
): Agent {
  return route.url.protocol === 'https:'
    ? new TlsAgent({ ...options, ...tlsOptions(route) })
    : new Agent(options);
}

/** The head of a request as it goes out. The body is the caller's. */
export interface OutgoingHead {
  readonly method: string;
  /** Default: the path and the query of the URL. */
  readonly path?: string;
  /** In order, names as written, with `Host` and the framing. Only `Connection` is added if it is missing. */
  readonly headers: Fields;
}

/** How a request gets its connection. By default, it has one of its own. */
export type Connecting = Pick<RequestOptions, 'createConnection' | 'signal'> & { readonly agent?: Agent };

/** Begins a request with exactly this head: the one way to send. The fields of the route are the caller's to add. */
export function beginRequest(route: Route, head: OutgoingHead, connecting: Connecting = {}): ClientRequest {
  const { url } = route;
  const { method, path = url.pathname + url.search, headers } = head;
  const { createConnection, agent } = connecting;
  const isTls = url.protocol === 'https:';
  const options = {
    protocol: url.protocol,
    host: hostOf(url),
    port: portOf(url),
    maxHeaderSize: LONGEST_HEAD,
    // NODE_OPTIONS may ask for the lenient parser.
    insecureHTTPParser: false,
    ...tlsOptions(route),
    ...connecting,
    ...(createConnection === undefined && { agent: agent ?? agentTo(route) }),
    method,
    path,
    // In a flat list, Node keeps the order and the spelling of fields.
    headers: headers.flat(),
  };
  if (createConnection === undefined && !headers.some(([name]) => FRAMING.test(name)))
    return new WithoutBody(options);
  return isTls ? requestHttps(options) : requestHttp(options);
}

const FRAMING = /^(?:content-length|transfer-encoding)$/i;

/** A request with neither a length nor chunks. For some methods, Node would add an empty chunk. */
class WithoutBody extends ClientRequest {}
// Node sets this and writes the head while it constructs the request.
Object.defineProperty(WithoutBody.prototype, 'useChunkedEncodingByDefault', { get: () => false, set() {} });

/** How long a request may take, and how much of its response is read. */
export interface SendOptions {
  /** For the whole exchange, in milliseconds. */
  readonly timeoutMs: number;
  /** The longest body of a response, in bytes. */
  readonly longestBody: number;
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined;
}

/** A whole response, as received. */
export interface ReceivedResponse extends ResponseHead {
  readonly body: Uint8Array;
}

/**
 * The status of the response to a request, as soon as it is there: its body may be long, or never end.
 *
 * @throws Error if there is no response within the limits; its message says why
 */
export async function statusOf(
  route: Route,
  request: OutgoingHead,
  { timeoutMs, signal }: Omit<SendOptions, 'longestBody'>,
): Promise<number> {
  const limit = deadline(timeoutMs, signal);
  const headers = withHost([...request.headers, ...route.headers], route.url);
  try {
    return await new Promise((resolve, reject) => {
      const sent = beginRequest(route, { ...request, headers }, { signal: limit.signal });
      sent.on('error', reject);
      sent.once('upgrade', ({ statusCode = 0 }) => resolve(statusCode));
      sent.once('response', (received) => {
        resolve(received.statusCode ?? 0);
        received.on('error', () => {});
        sent.destroy();
      });
      sent.end();
    });
  } catch (cause) {
    if (limit.isOver()) throw new Error(`no response within ${timeoutMs} ms`, { cause });
    throw cause;
  } finally {
    limit.end();
  }
}

/**
 * Sends one request on a connection of its own, and reads the whole response. It follows no redirect and keeps no cookie.
 *
 * @param request without `Host` and `Content-Length`, which are added
 * @throws Error if there is no complete response within the limits; its message says why
 */
export async function sendRequest(
  route: Route,
  request: OutgoingHead & { readonly body?: Uint8Array | string | undefined },
  { timeoutMs, longestBody, signal }: SendOptions,
): Promise<ReceivedResponse> {
  // For the whole exchange: the timeout of a socket begins again with each byte.
  const limit = deadline(timeoutMs, signal);
  const { body, headers: given } = request;
  const length = body === undefined ? [] : [['Content-Length', String(Buffer.byteLength(body))] as const];
  const headers = [...withHost([...given, ...route.headers], route.url), ...length];
  try {
    return await new Promise((resolve, reject) => {
      const sent = beginRequest(route, { ...request, headers }, { signal: limit.signal });
      sent.once('error', reject);
      sent.once('response', (received) => {
        const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = received;
        readWithin(received, longestBody).then((body) => {
          if (body !== undefined) resolve({ status, reason, headers: fieldsFrom(rawHeaders), body });
          else reject(new Error(`the response is longer than ${limitInWords(longestBody)}`));
        }, reject);
      });
      sent.end(body);
    });
  } catch (cause) {
    if (limit.isOver()) throw new Error(`no whole response within ${timeoutMs} ms`, { cause });
    throw cause;
  } finally {
    limit.end();
  }
}
