import { counted } from '../../output/wording.js';
import type { Exploration } from '../exploring/exploration.js';

/** Sentences about what exploring did, and how to repeat it. */
export function remarksOfExploring(exploration: Exploration | undefined): string[] {
  if (exploration === undefined) return [];
  const { seed, draws, requests, plants, durationMs, failures, intermittent } = exploration;
  const rate = Math.round((requests / Math.max(1, durationMs)) * 1000);
  const seconds = Math.max(1, Math.round(durationMs / 1000));
  const once = Object.entries(intermittent).map(([rule, count]) => `${rule} (${count})`);
  return [
    `Exploring drew ${counted(draws, 'probe')} and sent ${counted(requests, 'request')}, ${rate} a second. It found ${counted(failures.length, 'failure')}.`,
    `Exploring created ${counted(plants, 'plant')}. The report does not list their ids.`,
    `To draw the same probes again: --explore --seed ${seed} --time ${seconds}s`,
    ...(once.length === 0
      ? []
      : [`Some draws failed once, and not when they were sent again: ${once.join(', ')}.`]),
  ];
}
