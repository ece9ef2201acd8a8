/** A value of JSON as the integer that it is, exactly; `undefined` where it is none. `7.0` is the integer 7. */
export function integerOf(value: unknown): bigint | undefined {
  return typeof value === 'bigint' || Number.isInteger(value) ? BigInt(value as number) : undefined;
}

/** Whether an integer is an int64, as an id is (interface: Resources, rule 2). */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}
