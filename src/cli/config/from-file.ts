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

/** Gives flags the marks of others. */
export function copyMarks(from: object, to: object): void {
  const known = given.get(from);
  if (known !== undefined) given.set(to, { ...known, names: new Set(known.names) });
}

/** One of several providers in the options file. */
export interface FileProvider {
  readonly name: string;
  /**
   * The flags for it: its own options over the common ones, under those of the command line.
   *
   * @throws ToolkitError `invalid-option` if a value is wrong
   */
  read(): { readonly baseUrl: string | undefined; readonly flags: object };
}

const providers = new WeakMap<object, readonly FileProvider[]>();

/** Notes the providers that a command finds in the options file. */
export function markProviders(flags: object, found: readonly FileProvider[]): void {
  providers.set(flags, found);
}

/** The providers of the options file, if a command is about them. */
export function providersOf(flags: object): readonly FileProvider[] {
  return providers.get(flags) ?? [];
}

/** The folder of the options file that an option comes from; `undefined` if it comes from the command line. */
export function folderOfOption(flags: object, name: string): string | undefined {
  const known = given.get(flags);
  return known?.names.has(name) === true ? known.folder : undefined;
}
