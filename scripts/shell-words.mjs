// @ts-check
/** What is between two words. A comment begins where a word would. */
const BETWEEN = /(?:[ \t\n]|\\(?:\n|$)|#[^\n]*)*/y;
/** A word as it is written: escaped characters, quoted text, and all else. */
const WORD = /(?:\\(?:.|$)|'[^']*'|"(?:[^"\\]|\\.)*"|[^ \t\n\\'"])+/sy;

/**
 * Splits a text into words as a shell does: it knows quotes, escaped characters, continued lines and comments. It runs nothing
 * and replaces nothing: variables, patterns and commands stay as they are written.
 *
 * @param {string} text
 * @returns {string[]}
 * @throws {Error} if a quote is not closed; it says in which line
 */
export function shellWords(text) {
  const lines = text.replaceAll('\r\n', '\n');
  const words = [];
  for (let at = endOf(BETWEEN, lines, 0); at < lines.length; at = endOf(BETWEEN, lines, at)) {
    const end = endOf(WORD, lines, at);
    if (end === at || /['"]/.test(lines[end] ?? '')) {
      const line = lines.slice(0, end).split('\n').length;
      throw new Error(`the quote ${lines[end]} in line ${line} is not closed`);
    }
    words.push(unquoted(lines.slice(at, end)));
    at = end;
  }
  return words;
}

/** Where the match of a pattern ends that begins here. */
function endOf(/** @type {RegExp} */ pattern, /** @type {string} */ text, /** @type {number} */ at) {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

function unquoted(/** @type {string} */ word) {
  return word.replaceAll(/\\(.?)|'([^']*)'|"((?:[^"\\]|\\.)*)"/gs, (_, escaped, single, double) => {
    if (escaped !== undefined) return escaped === '\n' ? '' : escaped;
    // Within double quotes, a backslash escapes only these.
    return single ?? double.replaceAll(/\\(?:\n|([$`"\\]))/g, '$1');
  });
}
