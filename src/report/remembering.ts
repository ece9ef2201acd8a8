/** Texts that are remembered, and the longest of them: a proxy or a server may run for weeks. */
const MOST_REMEMBERED = 2_000;
const LONGEST_REMEMBERED = 200;

/**
 * The same function of a text, which remembers results. Most short texts come many times: names and values of headers,
 * verdicts, ids of rules, lines of a log.
 */
export function remembering(map: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return map(text);
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST_REMEMBERED) known.clear();
    const mapped = map(text);
    known.set(text, mapped);
    return mapped;
  };
}
