/** The words of a text, which stand for a list. */
export function words(text: string): readonly string[] {
  return text.split(/\s+/);
}
