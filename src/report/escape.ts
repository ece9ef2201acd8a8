/** Characters that are invisible, change the direction of other text, or are forbidden in XML 1.0 (section 2.2). */
export const UNSEEN_IN_LINE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu;
const UNSEEN = new RegExp(`(?![\\t\\n\\r])${UNSEEN_IN_LINE.source}`, 'gu');

/**
 * What a CI system takes for a command anywhere in a line: `##[error]` in GitHub Actions, Gitea and Azure Pipelines,
 * `##vso[task.setvariable …]` in Azure Pipelines, `##teamcity[…]` in TeamCity.
 */
export const COMMAND_IN_LINE = /#(?=#[\w.-]*\[)/g;

/** What one takes for a command at the beginning of a line, after any white space and colours: `::error::`. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with ESC.
const COMMAND_AT_START = /(^|[\r\n\u2028\u2029])((?:[^\S\r\n\u2028\u2029]|\u001b\[\d+m)*):(?=:)/g;

/**
 * Writes control characters, halves of surrogate pairs and the two noncharacters as `\u0001`. A body may contain them;
 * unescaped, they would make a report malformed, or move the cursor of a terminal. Tabs and line breaks stay. Writes
 * the first character of a command to a CI system in the same way.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, escaped).replace(COMMAND_IN_LINE, escaped);
}

/** Finished lines of a log, in which no line begins with a command to a CI system. */
export function logLines(text: string): string {
  return text.replace(
    COMMAND_AT_START,
    (_, start: string, space: string) => `${start}${space}${escaped(':')}`,
  );
}

/** A text of any number of lines for a log: it may quote what was received. */
export function logText(text: string): string {
  return logLines(visible(text));
}

/** JSON in which all can be seen, and a CI system finds no command. It says the same: strings may have escapes. */
export function jsonText(data: unknown, indent = 0): string {
  return visible(JSON.stringify(data, null, indent));
}

/** A line for a shell. Our own have nothing to escape, but a report may have been read from a file. */
export function shellLine(line: string): string {
  return line.replace(UNSEEN_IN_LINE, escaped).replace(COMMAND_IN_LINE, escaped);
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

/** A text for HTML or XML, where {@link visible} has replaced what XML forbids. */
export function withReferences(text: string): string {
  return text.replace(/[&<>"'\r]/g, (character) => REFERENCES[character] ?? '');
}

const REFERENCES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A parser would make a line feed of it.
  '\r': '&#13;',
};

const BREAKS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r' };

/** A character as an escape of JSON. */
export function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
