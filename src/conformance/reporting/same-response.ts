import { headerValues } from '../../http/fields.js';
import type { Report } from '../../report/frame.js';
import type { Exchange, ProviderResponse } from '../exchange.js';

/** So many valid requests show that something else than the provider may answer. */
const LEAST = 5;
/** This part of them gets the same response. */
const NEARLY_ALL = 0.9;

/**
 * Says first what may explain all failures at once: nearly all valid requests got the same response, and it is no
 * response to a creation. A 400 is one, so the rules judge it.
 *
 * @returns a warning that says what to look at, or nothing
 */
export function sameResponse(exchanges: readonly Exchange[]): Pick<Report, 'warning'> {
  const responses = exchanges.flatMap(({ expectation, response, role }) =>
    expectation === 'created' && role !== 'confirmation' ? (response ?? []) : [],
  );
  const counts = new Map<string, { readonly first: ProviderResponse; readonly count: number }>();
  for (const response of responses) {
    const kind = kindOf(response);
    const { first, count } = counts.get(kind) ?? { first: response, count: 0 };
    counts.set(kind, { first, count: count + 1 });
  }
  for (const [kind, { first, count }] of counts) {
    const isCreation = !isHtml(first) && (first.status === 200 || first.status === 400);
    if (isCreation || count < LEAST || count < NEARLY_ALL * responses.length) continue;
    const what = `${count} of the ${responses.length} valid requests got the same response: ${kind}.`;
    return { warning: `${what} Before you read the failures: ${advice(first)}` };
  }
  return {};
}

function kindOf(response: ProviderResponse): string {
  return isHtml(response) ? `${response.status} with an HTML page` : String(response.status);
}

function isHtml({ headers }: ProviderResponse): boolean {
  return headerValues(headers, 'content-type').some((type) =>
    /^\s*(?:text\/html|application\/xhtml)/i.test(type),
  );
}

function advice(response: ProviderResponse): string {
  const { status } = response;
  if (status === 401 || status === 403)
    return 'look at the token. Is it right, may it create plants, and did it expire during the check?';
  if (status === 404 || status === 405)
    return 'look at the base URL. /plants is appended to its path; the provider may serve it below another one.';
  if (status === 429)
    return 'look at the rate limit of the provider. Lift it for the check, or send fewer requests with --rate.';
  if (status === 502 || status === 503 || status === 504)
    return 'look at the provider behind the gateway. Is it running, and does it have its database?';
  if (status >= 500) return 'look at the log of the provider: every creation fails there.';
  if (status >= 300 && status < 400)
    return 'look at where the response redirects to. Should the base URL begin with https, or with another host?';
  if (isHtml(response))
    return 'look at the base URL. A web page or a login answers there, in place of the provider.';
  return 'look at what answers at the base URL. Is it the provider itself?';
}
