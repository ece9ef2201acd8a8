/** The place of a value in a JSON text: from its first character to after its last. */
export interface Slice {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds values in a JSON text by their paths, so that they can be taken or replaced without changing the rest. Each
 * object and array is read once, however often it is on a path.
 */
export class JsonSlices {
  private readonly elements = new Map<number, readonly Slice[]>();
  private readonly members = new Map<number, ReadonlyMap<string, Slice>>();

  /** @param text a JSON text that `readJson` accepts; of duplicate keys, the last one counts */
  constructor(private readonly text: string) {}

  /**
   * The place of a value.
   *
   * @param path keys of objects and indices of arrays, as numbers or as digits
   * @returns `undefined` if there is no such value
   */
  at(path: readonly (string | number)[]): Slice | undefined {
    let slice: Slice | undefined = trimmed(this.text, 0, this.text.length);
    for (const step of path) {
      if (slice === undefined) return undefined;
      slice = this.partAt(slice, String(step));
    }
    return slice;
  }

  /** The value at a path, as written. */
  textAt(path: readonly (string | number)[]): string | undefined {
    const slice = this.at(path);
    return slice && this.text.slice(slice.start, slice.end);
  }

  /** The elements of an array, as written. Empty if the value is not an array. */
  elementsAt(path: readonly (string | number)[]): string[] {
    const slice = this.at(path);
    return slice === undefined
      ? []
      : this.elementsOf(slice).map(({ start, end }) => this.text.slice(start, end));
  }

  private partAt(slice: Slice, step: string): Slice | undefined {
    if (this.text[slice.start] === '{') return this.membersOf(slice).get(step);
    return /^\d+$/.test(step) ? this.elementsOf(slice)[Number(step)] : undefined;
  }

  private elementsOf(slice: Slice): readonly Slice[] {
    if (this.text[slice.start] !== '[') return [];
    return kept(this.elements, slice.start, () => partsOf(this.text, slice));
  }

  private membersOf(slice: Slice): ReadonlyMap<string, Slice> {
    return kept(
      this.members,
      slice.start,
      () => new Map(partsOf(this.text, slice).map((part) => memberIn(this.text, part))),
    );
  }
}

/** The place of one value in a JSON text; see {@link JsonSlices}. */
export function sliceAt(text: string, path: readonly (string | number)[]): Slice | undefined {
  return new JsonSlices(text).at(path);
}

function kept<Value>(known: Map<number, Value>, start: number, find: () => Value): Value {
  let value = known.get(start);
  if (value === undefined) {
    value = find();
    known.set(start, value);
  }
  return value;
}

function memberIn(text: string, { start, end }: Slice): [key: string, value: Slice] {
  const endOfKey = endOfString(text, start);
  const colon = text.indexOf(':', endOfKey);
  return [JSON.parse(text.slice(start, endOfKey)), trimmed(text, colon + 1, end)];
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
