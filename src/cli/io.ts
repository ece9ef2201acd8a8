/** Where a command reads and writes: the process, or a test. */
export interface CommandIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a file; a path is relative to the working directory. */
  writeFile(path: string, text: string): Promise<void>;
  /** Resolves when the command is asked to end (SIGINT or SIGTERM). A command that does not ask is ended at once. */
  untilStopped(): Promise<void>;
}

/** A stream that may be a terminal. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** https://no-color.org and `FORCE_COLOR`; otherwise colour is for terminals. */
export function wantsColor(stream: OutputStream, env: CommandIo['env']): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}
