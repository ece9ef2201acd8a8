import type { Fields } from '../exchange.js';
import type { Probe } from '../probe.js';
import type { FetchHandler } from './fetch-handler.js';
import { freshMaterial } from './material.js';

/** A `Request` is made of a URL, one value for each header and bytes; of the connection it says nothing. */
function whyNoRequestSays(probe: Probe): string | undefined {
  if (probe.oneConnection === true)
    return 'the provider is called as a function, so that there is no connection to keep';
  const requests = probe.requests(freshMaterial('the-token-of-nobody'));
  if (requests.some(({ chunked }) => chunked === true))
    return 'the provider is called as a function, and a Request does not say whether its body came in chunks';
  if (requests.some(({ headers }) => hasRepeatedField(headers)))
    return 'the provider is called as a function, and a Request joins fields of one name into one';
  return undefined;
}

function hasRepeatedField(headers: Fields): boolean {
  return new Set(headers.map(([name]) => name.toLowerCase())).size < headers.length;
}

/** The probes that cannot be sent to a function, with the reasons; none where there is a connection. */
export function beyondRequests(
  probes: readonly Probe[],
  fetch: FetchHandler | undefined,
): ReadonlyMap<Probe, string> {
  const beyond = new Map<Probe, string>();
  if (fetch === undefined) return beyond;
  for (const probe of probes) {
    const why = whyNoRequestSays(probe);
    if (why !== undefined) beyond.set(probe, why);
  }
  return beyond;
}
