/** The place of a value in a JSON text: from its first character to after its last. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value at a path in a JSON text, so that it can be taken or replaced without changing the rest.
 *
 * @param text a JSON text that `readJson` accepts; of duplicate keys, the last one counts
 * @param path keys of objects and indices of arrays
 * @returns `undefined` if there is no such value
 */
export function sliceAt(text: string, path: readonly (string | number)[]): Slice | undefined {
  let slice: Slice | undefined = trimmed(text, 0, text.length);
  for (const step of path) {
    if (slice === undefined) return undefined;
    const opening: string | undefined = text[slice.start];
    if (opening !== (typeof step === 'number' ? '[' : '{')) return undefined;
    const inside: readonly Slice[] = partsOf(text, slice);
    slice = typeof step === 'number' ? inside[step] : memberOf(text, inside, step);
  }
  return slice;
}

/** The value at a path, as written; see {@link sliceAt}. */
export function textAt(text: string, path: readonly (string | number)[]): string | undefined {
  const slice = sliceAt(text, path);
  return slice && text.slice(slice.start, slice.end);
}

/** The elements of an array, as written. Empty if the value is not an array. */
export function elementsAt(text: string, path: readonly (string | number)[]): string[] {
  const slice = sliceAt(text, path);
  if (slice === undefined || text[slice.start] !== '[') return [];
  return partsOf(text, slice).map(({ start, end }) => text.slice(start, end));
}

function memberOf(text: string, members: readonly Slice[], key: string): Slice | undefined {
  const member = members.findLast(
    ({ start }) => JSON.parse(text.slice(start, endOfString(text, start))) === key,
  );
  if (member === undefined) return undefined;
  const colon = text.indexOf(':', endOfString(text, member.start));
  return trimmed(text, colon + 1, member.end);
}

/** The elements or members of a value. */
function partsOf(text: string, { start, end }: Slice): Slice[] {
  const parts: Slice[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < end; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0 || (depth === 1 && character === ',')) {
      const part = trimmed(text, from, at);
      if (part.start < part.end) parts.push(part);
      from = at + 1;
    }
  }
  return parts;
}

/** The place after the closing quote of the string that begins here. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

const SPACE = ' \t\n\r';

function trimmed(text: string, from: number, to: number): Slice {
  let start = from;
  let end = to;
  while (start < end && SPACE.includes(text[start] as string)) start++;
  while (end > start && SPACE.includes(text[end - 1] as string)) end--;
  return { start, end };
}
