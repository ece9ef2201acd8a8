import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { invalidOption } from '../toolkit-error.js';

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
  /** Writes a file. Missing folders are made. */
  writeFile(path: string, text: string): Promise<void>;
  /** Rejects if {@link writeFile} would fail. Makes missing folders, and writes no file. */
  mayWrite(path: string): Promise<void>;
  appendFile(path: string, text: string): Promise<void>;
  /** Resolves when the command is asked to end (SIGINT or SIGTERM). A command that does not wait for it ends at once. */
  untilStopped(): Promise<void>;
  /**
   * Resolves when standard input closes. Throws a ToolkitError `invalid-option` if it is nothing that somebody holds
   * open.
   */
  untilInputCloses(): Promise<void>;
  /** What is done when the process ends, however it ends. It must not wait. */
  atEnd(work: () => void): void;
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

/** Whether this runs in continuous integration (CI), which sets the variable `CI`. */
export function isCi({ CI }: CommandIo['env']): boolean {
  return CI !== undefined && CI !== '' && CI !== 'false' && CI !== '0';
}

/**
 * Waits until standard input closes. What comes before that is left out.
 *
 * @throws ToolkitError `invalid-option` if it is a file or /dev/null, which nobody holds open
 */
export function untilInputCloses(): Promise<void> {
  const kind = fstatSync(0);
  if (!kind.isFIFO() && !kind.isSocket() && !isatty(0))
    throw invalidOption(
      '--until-stdin-closes needs a pipe as standard input, which the program that starts the server holds open',
    );
  return new Promise((resolve) => {
    // A socket, not a stream of a file: such a read could not be ended, and would keep the process alive.
    const input = new Socket({ fd: 0, readable: true, writable: false });
    input.on('data', () => {}).once('close', () => resolve());
    input.on('error', () => input.destroy());
  });
}
