/** Characters that are invisible, change the direction of other text, or are forbidden in XML 1.0 (section 2.2). */
const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;

/**
 * Writes control characters, halves of surrogate pairs and the two noncharacters as `\u0001`. A body may contain them;
 * unescaped, they would make a report malformed, or move the cursor of a terminal. Tabs and line breaks stay.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped);
}

/**
 * The same for a text within a line. A line break in a message must not begin a new line of a report: it could look like
 * a line of the report, or like a command to a CI system.
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
