import { readFileSync } from 'node:fs';
import { RIGHTS } from './mutants.mjs';
import { nameOf, PROBE, placeOf } from './run.mjs';
import { effectOf } from './score.mjs';

/**
 * A mutant with all that is known of it.
 *
 * @typedef {object} Judged
 * @property {import('./mutants.mjs').Mutant} mutant
 * @property {object} probe its differential probe
 * @property {import('./score.mjs').Effect} [effect] none if it did not start
 * @property {string} [sentence] from classification.json
 * @property {(job: import('./run.mjs').Job) => object | undefined} runOf the run of a tool
 */

/**
 * Puts the runs of a file together with what classification.json says.
 *
 * @param {readonly { provider: import('./providers.mjs').Provider, mutants: readonly import('./mutants.mjs').Mutant[] }[]} all
 * @param {readonly object[]} runs
 * @param {number} most the number of mutants of each provider
 * @returns the mutants of each provider, the runs against the provider itself, and ids in classification.json that are not drawn
 */
export function judgedFrom(all, runs, most) {
  const known = new Map(runs.map((run) => [keyOf(run.tool, run.provider.kind, run.provider.name), run]));
  const classified = JSON.parse(readFileSync(new URL('classification.json', import.meta.url), 'utf8'));
  return all.map(({ provider, mutants: drawn }) => {
    const find = (job, id) => known.get(keyOf(nameOf(job), placeOf(provider), id));
    const own = classified[provider.name] ?? {};
    const mutants = drawn.slice(0, most).flatMap((mutant) => {
      const probe = find(PROBE, mutant.id);
      if (probe === undefined) return [];
      const effect = probe.isStarted ? effectOf(probe, own[mutant.id]) : undefined;
      const sentence = own[mutant.id]?.sentence;
      return [{ mutant, probe, effect, sentence, runOf: (job) => find(job, mutant.id) }];
    });
    return {
      provider,
      mutants,
      rightsOf: (job) => RIGHTS.map((id) => find(job, id)).filter((run) => run !== undefined),
      unknown: Object.keys(own).filter((id) => !drawn.some((mutant) => mutant.id === id)),
    };
  });
}

function keyOf(...parts) {
  return parts.join('\n');
}
