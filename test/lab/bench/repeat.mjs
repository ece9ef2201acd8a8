/** The result of the last turn. It is exported, so that the compiler cannot remove the work. */
export let kept;

/**
 * A slice of work in this process, for `measurePairs`.
 *
 * @param {(turn: number) => unknown} work
 * @param {number} turns how often it is done in a slice
 * @returns {() => number} does the work, and returns the milliseconds of one turn
 */
export function repeated(work, turns) {
  return () => {
    const start = performance.now();
    for (let turn = 0; turn < turns; turn++) kept = work(turn);
    return (performance.now() - start) / turns;
  };
}
