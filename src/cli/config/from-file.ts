/** What the options file gave to the flags of a command. */
interface Given {
  readonly names: Set<string>;
  /** The folder of the file. */
  readonly folder: string;
}

const given = new WeakMap<object, Given>();

/** Notes that an option of a command comes from the options file in a folder. */
export function markFromFile(flags: object, name: string, folder: string): void {
  const known = given.get(flags) ?? { names: new Set(), folder };
  known.names.add(name);
  given.set(flags, known);
}

/** The folder of the options file that an option comes from; `undefined` if it comes from the command line. */
export function folderOfOption(flags: object, name: string): string | undefined {
  const known = given.get(flags);
  return known?.names.has(name) === true ? known.folder : undefined;
}
