import type { Questions } from './standard-input.js';

/** Where a command reads and writes: the process, or a test. */
export interface CommandIo {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory. */
  readonly folder: string;
  /**
   * The text of a file that a flag names. Rejects if it is longer than such a file may be. A path is relative to the
   * working directory, here and below.
   */
  readFile(path: string): Promise<string>;
  /** The bytes of a file. Rejects if there are more than `longest`, and then reads no further. */
  readBytes(path: string, longest: number): Promise<Uint8Array>;
  /** All of standard input, up to the same limit. */
  readInput(longest: number): Promise<Uint8Array>;
  /** Writes a whole file or nothing of it. Resolves to the first folder that it made, if it made one. */
  writeFile(path: string, text: string): Promise<string | undefined>;
  /** Rejects if {@link writeFile} would fail. It writes nothing. */
  mayWrite(path: string): Promise<void>;
  appendFile(path: string, text: string): Promise<void>;
  /** Calls a function each time the command is asked to be as at its start (SIGUSR2). */
  onReset(reset: () => void): void;
  /** Resolves when the command is asked to end (SIGINT or SIGTERM). A command that does not wait for it ends at once. */
  untilStopped(): Promise<void>;
  /**
   * Resolves when standard input closes. Throws a ToolkitError `invalid-option` if it is nothing that somebody holds
   * open.
   */
  untilInputCloses(): Promise<void>;
  /** Asks a person; missing if there is no terminal. */
  readonly openQuestions?: () => Questions;
}

/** A stream that may be a terminal. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a terminal, in characters. */
  readonly columns?: number;
}

/** Whether to write colours: as https://no-color.org and `FORCE_COLOR` say, otherwise to terminals only. */
export function wantsColor(stream: OutputStream, env: CommandIo['env']): boolean {
  if (env.NO_COLOR !== undefined && env.NO_COLOR !== '') return false;
  if (env.FORCE_COLOR !== undefined && env.FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Whether a person may be watching. In CI no person is, even if the stream is a terminal. */
export function isWatched(stream: OutputStream, env: CommandIo['env']): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb' && !isCi(env);
}

/** Whether this runs in continuous integration (CI), which sets the variable `CI`. */
export function isCi({ CI }: CommandIo['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
}
