import { REFERENCE } from './providers.mjs';

/**
 * What a tool said about one provider.
 *
 * @typedef {object} Run
 * @property {string} tool
 * @property {string} version
 * @property {import('./providers.mjs').Provider} provider
 * @property {boolean} failed whether the tool reports a failure: by its exit status, or a proxy by a violation
 * @property {string[]} findings the messages of the failures, without what differs from run to run
 * @property {boolean} timedOut
 * @property {number} requests that the provider counted
 * @property {number} seconds
 * @property {number} [cpuSeconds]
 */

/**
 * Scores one tool. It finds a fault if it says something about it that it says about no correct provider.
 *
 * @param {readonly Run[]} runs
 */
export function score(runs) {
  const faulty = runs.filter(({ provider }) => provider.kind === 'fault');
  const correct = runs.filter(({ provider }) => provider.kind === 'correct');
  const reference = correct.filter(({ provider }) => provider.name === REFERENCE);
  const names = (some) => some.map(({ provider }) => provider.name);
  return {
    faults: faulty.length,
    found: names(faulty.filter(saysMoreThan(correct))),
    foundByDifference: names(faulty.filter(saysMoreThan(reference))),
    failing: names(faulty.filter(({ failed }) => failed)),
    correct: correct.length,
    blamed: names(correct.filter(({ failed }) => failed)),
    timedOut: names(runs.filter(({ timedOut }) => timedOut)),
    seconds: medianOf(runs, 'seconds'),
    cpuSeconds: medianOf(runs, 'cpuSeconds'),
    requests: medianOf(runs, 'requests'),
  };
}

/** Whether a run has a finding that none of these has. */
function saysMoreThan(others) {
  const said = new Set(others.flatMap(({ findings }) => findings));
  return ({ findings }) => findings.some((finding) => !said.has(finding));
}

function medianOf(runs, property) {
  const values = runs.map((run) => run[property]).filter((value) => value !== undefined);
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
