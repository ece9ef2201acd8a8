/** The longest time of a timer in JavaScript. */
export const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration such as `30s`, `5m` or `500ms` in milliseconds; without a unit, seconds. `undefined` if it is none. */
export function millisecondsIn(text: string): number | undefined {
  const [, digits, unit = 's'] = /^(\d{1,9})(ms|s|m|h)?$/.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (UNITS[unit] ?? 1);
}
