/**
 * A text of at most so many characters: a longer one is cut, not within a character, and ends in `…`. It is a text of its own: a
 * slice of a string keeps the whole string in memory.
 */
export function shortened(text: string, longest: number): string {
  const beginning: string = JSON.parse(JSON.stringify(text.slice(0, longest).toWellFormed()));
  return text.length <= longest ? beginning : `${beginning}…`;
}
