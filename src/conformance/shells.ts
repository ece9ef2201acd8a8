/** The shells for which a check writes lines that reproduce a failure. */
export const SHELLS = ['posix', 'powershell'] as const;

/** The name of such a shell. */
export type Shell = (typeof SHELLS)[number];
