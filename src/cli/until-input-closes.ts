import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import { isatty } from 'node:tty';
import { invalidOption } from '../toolkit-error.js';

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
