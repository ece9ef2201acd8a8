import type { Provider } from '../provider.js';
import { failures } from './failures.js';
import { startCorrect } from './provider.js';
import { strings } from './strings.js';
import * as variations from './variations.js';

/** Every correct provider, by what it does. */
export const correctProviders: variations.Variations = Object.assign(
  {},
  ...Object.values(variations),
  strings,
  failures,
);

/** @throws if there is no such correct provider */
export async function startByName(token: string, name: string): Promise<Provider> {
  const variation = correctProviders[name];
  if (variation === undefined) throw new Error(`there is no correct provider "${name}"`);
  return startCorrect(token, variation);
}
