/** What the last batch gave, so that no compiler may take its work for useless. */
export let kept;

/**
 * A slice of work for pairs, in this process.
 *
 * @param {(turn: number) => unknown} work
 * @param {number} turns how often it is done in a slice
 * @returns {() => number} does it, and gives the milliseconds of a turn
 */
export function repeated(work, turns) {
  return () => {
    const start = performance.now();
    for (let turn = 0; turn < turns; turn++) kept = work(turn);
    return (performance.now() - start) / turns;
  };
}
