import { type CheckOptions, checkConformance, type Profile } from 'plant-store-contract/conformance';

export const token = 'token-of-these-tests';

/** What a check learns about a server, whatever it has stored. By default, only what the interface leaves open. */
export async function profileOfFetch(
  fetch: NonNullable<CheckOptions['fetch']>,
  given: Partial<CheckOptions> = {},
): Promise<Profile> {
  const observing = { only: ['unspecified'], prism: false } as const;
  const options = { baseUrl: 'http://localhost', token, fetch, ...observing, ...given };
  return (await checkConformance(options)).profile;
}
