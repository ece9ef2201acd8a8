import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { visibleInLine } from '../../report/escape.js';
import { createRedactor } from '../../report/redaction.js';
import { withoutStyle } from '../../report/terminal-text.js';

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

/**
 * Starts a provider with a command for the shell. A process in between supervises it, and stops it when this one ends,
 * however it ends.
 */
export async function startProcess(command: string, folder: string): Promise<ProviderProcess> {
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
  send({ start: command });
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
  const redactor = createRedactor(secrets.map((value) => ({ value })));
  const lines = withoutStyle(redactor.message(output)).trimEnd().split(/\r?\n/).slice(-MOST_LINES);
  if (lines.join('') === '') return '; it wrote nothing';
  const shown = lines.map((line) => {
    const text = visibleInLine(line);
    return `\n  | ${text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)} …` : text}`;
  });
  return `; the end of its output:${shown.join('')}`;
}
