import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { ReadStream } from 'node:tty';
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
