// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A command line that runs, and all that it wrote.
 *
 * @param {string} main
 * @param {readonly string[]} argv
 * @param {{ input?: 'pipe' | 'ignore', env?: Record<string, string> }} [how]
 */
export function start(main, argv, { input = 'ignore', env = {} } = {}) {
  const child = spawn(process.execPath, [main, ...argv], {
    stdio: [input, 'pipe', 'pipe'],
    env: { ...process.env, CI: 'true', ...env },
  });
  const written = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text) => {
    written.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    written.stderr += text;
  });
  const ended = once(child, 'close').then(([status, signal]) => ({ status, signal }));
  return { child, pid: /** @type {number} */ (child.pid), written, ended };
}

/**
 * The URL of a command that listens, from what it says.
 *
 * @param {ReturnType<typeof start>} command
 */
export async function urlIn({ written }) {
  for (let waited = 0; waited < 20_000; waited += 20) {
    const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(written.stdout + written.stderr) ?? [];
    if (url !== undefined) return url;
    await sleep(20);
  }
  throw new Error(`it did not start: ${written.stderr}`);
}

/**
 * The processes below a process, on Linux. Elsewhere none is known.
 *
 * @param {number} pid
 * @returns {number[]}
 */
export function descendantsOf(pid) {
  const children = new Map();
  for (const name of processes()) {
    const parent = Number(field(name, 'PPid'));
    children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const below = (/** @type {number} */ one) =>
    (children.get(one) ?? []).flatMap((/** @type {number} */ child) => [child, ...below(child)]);
  return below(pid);
}

/** @param {number} pid whether it runs still; one that has ended may wait for its parent */
export function isRunning(pid) {
  const state = field(String(pid), 'State');
  return state !== undefined && !/^[ZX]/.test(state);
}

/** @param {number} pid its command line, as far as it is known */
export function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return String(pid);
  }
}

/** @param {number} pid the most memory that it ever had, in MB; 0 if it is not known */
export function peakMemory(pid) {
  return Number.parseInt(field(String(pid), 'VmHWM') ?? '0', 10) / 1024;
}

function processes() {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/**
 * @param {string} pid
 * @param {string} name
 */
function field(pid, name) {
  try {
    return new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}
