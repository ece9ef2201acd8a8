import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

/** More output than this is not kept. */
const MOST_OUTPUT = 16 * 2 ** 20;
const TICKS_PER_SECOND = 100;

const groups = new Set();
process.once('exit', () => {
  for (const group of groups) endGroup(group);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/** Ends a process and all that it started. */
export function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
  groups.delete(pid);
}

/** Starts a process in a group of its own, which ends with this process at the latest. */
export function startGroup(command, args, options) {
  const child = spawn(command, args, { ...options, detached: true });
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

/**
 * Runs a command until it ends, or until a time limit, and ends every process that it started.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ limitMs?: number, cwd?: string, env?: NodeJS.ProcessEnv }} [options]
 * @returns {Promise<{ status: number | null, stdout: string, stderr: string, timedOut: boolean }>}
 * @throws if the command cannot be started
 */
export async function runCommand(command, args, { limitMs = 60_000, cwd, env } = {}) {
  const child = startGroup(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd,
    env: { ...process.env, ...env },
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    if (child.pid !== undefined) endGroup(child.pid);
  }, limitMs);
  try {
    const [status] = await once(child, 'exit');
    // A process that it left running may hold the pipes open.
    if (child.pid !== undefined) endGroup(child.pid);
    return { status, stdout: await stdout, stderr: await stderr, timedOut };
  } finally {
    clearTimeout(timer);
  }
}

async function collect(stream) {
  const chunks = [];
  let length = 0;
  for await (const chunk of stream) {
    if (length < MOST_OUTPUT) chunks.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(chunks).toString();
}

/** The CPU seconds of all processes that this one has started and that have ended. Linux only. */
export function cpuSecondsOfChildren() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}
