import type { Profile } from '../../report/profile.js';

/**
 * What changed between two checks of one provider, each with the reason why it says nothing about the provider.
 *
 * @param before the profile of the first check
 * @param again the profile of a second check, of some rules
 */
export function changesBetween(before: Profile, again: Profile, name: string): ReadonlyMap<string, string> {
  const changes = new Map<string, string>();
  for (const { rule, verdict } of again.demands) {
    const earlier = before.demands.find((one) => one.rule === rule)?.verdict;
    // After its first check a provider has more plants, so another verdict may say nothing about it.
    const isContrary = [earlier, verdict].sort().join() === 'fail,pass';
    if (isContrary) changes.set(rule, `${name} breaks the rule in one check, and not in another`);
  }
  for (const { rule, value, caveat } of again.behaviours) {
    const earlier = before.behaviours.find((one) => one.rule === rule);
    // The first check created plants that the second one meets.
    if (earlier === undefined || earlier.value === value || caveat !== undefined) continue;
    changes.set(rule, `${name} changes from check to check: ${earlier.value} and ${value}`);
  }
  return changes;
}
