/** Whether every provider accepts a name: it has 1 to 30 ASCII letters. */
export function isPlainName(name: string): boolean {
  return /^[A-Za-z]{1,30}$/.test(name);
}

/** Whether every provider accepts a tag: it is a lower-case ASCII word. */
export function isPlainTag(tag: string): boolean {
  return /^[a-z]{1,30}$/.test(tag);
}
