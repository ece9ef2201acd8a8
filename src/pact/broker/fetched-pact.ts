import { definedOnly } from '../../defined-only.js';
import { limits } from '../../http/limits.js';
import { isObject, objectOf } from '../../validation/json-value.js';
import { pactText } from '../pact-file.js';
import type { PactSource } from '../pact-sources.js';
import { addressOf, getHal, type HalDocument, linkOf, readHal } from './hal.js';
import type { Notice } from './notices.js';
import { PactServer, type ServerAccess, StatusError } from './pact-server.js';

/** A pact from a server, with what a broker says about it. */
export interface FetchedPact extends PactSource {
  /** The name of its consumer, if a broker gave it. */
  readonly consumer?: string;
  /** The version of its consumer. */
  readonly version?: string;
  /** The branches of that version. */
  readonly branch?: string;
  /** Whether a failure does not count, because the provider has never satisfied it. */
  readonly pending?: boolean;
  /** Whether it is work in progress: no selector chose it. */
  readonly wip?: boolean;
  readonly notices?: readonly Notice[];
  /** The broker that gave it, with the links of the pact; `undefined` if no broker did. */
  readonly broker?: { readonly server: PactServer; readonly document: HalDocument };
}

/**
 * Gets a pact by its URL.
 *
 * @param url a user and a password in it are the credentials
 * @throws Error with a sentence that says why it cannot be had
 */
export function fetchPactAt(url: URL, access: ServerAccess): Promise<FetchedPact> {
  const address = new URL(url);
  address.username = '';
  address.password = '';
  return fetchPact(new PactServer(url, access, limits.pact), address, {});
}

/** Gets a pact from a server, and the branch of its consumer. */
export async function fetchPact(
  server: PactServer,
  url: URL,
  about: Pick<FetchedPact, 'pending' | 'wip' | 'notices'>,
): Promise<FetchedPact> {
  const bytes = await server.get(url);
  const text = pactText(bytes, url.href);
  const document = documentIn(bytes, url);
  if (document === undefined) return { where: url.href, text, ...about };
  const version = linkOf(document, 'pb:consumer-version') ?? linkOf(document, 'pb:consumer-versions');
  return definedOnly({
    where: ownAddress(server, document),
    text,
    ...about,
    consumer: linkOf(document, 'pb:consumer')?.name,
    version: version?.name,
    branch: version && (await branchOf(server, document)),
    broker: { server, document },
  });
}

/** A pact as a broker gives it: it has links. What is no pact at all is found out when it is read. */
function documentIn(bytes: Uint8Array, url: URL): HalDocument | undefined {
  try {
    const document = readHal(bytes, url);
    return isObject(document.value._links) ? document : undefined;
  } catch {
    return undefined;
  }
}

/** The shortest address of a pact. The one that a broker asks to fetch may hold metadata. */
function ownAddress(server: PactServer, document: HalDocument): string {
  try {
    return addressOf(server, document, 'self').href;
  } catch {
    return document.url.href;
  }
}

/** The branches of the version of the consumer. A broker before 2.83 knows none. */
async function branchOf(server: PactServer, document: HalDocument): Promise<string | undefined> {
  let address: URL;
  try {
    address = addressOf(server, document, 'pb:consumer-version');
  } catch {
    // The pact may be a copy that another server has.
    return undefined;
  }
  try {
    const { value } = await getHal(server, address);
    const { branchVersions } = objectOf(value._embedded);
    if (!Array.isArray(branchVersions)) return undefined;
    const names = branchVersions
      .filter(isObject)
      .flatMap(({ name }) => (typeof name === 'string' ? name : []));
    return names.length === 0 ? undefined : names.join(', ');
  } catch (cause) {
    if (cause instanceof StatusError) return undefined;
    throw cause;
  }
}
