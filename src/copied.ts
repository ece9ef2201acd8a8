/** The same text. A slice of a string keeps the whole string in memory, and this does not. */
export function copied(slice: string): string {
  return JSON.parse(JSON.stringify(slice));
}
