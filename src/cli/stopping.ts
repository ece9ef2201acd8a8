import type { CommandIo } from './io.js';

/**
 * Aborts when the command is asked to end. It first says what is known, in a line on standard error: on a busy machine
 * the process may have to end before there is a report.
 *
 * @param known what is known so far, without a full stop
 */
export function stopSignal(io: CommandIo, known: () => string): AbortSignal {
  const stop = new AbortController();
  void io.untilStopped().then(() => {
    io.stderr.write(`stopping: ${known()}\n`);
    stop.abort();
  });
  return stop.signal;
}
