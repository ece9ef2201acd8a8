import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { visibleInLine } from '../../report/escape.js';
import { createRedactor } from '../../report/redaction.js';
import { withoutStyle } from '../../report/terminal-text.js';
import { invalidOption, type ToolkitError } from '../../toolkit-error.js';

/** How a provider ended by itself. */
export interface Ended {
  /** The exit code; `null` if a signal ended it, or if it could not be started. */
  readonly code: number | null;
  readonly signal: string | null;
  /** The end of what it wrote. */
  readonly output: string;
}

/** A provider that was started with a command. */
export interface ProviderProcess {
  /** How it ended by itself; `undefined` while it runs. */
  readonly ended: Ended | undefined;
  /** Resolves when it has ended by itself. */
  readonly whenEnded: Promise<Ended>;
  /**
   * Stops it with all its processes. They get this time to end by themselves.
   *
   * @returns the end of what it wrote
   */
  stop(withinMs: number): Promise<string>;
  /** Stops it even if this thread has no time any more: all is over within 2 s. */
  hurry(): void;
}

const SUPERVISOR = fileURLToPath(new URL('./supervisor.js', import.meta.url));
/** After a signal, a report takes a moment, and then the provider gets another one. */
const HURRY = { afterMs: 900, stopWithinMs: 300 };

/** Secrets of this command line that no provider needs. */
const OURS: ReadonlySet<string> = new Set([
  'PACT_BROKER_TOKEN',
  'PACT_BROKER_PASSWORD',
  'PLANT_STORE_CONTROL_TOKEN',
]);

/** What is done with the output of a command. */
interface OutputUse {
  /** Whether the beginning of standard output is kept, as an answer. Default: the end of all that it writes, for people. */
  readonly writesAnswer?: boolean;
}

/**
 * Starts a provider, or another program, with a command for the shell. A process in between supervises it, and stops it
 * when this one ends, however it ends.
 */
export async function startProcess(
  command: string,
  folder: string,
  { writesAnswer = false }: OutputUse = {},
): Promise<ProviderProcess> {
  // In a session of its own, Ctrl+C does not reach it. It keeps nothing of this process open.
  const supervisor = spawn(process.execPath, [SUPERVISOR], {
    cwd: folder,
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !OURS.has(name.toUpperCase()))),
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  let [group, output] = [0, ''];
  let ended: Ended | undefined;
  let tellEnd: (how: Ended) => void = () => {};
  const whenEnded = new Promise<Ended>((resolve) => {
    tellEnd = resolve;
  });
  supervisor.on('message', (message: FromSupervisor) => {
    if ('group' in message) group = message.group;
    if ('stopped' in message) output = message.stopped.output;
    if ('ended' in message) {
      ended = message.ended;
      tellEnd(ended);
    }
  });
  const gone = once(supervisor, 'exit');
  await Promise.race([once(supervisor, 'message'), gone]);
  const send = (request: object): void => {
    if (supervisor.connected) supervisor.send(request, () => {});
  };
  send({ start: command, writesAnswer });
  return {
    get ended() {
      return ended;
    },
    whenEnded,
    async stop(withinMs) {
      send({ stopWithinMs: withinMs });
      await gone;
      // Only if somebody ended the supervisor, the group is still there.
      end(group);
      return output;
    },
    hurry: () => send(HURRY),
  };
}

type FromSupervisor =
  | { readonly ready: true }
  | { readonly group: number }
  | { readonly ended: Ended }
  | { readonly stopped: { readonly output: string } };

function end(group: number): void {
  try {
    if (group !== 0 && process.platform !== 'win32') process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

const MOST_LINES = 20;
const LONGEST_LINE = 300;

/** How a provider ended by itself: "it ended with exit code 1". */
export function endInWords({ code, signal }: Ended): string {
  if (signal !== null) return `${signal} ended it`;
  return code === null ? 'the command cannot be started' : `it ended with exit code ${code}`;
}

/**
 * The end of what a provider wrote, for a message: some lines, each on a line of its own. Nothing in them is a command to
 * a terminal or a CI system, and the secrets are taken out.
 */
export function lastLines(output: string, secrets: readonly string[]): string {
  const redactor = createRedactor(secrets.map((value) => ({ value, shown: '[secret]' })));
  const lines = withoutStyle(redactor.message(output)).trimEnd().split(/\r?\n/).slice(-MOST_LINES);
  if (lines.join('') === '') return '; it wrote nothing';
  const shown = lines.map((line) => {
    const text = visibleInLine(line);
    return `\n  | ${text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)} …` : text}`;
  });
  return `; the end of its output:${shown.join('')}`;
}

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
