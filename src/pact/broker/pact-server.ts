import { setTimeout as sleep } from 'node:timers/promises';
import { headerValues } from '../../http/fields.js';
import { type ReceivedResponse, routeTo, sendRequest, type TlsSettings } from '../../http/route.js';
import { visibleInLine } from '../../report/escape.js';
import { excerpt } from '../../report/exchange.js';
import { createRedactor, type Redactor } from '../../report/redaction.js';
import { decodeContent } from '../../validation/content-coding.js';
import { readJson } from '../../validation/json.js';
import { isObject, type JsonObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import { authorizationOf, type Credentials, inUrl, secretsIn, withoutCredentials } from './options.js';

/** How requests reach a server of pacts: a broker, or any server that has a pact. */
export interface ServerAccess extends Credentials, Pick<TlsSettings, 'ca' | 'insecure'> {
  /** For each request, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A redirect too many: the server redirects in a circle. */
const MOST_REDIRECTS = 5;
/** A gateway returns these while its server starts. The request is then sent again, after a longer pause each time. */
const PASSING = [502, 503, 504];
const ATTEMPTS = 3;
const PAUSE_MS = 500;
/** How much of an error is quoted. */
const QUOTED = 300;

/**
 * A server that gives pacts. Its credentials go to its own origin only, and a message never shows them.
 */
export class PactServer {
  readonly origin: string;
  private readonly authorization: string | undefined;
  private readonly redactor: Redactor;

  /** @param url any URL of the server. A user and a password in it are its credentials. */
  constructor(
    url: URL,
    private readonly access: ServerAccess,
    private readonly longestBody: number,
  ) {
    const credentials = inUrl(url) ?? access;
    this.origin = url.origin;
    this.authorization = authorizationOf(credentials);
    this.redactor = createRedactor(secretsIn(credentials));
  }

  /**
   * Gets a document. Redirects are followed, but not from HTTPS to HTTP.
   *
   * @returns its bytes, without content codings
   * @throws Error with a sentence that says why it cannot be had
   */
  async get(url: URL): Promise<Uint8Array> {
    let at = url;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const response = await this.send('GET', at);
      const next = redirectOf(response, at);
      if (next === undefined) return this.bodyOf(response);
      if (at.protocol === 'https:' && next.protocol !== 'https:')
        throw new Error(`it redirects from HTTPS to ${next.origin}`);
      at = next;
    }
    throw new Error(`it redirects more than ${MOST_REDIRECTS} times`);
  }

  /**
   * Sends JSON.
   *
   * @returns the bytes of the response
   * @throws Error with a sentence that says why it was not accepted
   */
  async put(method: 'POST' | 'PUT', url: URL, json: string): Promise<Uint8Array> {
    return this.bodyOf(await this.send(method, url, json));
  }

  /**
   * A link of a document. A broker behind a gateway may not know that it is reached by HTTPS.
   *
   * @throws Error if it leads to another server: no document may choose who else gets a request
   */
  linked(href: string, from: URL): URL {
    const base = new URL(this.origin);
    if (!URL.canParse(href, from.href)) throw new Error(`it has a link that is no URL: ${excerpt(href)}`);
    const url = withoutCredentials(new URL(href, from));
    if (base.protocol === 'https:' && url.protocol === 'http:' && url.hostname === base.hostname) {
      url.protocol = 'https:';
      url.port = base.port;
    }
    if (url.origin === this.origin) return url;
    throw new Error(
      `it links to another server, ${url.origin}; set the base URL of the broker to ${this.origin}`,
    );
  }

  /** A message in which the credentials are not shown. A broker may write them into its links. */
  redacted(message: string): string {
    return this.redactor.message(message);
  }

  private async send(method: string, url: URL, body?: string): Promise<ReceivedResponse> {
    const { ca, insecure, timeoutMs, signal } = this.access;
    const isOwn = url.origin === this.origin;
    const headers: [string, string][] = [
      ['accept', 'application/hal+json, application/json'],
      ['accept-encoding', 'identity'],
    ];
    if (body !== undefined) headers.push(['content-type', 'application/json']);
    if (isOwn && this.authorization !== undefined) headers.push(['authorization', this.authorization]);
    const route = routeTo(url, { ca, insecure });
    const options = { timeoutMs, signal, longestBody: this.longestBody };
    for (let attempt = 1; ; attempt++) {
      const response = await sendRequest(route, { method, headers, body }, options);
      if (attempt === ATTEMPTS || !PASSING.includes(response.status)) return response;
      await sleep(PAUSE_MS * attempt, undefined, { signal });
    }
  }

  private bodyOf({ status, headers, body }: ReceivedResponse): Uint8Array {
    const codings = headerValues(headers, 'content-encoding');
    const decoded = codings.length === 0 ? body : decodeContent(body, codings, this.longestBody);
    if (status >= 200 && status < 300) {
      if (typeof decoded === 'string') throw new Error(decoded);
      return decoded;
    }
    throw new StatusError(status, this.explanation(status, typeof decoded === 'string' ? body : decoded));
  }

  private explanation(status: number, body: Uint8Array): string {
    if (status === 401 || status === 403) {
      const why =
        this.authorization === undefined ? 'it needs credentials' : 'it does not accept the credentials';
      return `${why} (status ${status})`;
    }
    const read = readJson(body);
    const said = read.ok ? errorsIn(read.value) : [];
    const what = said.length === 0 ? '' : `: ${excerpt(said.join('; '), QUOTED)}`;
    return this.redactor.message(visibleInLine(`the response has the status ${status}${what}`));
  }
}

/** A response that is an error. */
export class StatusError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function redirectOf({ status, headers }: ReceivedResponse, from: URL): URL | undefined {
  const [location] = headerValues(headers, 'location');
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined;
  const next = URL.canParse(location, from.href) ? new URL(location, from) : undefined;
  if (next === undefined || !/^https?:$/.test(next.protocol))
    throw new Error(`it redirects to what is no URL: ${visibleInLine(excerpt(location))}`);
  return next;
}

/** The errors that a broker names: `{ "error": … }`, or `{ "errors": … }` with sentences at any depth. */
function errorsIn(value: JsonValue): string[] {
  if (!isObject(value)) return [];
  const { error, errors } = value;
  return [error, errors].flatMap((one) => (one === undefined ? [] : sentencesIn(one, '')));
}

function sentencesIn(value: JsonValue, name: string): string[] {
  if (typeof value === 'string') return [name === '' ? value : `${name}: ${value}`];
  if (Array.isArray(value)) return value.flatMap((one) => sentencesIn(one, name));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => sentencesIn(one, key));
}

