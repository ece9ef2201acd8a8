import type { Fault } from 'plant-store-contract/server';

/** A fault that only the tests have. Its name says what is wrong. */
export type Mistake = Omit<Fault, 'name' | 'title'>;

/** Mistakes that break the same rules, by their names. */
export function breaking<Name extends string>(
  breaks: readonly string[],
  mistakes: Readonly<Record<Name, Fault['replace']>>,
): Readonly<Record<Name, Mistake>> {
  const entries = Object.entries<Fault['replace']>(mistakes);
  return Object.fromEntries(entries.map(([name, replace]) => [name, { breaks, replace }])) as Record<
    Name,
    Mistake
  >;
}
