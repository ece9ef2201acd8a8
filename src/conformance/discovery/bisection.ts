/** Two neighbours: the first is accepted, and the second is rejected. */
export interface Boundary {
  readonly inside: bigint;
  readonly outside: bigint;
}

/**
 * Finds a boundary between an accepted and a rejected value, in either direction. It first looks at values that are
 * usual limits, so most boundaries take a few requests. It always ends: each answer makes the interval smaller, whatever
 * the provider accepts.
 *
 * @param landmarks usual limits: the last value that is accepted
 * @param accepts asks the provider
 */
export async function findBoundary(
  { inside, outside }: Boundary,
  landmarks: readonly bigint[],
  accepts: (value: bigint) => Promise<boolean>,
): Promise<Boundary> {
  const step = outside > inside ? 1n : -1n;
  const distance = (value: bigint): bigint => (value - inside) * step;
  const end = distance(outside);
  const from = inside;
  // As distances from the accepted value, a boundary is always above it.
  let [low, high] = [0n, end];
  const ask = async (at: bigint): Promise<void> => {
    if (at <= low || at >= high) return;
    if (await accepts(from + at * step)) low = at;
    else high = at;
  };
  const usual = [...new Set(landmarks.map(distance))].sort((a, b) => (a < b ? -1 : 1));
  for (let between = usual.filter(isBetween); between.length > 0; between = between.filter(isBetween))
    await ask(between[between.length >> 1] as bigint);
  await ask(low + 1n);
  while (high - low > 1n) await ask((low + high) / 2n);
  return { inside: from + low * step, outside: from + high * step };

  function isBetween(at: bigint): boolean {
    return at > low && at < high;
  }
}
