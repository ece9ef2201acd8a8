import type { Difference } from '../../conformance/comparison/report.js';
import type { Profile } from '../../conformance/profiles/profile.js';
import type { SelectionOptions } from '../../conformance/selection.js';
import { definedOnly } from '../../defined-only.js';
import { visibleInLine } from '../../output/escape.js';
import { commandLine, flagsFor } from './flags.js';
import { type BehaviourOptions, optionsLike } from './options.js';

/**
 * The command that runs a reference server like a provider, and a comment for each thing in which that server differs:
 * it is started and checked to find these.
 *
 * @param selection which rules the profile has
 */
export async function referenceLike(profile: Profile, selection: SelectionOptions): Promise<string> {
  const options = optionsLike(profile);
  // The headers and the rate of the provider's check do not apply to the reference server.
  const { only, skip, levels, quick } = selection;
  const same = definedOnly({ only, skip, levels, quick });
  const differences = await differencesFromReference(profile, options, same);
  const comments = differences.map(({ id, kind, first, second }) => {
    if (kind === 'demanded') return `# not reproduced: ${id}: the provider ${first}`;
    return `# not reproduced: ${visibleInLine(first)} The reference server: ${visibleInLine(second)}`;
  });
  return `${[commandLine(['plant-store', 'serve', ...flagsFor(options)]), ...comments].join('\n')}\n`;
}

async function differencesFromReference(
  profile: Profile,
  options: BehaviourOptions,
  selection: SelectionOptions,
): Promise<readonly Difference[]> {
  const [{ startPlantStore }, { checkConformance }, { compareProfiles }] = await Promise.all([
    import('../../server/listen.js'),
    import('../../conformance/check.js'),
    import('../../conformance/comparison/report.js'),
  ]);
  const store = await startPlantStore(options);
  try {
    const { url: baseUrl, token } = store;
    const report = await checkConformance({ ...selection, baseUrl, token, prism: false, discover: true });
    return compareProfiles(profile, report.profile).differences;
  } finally {
    await store.close();
  }
}