/** A document with links: `application/hal+json`. */
export interface HalDocument {
  readonly value: JsonObject;
  /** Where it was. Its links may be relative to it. */
  readonly url: URL;
}

interface HalLink {
  readonly href: string;
  readonly name: string | undefined;
}

/** @throws Error if the bytes are not a JSON object */
export function readHal(bytes: Uint8Array, url: URL): HalDocument {
  const read = readJson(bytes);
  if (read.ok && isObject(read.value)) return { value: read.value, url };
  throw new Error(`the response is not ${read.ok ? 'a JSON object' : 'JSON'}: is this a Pact broker?`);
}

/** Gets a document. */
export async function getHal(server: PactServer, url: URL): Promise<HalDocument> {
  return readHal(await server.get(url), url);
}

/** The first link with a name, such as `pb:provider`. */
export function linkOf({ value }: HalDocument, relation: string): HalLink | undefined {
  const links = objectOf(value._links)[relation];
  const [link] = Array.isArray(links) ? links : [links];
  if (!isObject(link) || typeof link.href !== 'string') return undefined;
  return { href: link.href, name: typeof link.name === 'string' ? link.name : undefined };
}

/**
 * The address of a link, with its variables replaced.
 *
 * @throws Error if the document has no such link, or it leads to another server
 */
export function addressOf(
  server: PactServer,
  document: HalDocument,
  relation: string,
  values: Readonly<Record<string, string>> = {},
): URL {
  const link = linkOf(document, relation);
  if (link === undefined) throw new Error(`the response has no link "${relation}": is this a Pact broker?`);
  const href = link.href.replace(/\{(\w+)\}/g, (all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return value === undefined ? all : encodeURIComponent(value);
  });
  return server.linked(href, document.url);
}
