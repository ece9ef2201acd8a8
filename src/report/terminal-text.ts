import { styleText } from 'node:util';

/** The colours that this package uses. */
export type Color = 'green' | 'red' | 'cyan' | 'yellow' | 'magenta';

/** Writes text in a style. Without colour each function returns the text itself. */
export type Style = Readonly<Record<Color | 'bold' | 'dim', (text: string) => string>>;

/**
 * The styles of a text for people.
 *
 * @param isColored whether to write escape sequences of a terminal
 */
export function styleFor(isColored: boolean): Style {
  const styled = (name: keyof Style) => (text: string) =>
    // Node would look at standard output and the environment itself. What calls this has done so.
    isColored ? styleText(name, text, { validateStream: false }) : text;
  return {
    bold: styled('bold'),
    dim: styled('dim'),
    green: styled('green'),
    red: styled('red'),
    cyan: styled('cyan'),
    yellow: styled('yellow'),
    magenta: styled('magenta'),
  };
}

/** Text without the escape sequences that {@link styleFor} writes. */
export function withoutStyle(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with ESC.
  return text.replace(/\u001b\[\d+m/g, '');
}

/** Spaces before the first line of a text, and before the lines that follow it. */
export interface Indent {
  readonly first: string;
  readonly rest: string;
}

/**
 * Breaks a text into lines between words. A word that is longer than a line is not broken. No line begins with a word
 * that GitHub Actions would read as a command: `::error::…`.
 *
 * @param width the most characters that a line has
 */
export function wrapped(text: string, width: number, { first, rest }: Indent): readonly string[] {
  const lines: string[] = [];
  let line = first;
  let length = first.length;
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const plain = withoutStyle(word);
    const wordLength = [...plain].length;
    if (!isEmpty && length + 1 + wordLength > width && !plain.startsWith('::')) {
      lines.push(line);
      line = rest + word;
      length = rest.length + wordLength;
      continue;
    }
    line += isEmpty ? word : ` ${word}`;
    length += wordLength + (isEmpty ? 0 : 1);
    isEmpty = false;
  }
  lines.push(line);
  return lines;
}
