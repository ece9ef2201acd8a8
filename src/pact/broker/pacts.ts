import { definedOnly } from '../../defined-only.js';
import { limits } from '../../http/limits.js';
import { reasonOf, ToolkitError } from '../../toolkit-error.js';
import { isObject, type JsonObject, type JsonValue, objectOf } from '../../validation/json-value.js';
import { type PactSource, pactText } from '../pact-file.js';
import { type BrokerOptions, withoutCredentials } from './options.js';
import {
  addressOf,
  getHal,
  type HalDocument,
  linkOf,
  PactServer,
  readHal,
  type ServerAccess,
  StatusError,
} from './pact-server.js';

/** Requests that a broker gets at the same time. */
const AT_ONCE = 4;

/**
 * Gets the pacts that a provider must satisfy.
 *
 * @param provider its name
 * @throws ToolkitError `no-pact` if the broker cannot be reached, rejects the request, or has no pact
 */
export async function fetchPacts(
  broker: BrokerOptions & { readonly url: string },
  provider: string,
  access: ServerAccess,
): Promise<FetchedPact[]> {
  const url = new URL(broker.url);
  const server = new PactServer(url, access, limits.pact);
  try {
    const index = await getHal(server, url);
    const address = addressOf(server, index, 'pb:provider-pacts-for-verification', { provider });
    const list = readHal(await server.put('POST', address, JSON.stringify(query(broker))), address);
    const { pacts } = objectOf(list.value._embedded);
    const found = Array.isArray(pacts) ? pacts.filter(isObject) : [];
    if (found.length === 0) throw new Error(`it has no pact with ${provider} for these selectors`);
    return await fetchAll(server, address, found);
  } catch (cause) {
    const why = server.redacted(`the broker at ${url.origin} gave nothing to verify: ${reasonOf(cause)}`);
    throw new ToolkitError('no-pact', why, { cause });
  }
}

function query(broker: BrokerOptions): object {
  const { selectors, pending = false, wipSince, publish } = broker;
  const branch = broker.branch ?? publish?.branch;
  return {
    // Pact's documentation recommends these.
    consumerVersionSelectors: selectors ?? [
      { mainBranch: true },
      ...(branch === undefined ? [] : [{ matchingBranch: true }]),
      { deployedOrReleased: true },
    ],
    includePendingStatus: pending,
    includeWipPactsSince: wipSince,
    providerVersionBranch: branch,
  };
}

async function fetchAll(server: PactServer, from: URL, found: readonly JsonObject[]): Promise<FetchedPact[]> {
  const pacts: FetchedPact[] = [];
  let size = 0;
  for (let at = 0; at < found.length; at += AT_ONCE) {
    const some = await Promise.all(
      found.slice(at, at + AT_ONCE).map((one) => fetchListed(server, from, one)),
    );
    size += some.reduce((sum, { text }) => sum + text.length, 0);
    if (size > limits.allPacts)
      throw new Error(`its pacts are longer than ${limits.allPacts / 2 ** 20} MiB together`);
    pacts.push(...some);
  }
  return pacts;
}

async function fetchListed(server: PactServer, from: URL, value: JsonObject): Promise<FetchedPact> {
  const listed = { value, url: from };
  const { pending, wip, notices } = objectOf(value.verificationProperties);
  return fetchPact(server, addressOf(server, listed, 'self'), {
    // Nobody has asked for work in progress yet: it never fails a build.
    pending: pending === true || wip === true,
    wip: wip === true,
    notices: noticesIn(notices),
  });
}

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
  return fetchPact(new PactServer(url, access, limits.pact), withoutCredentials(url), {});
}

/** Gets a pact from a server, and the branch of its consumer. */
async function fetchPact(
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

/** A sentence of a broker for the reader of a verification, and when it applies. */
export interface Notice {
  /** `before_verification`, `after_verification:success_true_published_false`, … */
  readonly when: string;
  readonly text: string;
}

function noticesIn(list: JsonValue | undefined): Notice[] {
  if (!Array.isArray(list)) return [];
  return list.filter(isObject).flatMap(({ when, text }) => {
    const line = typeof text === 'string' ? onOneLine(text) : '';
    return line === '' ? [] : [{ when: String(when), text: line }];
  });
}

/**
 * The texts of the notices that apply.
 *
 * @param success `undefined` if the pact could not be verified
 */
export function noticesFor(
  notices: readonly Notice[],
  success: boolean | undefined,
  published: boolean,
): string[] {
  const after =
    success === undefined
      ? []
      : ['after_verification', `after_verification:success_${success}_published_${published}`];
  const applying = ['before_verification', ...after];
  return notices.filter(({ when }) => applying.includes(when)).map(({ text }) => text);
}

/** The lines of a text as one line; its list is separated by semicolons. */
function onOneLine(text: string): string {
  const lines = text
    .split(/[\r\n]+|\\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const isItem = (line = ''): boolean => line.startsWith('* ');
  return lines.reduce((before, line, at) => {
    if (at === 0) return line;
    const separator = isItem(line) && isItem(lines[at - 1]) ? '; ' : ' ';
    return before + separator + (isItem(line) ? line.slice(2) : line);
  }, '');
}
