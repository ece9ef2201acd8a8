import { setTimeout as sleep } from 'node:timers/promises';
import { invalidOption, type ToolkitError } from '../../toolkit-error.js';
import { endInWords, startProcess } from './provider-process.js';

/** How long the command may take. */
const LIMIT_MS = 30_000;
/** What its processes get to end when it has written the token, or when it is late. */
const STOP_MS = 100;
/** The supervisor keeps no more of what the command writes, and one character to show it. */
const LONGEST = 16_384;

/**
 * Runs a command for the shell that writes a token to standard output. Nothing that it writes is shown: it may be the
 * token.
 *
 * @param stopped resolves if nobody needs the token any more
 * @throws ToolkitError `invalid-option` if there is no token
 */
export async function tokenFromCommand(
  command: string,
  folder: string,
  stopped: Promise<void>,
  limitMs = LIMIT_MS,
): Promise<string> {
  const running = await startProcess(command, folder, { writesAnswer: true });
  const over = new AbortController();
  const late = sleep(limitMs, `it did not end within ${limitMs / 1_000} s`, { signal: over.signal });
  late.catch(() => {});
  const end = await Promise.race([running.whenEnded, late, stopped.then(() => 'it was stopped')]);
  over.abort();
  await running.stop(STOP_MS);
  if (typeof end === 'string') throw failed(end);
  if (end.code !== 0) throw failed(endInWords(end));
  return tokenIn(end.output);
}

function tokenIn(output: string): string {
  if (output.length > LONGEST) throw failed(`it wrote more than ${LONGEST} characters`);
  const token = output.replace(/[\r\n]+$/, '');
  if (token === '') throw failed('it wrote nothing to standard output');
  if (/^\s*[{[]/.test(token)) throw failed('it wrote JSON; let it write only the token, for example with jq');
  if (/[\r\n]/.test(token)) throw failed('it wrote more than one line; let it write only the token');
  return token;
}

function failed(why: string): ToolkitError {
  return invalidOption(
    `the token command failed: ${why}. Its output is not shown, because it may contain the token: run the command by itself to see it`,
  );
}
