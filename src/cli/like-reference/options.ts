import type { Profile } from '../../conformance/profiles/profile.js';
import { definedOnly } from '../../defined-only.js';
import type { Limits, PlantStoreOptions } from '../../server/options.js';
import { KnownProvider } from './known-provider.js';
import { rejectionsLike } from './rejections.js';

/** Options of the reference server that make it behave like a provider, as far as it has options for that. */
export type BehaviourOptions = Omit<
  PlantStoreOptions,
  'token' | 'cors' | 'logger' | 'receivedRequests' | 'failures' | 'faults'
>;

/** The largest body that is accepted without an option. */
const USUAL_BODY = 1024 * 1024;
/** The reference server accepts these at least, as every provider does. */
const LEAST_LONGEST = { name: 30, tag: 9 } as const;

/** Reads a profile as options. What has no option is left out. */
export function optionsLike(profile: Profile): BehaviourOptions {
  const provider = new KnownProvider(profile);
  return definedOnly({
    ...rejectionsLike(provider),
    authorizationSyntax:
      provider.rejects('unspecified/scheme-in-lower-case') && provider.rejects('unspecified/two-spaces')
        ? 'exact'
        : undefined,
    duplicateAuthorization: provider.accepts('unspecified/two-authorizations') ? 'first' : undefined,
    duplicateId: duplicateId(provider),
    duplicateName: provider.rejects('unspecified/repeated-name') ? 'reject' : undefined,
    unknownFields: provider.rejects('unspecified/unknown-field') ? 'reject' : undefined,
    duplicateKeys: provider.accepts('unspecified/repeated-key') ? 'last' : undefined,
    fractionalIds: provider.rejects('unspecified/id-with-zero-fraction') ? 'reject' : undefined,
    byteOrderMark: provider.accepts('unspecified/byte-order-mark') ? 'accept' : undefined,
    mediaTypes: mediaTypes(provider),
    limits: limitsLike(provider),
  }) as BehaviourOptions;
}

function duplicateId(provider: KnownProvider): PlantStoreOptions['duplicateId'] {
  if (!provider.accepts('unspecified/repeated-id')) return undefined;
  return provider.accepts('unspecified/repeated-id-with-another-name') ? 'replace' : 'reject-different';
}

function mediaTypes(provider: KnownProvider): readonly string[] | undefined {
  const [none, plain, suffix] = (['no-media-type', 'text-plain', 'json-suffix'] as const).map((name) =>
    provider.accepts(`unspecified/${name}`),
  );
  const types = [
    ...(none ? ['none'] : []),
    ...(plain && suffix ? ['*/*'] : plain ? ['text/plain'] : suffix ? ['application/vnd.api+json'] : []),
  ];
  return types.length === 0 ? undefined : types;
}

function limitsLike(provider: KnownProvider): Limits | undefined {
  const limits = definedOnly({
    shortestName: shortest(provider, 'name'),
    longestName: longest(provider, 'name'),
    shortestTag: shortest(provider, 'tag'),
    longestTag: longest(provider, 'tag'),
    smallestId: smallestId(provider),
    bodyBytes: bodyBytes(provider),
  });
  return Object.keys(limits).length === 0 ? undefined : (limits as Limits);
}

function shortest(provider: KnownProvider, field: 'name' | 'tag'): number | undefined {
  return provider.rejects(`unspecified/empty-${field}`) ? 1 : undefined;
}

function longest(provider: KnownProvider, field: 'name' | 'tag'): number | undefined {
  const found = Number(provider.found(`longest-${field}`));
  return found >= LEAST_LONGEST[field] ? found : undefined;
}

function smallestId(provider: KnownProvider): bigint | undefined {
  if (!provider.rejects('unspecified/id-negative')) return undefined;
  return provider.rejects('unspecified/id-zero') ? 1n : 0n;
}

function bodyBytes(provider: KnownProvider): number | undefined {
  const limit = provider.limit('largest-body');
  const known = limit?.outcome === 'found' ? limit.value : limit?.upTo;
  const bytes = known === undefined ? undefined : Number(known);
  return bytes === USUAL_BODY ? undefined : bytes;
}
