import { isHttpUrl } from '../../http/address.js';
import { readWithin } from '../../http/collected-bytes.js';
import { checkSendable } from '../../http/fields.js';
import { limitInWords, limits } from '../../http/limits.js';
import { visibleInLine } from '../../report/escape.js';
import { excerpt } from '../../report/exchange.js';
import { invalidOption, reasonOf, ToolkitError } from '../../toolkit-error.js';
import { readJson } from '../../validation/json.js';
import { isObject, type JsonObject, objectOf } from '../../validation/json-value.js';

/** A Pact broker. */
export interface BrokerOptions {
  readonly url: string;
  /** A bearer token, which only this broker gets. Without one: a user name and a password. */
  readonly token?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  /** Consumer version selectors, as Pact documents them. Default: main branches, `branch`, everything deployed or released. */
  readonly selectors?: readonly object[] | undefined;
  /** Whether a failure of a pact that was never verified does not count. Default false. */
  readonly pending?: boolean | undefined;
  /** Also verifies work-in-progress pacts since this day, `YYYY-MM-DD`. Needs the branch of the provider. */
  readonly wipSince?: string | undefined;
  /** The branch of the provider. The broker finds pending and matching pacts by it. */
  readonly branch?: string | undefined;
  /** Publishes the verdict on each pact, for a version of the provider, which is put on `branch`. */
  readonly publish?: { readonly version: string; readonly buildUrl?: string } | undefined;
}

/** @throws ToolkitError `invalid-option` for what a broker would not say; the message shows no password */
export function checkBroker({ url, wipSince, ...broker }: BrokerOptions): void {
  if (!isHttpUrl(url)) throw invalidOption('the broker must be a URL that begins with http:// or https://');
  const authorization = authorizationOf(broker);
  if (authorization !== undefined) checkSendable('Authorization', authorization);
  if (wipSince !== undefined && broker.branch === undefined)
    throw invalidOption(
      'work-in-progress pacts need the branch of the provider: a broker finds none without it',
    );
}

