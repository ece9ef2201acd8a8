import { didYouMean } from '../../output/suggestion.js';
import { invalidOption } from '../../toolkit-error.js';
import type { FileProvider } from './from-file.js';

/**
 * The providers that `--provider` names; without it, all.
 *
 * @throws ToolkitError `invalid-option` if there is no such provider
 */
export function pickedProviders(
  all: readonly FileProvider[],
  names: readonly string[] | undefined,
): readonly FileProvider[] {
  if (names === undefined) return all;
  const known = all.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (all.length === 0)
    throw invalidOption(
      '--provider needs "providers" in plant-store.config.json, and no base URL on the command line',
    );
  if (unknown !== undefined)
    throw invalidOption(
      `there is no provider ${JSON.stringify(unknown)}; there are: ${known.join(', ')}${didYouMean(unknown, known)}`,
    );
  return all.filter(({ name }) => names.includes(name));
}
