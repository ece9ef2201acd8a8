/** More changes than this make another word. */
const MOST_CHANGES = 3;
/** The shortest part of a name that shows which name is meant. */
const SHORTEST_PART = 4;
const MOST_SHOWN = 3;

/**
 * What a mistyped word may mean, as the end of a sentence: `; did you mean "auth"?`. Empty if nothing is close to it.
 *
 * @param word what was given; it may be anything
 * @param known the words that there are
 */
export function didYouMean(word: string, known: readonly string[]): string {
  const close = closest(word, known)
    .slice(0, MOST_SHOWN)
    .map((one) => `"${one}"`);
  return close.length === 0 ? '' : `; did you mean ${close.join(' or ')}?`;
}

/** The known words with the fewest changes; if none is close, those that contain the word. */
function closest(word: string, known: readonly string[]): readonly string[] {
  let least = MOST_CHANGES;
  let found: string[] = [];
  for (const one of known) {
    const changes = changesBetween(word.toLowerCase(), one.toLowerCase());
    // Three changes to a word of four letters make any other.
    if (changes > least || changes > Math.max(word.length, one.length) / 2) continue;
    if (changes < least) found = [];
    least = changes;
    found.push(one);
  }
  if (found.length > 0 || word.length < SHORTEST_PART) return found;
  return known.filter((one) => one.toLowerCase().includes(word.toLowerCase()));
}

/** How many letters are added, removed, replaced or exchanged with the next one; `Infinity` if that is too many. */
function changesBetween(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MOST_CHANGES) return Number.POSITIVE_INFINITY;
  let [beforeLast, last]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const at = (values: readonly number[] | undefined, index: number): number => values?.[index] ?? 0;
      const isSame = a[i - 1] === b[j - 1];
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, at(beforeLast, j - 2) + 1);
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last?.[b.length] ?? 0;
}
