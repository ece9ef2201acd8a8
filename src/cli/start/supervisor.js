// A process between the command line and the provider that it started. It lives a moment longer than the command line,
// however that ends, and so can stop the provider with all its processes.
// JavaScript, not TypeScript: Node 20 runs it unchanged, from src/ and from dist/.
// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * @typedef {{ start: string }} Start the command, for the shell of the system
 * @typedef {{ stopWithinMs: number, afterMs?: number }} Stop how long the processes have to end, and when that begins
 */

/** How much of the output is kept, in characters. */
const KEPT = 16_384;
/** After the command has ended, its last words may still be in a pipe. */
const READING_MS = 200;
/** What the processes have to end if the command line is gone: a signal must end everything within 2 s. */
const ORPHAN_MS = 100;
const POLL_MS = 25;
/** How long processes are ended that SIGTERM has not ended. */
const KILLING_MS = 1_000;
const IS_WINDOWS = process.platform === 'win32';

/** A process that left its group, as a daemon does, still has this in its environment. */
const MARK = `PLANT_STORE_STARTED_BY=${process.pid}-${process.hrtime.bigint()}`;

let output = '';
/** The process of the shell, and the number of its process group. */
let group = 0;
let isStopping = false;
/** When processes are ended that have not ended by themselves. A later request can only bring it forward. */
let endAt = Number.POSITIVE_INFINITY;

process.on('message', (/** @type {Start | Stop} */ request) => {
  if (!('start' in request)) setTimeout(() => void stop(request.stopWithinMs), request.afterMs ?? 0);
  else if (!isStopping) start(request);
});
process.on('disconnect', () => void stop(ORPHAN_MS));
// Whoever signals every process of a machine wants the provider to end; without this one, some would stay.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
process.send?.({ ready: true });

/** @param {Start} request */
function start({ start: command }) {
  const [name = '', value = ''] = MARK.split('=');
  const child = spawn(command, {
    shell: true,
    // A process group of its own, which one signal reaches.
    detached: !IS_WINDOWS,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, [name]: value },
    windowsHide: true,
  });
  group = child.pid ?? 0;
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output = (output + text).slice(-KEPT);
    });
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.once('error', ({ message }) =>
    process.send?.({ ended: { code: null, signal: null, output: message } }),
  );
  child.once('exit', async (code, signal) => {
    // A process that it left behind may keep the pipe open.
    await Promise.race([closed, sleep(READING_MS)]);
    if (process.connected) process.send?.({ ended: { code, signal, output } });
  });
  process.send?.({ group });
}

/**
 * Asks all processes to end, and ends those that are left after a time. Then this one ends.
 *
 * @param {number} withinMs
 */
async function stop(withinMs) {
  endAt = Math.min(endAt, performance.now() + withinMs);
  if (isStopping) return;
  isStopping = true;
  if (IS_WINDOWS)
    await once(spawn('taskkill', ['/pid', String(group), '/T', '/F'], { windowsHide: true }), 'exit');
  signal('SIGTERM');
  while (isAnyLeft() && performance.now() < endAt) await sleep(POLL_MS);
  // Between two looks, a process may start another one; and a busy machine takes a while to end them.
  const giveUp = performance.now() + KILLING_MS;
  while (performance.now() < giveUp && (await isAnyLeftTwice())) {
    signal('SIGKILL');
    await sleep(POLL_MS / 5);
  }
  if (process.connected) process.send?.({ stopped: { output } }, () => process.exit());
  else process.exit();
}

/** @param {NodeJS.Signals} name */
function signal(name) {
  for (const target of [-group, ...(marked() ?? [])]) {
    try {
      if (target !== 0 && !IS_WINDOWS) process.kill(target, name);
    } catch {
      // It has ended.
    }
  }
}

/** Whether a process is left. One that has ended may wait for its parent for a long time, and does not count. */
function isAnyLeft() {
  if (group === 0 || IS_WINDOWS) return false;
  const known = marked();
  if (known !== undefined) return known.length > 0;
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

/** A process that is just being started has no environment for a moment, so one look may miss it. */
async function isAnyLeftTwice() {
  if (isAnyLeft()) return true;
  await sleep(POLL_MS);
  return isAnyLeft();
}

/**
 * The processes of the group, and all others that have the mark. Only Linux says so; elsewhere `undefined`.
 *
 * @returns {number[] | undefined}
 */
function marked() {
  if (process.platform !== 'linux') return undefined;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(isOurs)
    .map(Number);
}

/** @param {string} pid */
function isOurs(pid) {
  try {
    // The name of a program, in parentheses, may have any characters.
    const [state = '', , ofGroup] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    if (/[ZX]/.test(state)) return false;
    return Number(ofGroup) === group || readFileSync(`/proc/${pid}/environ`, 'latin1').includes(MARK);
  } catch {
    // It has ended, or belongs to somebody else.
    return false;
  }
}
