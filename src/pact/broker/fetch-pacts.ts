import { limits } from '../../http/limits.js';
import { reasonOf, ToolkitError } from '../../toolkit-error.js';
import { isObject, type JsonObject, objectOf } from '../../validation/json-value.js';
import { type FetchedPact, fetchPact } from './fetched-pact.js';
import { addressOf, getHal, readHal } from './hal.js';
import { noticesIn } from './notices.js';
import type { BrokerOptions } from './options.js';
import { PactServer, type ServerAccess } from './pact-server.js';

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

/** Which pacts are wanted. */
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

/** One pact of the list. */
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
