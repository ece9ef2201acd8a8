/**
 * Compares two things in pairs of measurements, one right after the other: if the machine is slow for a while, it is slow
 * for both. Each pair consists of short slices in the order A B B A, so that a drift within a pair cancels out too.
 *
 * @param yardstick what the subject is compared with: does one slice of work, and returns the milliseconds per unit of
 *   work, or a promise of them
 * @param subject does the same for what is measured
 * @param {number} slices slices of each in a pair: an even number
 * @param {number} [count] how many pairs: an odd number
 * @returns {Promise<Pair[]>}
 *
 * @typedef {{ yardstick: number, subject: number }} Pair milliseconds that a unit of work took each
 */
export async function measurePairs(yardstick, subject, slices, count = 9) {
  const pairs = [];
  for (let pair = 0; pair < count; pair++) {
    const sums = { yardstick: 0, subject: 0 };
    for (let slice = 0; slice < slices; slice += 2) {
      sums.yardstick += await yardstick();
      sums.subject += await subject();
      sums.subject += await subject();
      sums.yardstick += await yardstick();
    }
    pairs.push({ yardstick: sums.yardstick / slices, subject: sums.subject / slices });
  }
  return pairs;
}