/** The value of the `Authorization` header; `undefined` without credentials. */
function authorizationOf({
  token,
  username,
  password = '',
}: Pick<BrokerOptions, 'token' | 'username' | 'password'>): string | undefined {
  if (token !== undefined) return `Bearer ${token}`;
  if (username === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/** The text of a pact, with what a broker says about it. */
export interface FetchedPact {
  /** The file or the URL. */
  readonly where: string;
  /** As it was written: every digit and every space. */
  readonly text: string;
  /** The version of its consumer. */
  readonly version?: string | undefined;
  /** Whether a failure does not count: the provider has never satisfied it, or no selector chose it (work in progress). */
  readonly pending?: boolean;
  /** Its links, and where they were; `undefined` if no broker gave it. */
  readonly links?: HalDocument;
}

/** A JSON object with links: `application/hal+json`. */
interface HalDocument {
  readonly value: JsonObject;
  /** Its links may be relative to it. */
  readonly url: URL;
}

/** How much of an error is quoted. */
const QUOTED = 300;
const WRONG_CREDENTIALS = 'are the credentials of the broker right?';
const NO_CREDENTIALS = 'only the server of --broker gets credentials';

/** Gets pacts from servers, and publishes verdicts to the broker. Only the broker gets the credentials. */
export class PactServers {
  private branch: Promise<void> | undefined;

  /**
   * @param broker without it, no server gets credentials
   * @param redact takes secrets out of a message
   */
  constructor(
    private readonly broker: BrokerOptions | undefined,
    private readonly redact: (text: string) => string = String,
    private readonly signal?: AbortSignal,
    private readonly timeoutMs = 30_000,
  ) {}

  /**
   * Gets the pacts that the broker chooses for a provider.
   *
   * @throws ToolkitError `no-pact` if the broker cannot be reached, rejects the request, or has no pact
   */
  async pactsFor(provider: string): Promise<FetchedPact[]> {
    const { url = '', selectors, pending = false, wipSince, branch } = this.broker ?? {};
    const query = {
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
    try {
      const index = await this.document(new URL(url));
      const address = addressOf(index, 'pb:provider-pacts-for-verification', { provider });
      const list = await this.document(address, 'POST', query);
      const { pacts: all } = objectOf(list.value._embedded);
      const listed = Array.isArray(all) ? all.filter(isObject) : [];
      if (listed.length === 0) throw new Error(`it has no pact with ${provider} for these selectors`);
      const pacts: FetchedPact[] = [];
      for (const value of listed) {
        const { pending, wip } = objectOf(value.verificationProperties);
        const pact = await this.pactAt(addressOf({ value, url: address }, 'self'));
        // Nobody has asked for work in progress yet: it never fails a build.
        pacts.push({ ...pact, pending: pending === true || wip === true });
      }
      return pacts;
    } catch (cause) {
      throw new ToolkitError(
        'no-pact',
        this.redact(`the broker gave nothing to verify: ${reasonOf(cause)}`),
        { cause },
      );
    }
  }

  /**
   * Gets one pact.
   *
   * @throws Error with a sentence that says why it cannot be had
   */
  async pactAt(url: URL): Promise<FetchedPact> {
    const bytes = await this.send(url);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const read = readJson(bytes);
    const value = objectOf(read.ok ? read.value : undefined);
    if (!isObject(value._links)) return { where: url.href, text };
    const links = { value, url };
    // The address in the list of a broker may hold metadata.
    const where = linkOf(value, 'self') === undefined ? url.href : addressOf(links, 'self').href;
    const { name } = linkOf(value, 'pb:consumer-version') ?? {};
    return { where, text, version: typeof name === 'string' ? name : undefined, links };
  }

  /**
   * Publishes a result. The branch of the provider's version is published once, before the first one.
   *
   * @param links of the pact
   * @throws Error with a sentence that says why it was not accepted
   */
  async publish(links: HalDocument, version: string, result: object): Promise<void> {
    const address = addressOf(links, 'pb:publish-verification-results');
    this.branch ??= this.publishBranch(links, version);
    await this.branch;
    await this.send(address, 'POST', result);
  }

  private async publishBranch(links: HalDocument, version: string): Promise<void> {
    const { branch } = this.broker ?? {};
    if (branch === undefined) return;
    const provider = await this.document(addressOf(links, 'pb:provider'));
    await this.send(addressOf(provider, 'pb:branch-version', { branch, version }), 'PUT', {});
  }

  private async document(url: URL, method?: 'POST', body?: object): Promise<HalDocument> {
    const read = readJson(await this.send(url, method, body));
    if (read.ok && isObject(read.value)) return { value: read.value, url };
    throw new Error(
      `${url}: the response is not ${read.ok ? 'a JSON object' : 'JSON'}: is this a Pact broker?`,
    );
  }

  /** Sends a request, and returns the body of a 2xx. `fetch` follows redirects, without the credentials to other origins. */
  private async send(url: URL, method: 'GET' | 'POST' | 'PUT' = 'GET', body?: object): Promise<Uint8Array> {
    const { broker, signal, timeoutMs } = this;
    // The messages of `fetch` show them.
    if (url.username + url.password !== '')
      throw new Error('a URL must not have a user or a password: the broker has options for them');
    const late = AbortSignal.timeout(timeoutMs);
    const isBroker = broker !== undefined && url.origin === new URL(broker.url).origin;
    const authorization = isBroker ? authorizationOf(broker) : undefined;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          Accept: 'application/hal+json, application/json',
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...(authorization !== undefined && { Authorization: authorization }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal === undefined ? late : AbortSignal.any([late, signal]),
      });
      const bytes = await readWithin(response.body ?? [], limits.pact);
      if (bytes === undefined) throw new Error(`the response is longer than ${limitInWords(limits.pact)}`);
      if (response.ok) return bytes;
      const said = visibleInLine(excerpt(Buffer.from(bytes).toString(), QUOTED));
      const isRejected = response.status === 401 || response.status === 403;
      const why = isRejected ? (isBroker ? WRONG_CREDENTIALS : NO_CREDENTIALS) : said;
      throw new Error(`the response has the status ${response.status}${why && `: ${why}`}`);
    } catch (cause) {
      const why = late.aborted ? `no whole response within ${timeoutMs} ms` : reasonOf(cause);
      throw new Error(this.redact(`${url}: ${why}`), { cause });
    }
  }
}

/** The first link with a name, such as `pb:provider`. */
function linkOf(value: JsonObject, relation: string): JsonObject | undefined {
  const links = objectOf(value._links)[relation];
  const [link] = Array.isArray(links) ? links : [links];
  return isObject(link) ? link : undefined;
}

/**
 * The address of a link, with its variables replaced.
 *
 * @throws Error if the document has no such link, or it leads to another server: no document may choose who else gets a
 *   request
 */
function addressOf(
  { value, url }: HalDocument,
  relation: string,
  values: Readonly<Record<string, string>> = {},
): URL {
  const { href } = linkOf(value, relation) ?? {};
  if (typeof href !== 'string')
    throw new Error(`${url}: the response has no link "${relation}": is this a Pact broker?`);
  const target = href.replace(/\{(\w+)\}/g, (all, name: string) => encodeURIComponent(values[name] ?? all));
  if (URL.canParse(target, url.href) && new URL(target, url).origin === url.origin)
    return new URL(target, url);
  throw new Error(
    `${url}: the link "${relation}" leads to another server: ${visibleInLine(excerpt(href))}. Is the base URL right, also in the settings of the broker?`,
  );
}
