import { readJson } from '../../validation/json.js';
import { isObject, type JsonObject, objectOf } from '../../validation/json-value.js';
import type { PactServer } from './pact-server.js';

/** A document with links: `application/hal+json`. */
export interface HalDocument {
  readonly value: JsonObject;
  /** Where it was. Its links may be relative to it. */
  readonly url: URL;
}

/** A link of a document. */
export interface HalLink {
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
