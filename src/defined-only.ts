/** Options with every default filled in. */
export type Filled<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** An object without its members that are `undefined`: an optional member is left out, never `undefined`. */
export function definedOnly<T extends object>(members: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof definedOnly<T>
  >;
}
