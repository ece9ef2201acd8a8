/** Reads the value of a flag. The options file and its schema are made from what it says of itself. */
export interface FlagValue {
  /** How the options file writes a value. Default: as text. */
  readonly type?: 'integer';
  /** Whether the flag can be repeated. The options file then has a list. */
  readonly repeats?: true;
}

/** Says how the options file has the value of a flag. */
export function described<Parse extends (text: string, before: never) => unknown>(
  about: FlagValue,
  parse: Parse,
): Parse & FlagValue {
  return Object.assign(parse, about);
}

/** For a flag that can be repeated. */
export const REPEATS = { repeats: true } as const;
