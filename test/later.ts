/** A promise, and the function that resolves it. */
export function later<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((use) => {
    resolve = use;
  });
  return { promise, resolve };
}
