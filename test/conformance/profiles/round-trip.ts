import { type CheckOptions, checkConformance, type Profile } from 'plant-store-contract/conformance';
import { createPlantStore, type PlantStoreOptions } from 'plant-store-contract/server';

export const token = 'token-of-these-tests';

/** What a check learns about a new server with these options, called as a function. */
export async function profileOfStore(
  options: PlantStoreOptions,
  given: Partial<CheckOptions> = {},
): Promise<Profile> {
  const { fetch } = createPlantStore({ token, ...options });
  return profileOfFetch(fetch, given);
}

/** What a check learns about a server, whatever it has stored. By default, only what the interface leaves open. */
export async function profileOfFetch(
  fetch: NonNullable<CheckOptions['fetch']>,
  given: Partial<CheckOptions> = {},
): Promise<Profile> {
  const observing = { levels: ['unspecified'], quick: true, prism: false } as const;
  const options = { baseUrl: 'http://localhost', token, fetch, ...observing, ...given };
  return withoutLines((await checkConformance(options)).profile);
}

/** A profile without the lines for a shell: a name in them is another one each time. */
export function withoutLines(profile: Profile): Profile {
  const without = JSON.stringify(profile, (key, value) => (key === 'reproduce' ? [] : value));
  return JSON.parse(without) as Profile;
}
