import picocolors from 'picocolors';

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
  return picocolors.createColors(isColored);
}

/** Text without the escape sequences that {@link styleFor} writes. */
export function withoutStyle(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these sequences begin with ESC.
  return text.replace(/\u001b\[\d+m/g, '');
}
