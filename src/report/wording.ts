/** A sentence or a phrase with its first letter in upper case. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 plant`, `2 plants`. */
export function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** Milliseconds as seconds: `0.35 s`. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}

/** The first items of a long list, and how many more there are: `a; b; 3 more`. */
export function folded(items: readonly string[], most: number): string {
  const different = [...new Set(items)];
  const rest = different.length - most;
  return [...different.slice(0, most), ...(rest > 0 ? [`${rest} more`] : [])].join('; ');
}
