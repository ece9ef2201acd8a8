/** What nobody sees, turns other text around, or XML 1.0 forbids (section 2.2); not tabs and line breaks. */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/**
 * Writes control characters, halves of surrogate pairs and the two noncharacters as `\u0001`: a body may hold
 * them, and a report in which they stand raw is malformed, or moves the cursor of a terminal.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/**
 * The same for a text that stands within a line: what comes from a message must not begin a line of its own, which
 * could pass for one of the report, or for a command to a CI that reads along.
 */
export function visibleInLine(text: string): string {
  return visible(text).replace(
    /[\n\r\u2028\u2029\u0085]/g,
    (character) => BREAKS[character] ?? escaped(character),
  );
}

const BREAKS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
