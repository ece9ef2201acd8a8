import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { isatty, ReadStream } from 'node:tty';
import { invalidOption } from '../toolkit-error.js';

/** Asks a person on a terminal. */
export interface Questions {
  /**
   * Asks, and waits for a line.
   *
   * @returns the answer; `undefined` for an empty line
   * @throws ToolkitError `invalid-option` if the input ends, or at Ctrl+C
   */
  ask(question: string): Promise<string | undefined>;
  /** Must be called at the end. */
  close(): void;
}

/** Asks on standard input, which must be a terminal. */
export function openQuestions(write: (text: string) => unknown, stopped: Promise<void>): Questions {
  const input = new ReadStream(0);
  const lines = createInterface({ input, terminal: false });
  const isOver = Promise.race([once(lines, 'close'), stopped]).then((): never => {
    throw invalidOption('stopped before every question was answered');
  });
  isOver.catch(() => {});
  return {
    async ask(question) {
      write(question);
      const [line] = await Promise.race([once(lines, 'line'), isOver]);
      const answer = String(line).trim();
      return answer === '' ? undefined : answer;
    },
    close() {
      lines.close();
      input.destroy();
    },
  };
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
