import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { commandLine } from '../../once.js';

/** What a command line did as a process of its own. */
export interface Measured {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly seconds: number;
  /** The most memory that it had at any time (RSS), in MB. */
  readonly megabytes: number;
}

/** How a command line is run. */
export interface Running {
  /** Is written to standard input until it is closed. */
  readonly input?: Iterable<string | Uint8Array>;
  /** Is called with the id of the process when it has written something. */
  readonly onOutput?: (pid: number, text: string) => void;
}

/** Runs a command line of the compiled package, and measures it. */
export async function measured(
  args: readonly string[],
  { input, onOutput }: Running = {},
): Promise<Measured> {
  const main = await commandLine();
  const start = performance.now();
  const child = spawn(process.execPath, [main, ...args]);
  const { pid = 0, stdin } = child;
  let megabytes = 0;
  // The kernel keeps the peak, so nothing between two looks is missed.
  const look = setInterval(() => {
    const found = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    megabytes = Math.max(megabytes, Number(found?.[1] ?? 0) / 1024);
  }, 10);
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
      onOutput?.(pid, written.stdout + written.stderr);
    });
  // A command that stops reading closes its standard input.
  const writing = pipeline(Readable.from(input ?? []), stdin).catch(() => {});
  try {
    const [status, signal] = await once(child, 'close');
    stdin.destroy();
    await writing;
    return { status, signal, ...written, seconds: (performance.now() - start) / 1000, megabytes };
  } finally {
    clearInterval(look);
  }
}
