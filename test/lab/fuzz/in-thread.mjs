// @ts-check
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/**
 * @typedef {import('./run.mjs').Finding} Finding
 * @typedef {{ accepted: number, rejected: number, slowestMs: number, findings: Finding[] }} Result
 */

const THREAD = new URL('thread.mjs', import.meta.url);
/** A reader that ends no input for so long hangs. */
const STUCK_MS = 20_000;
const LOOK_MS = 500;

/**
 * Fuzzes a reader in a thread. If an input hangs, that is a finding, and the next input begins a new thread.
 *
 * @param {{ module: string, name: string, dist: string }} reader the module with `READERS`, and its name there
 * @param {import('./run.mjs').Range} range
 * @param {{ stuckMs?: number, onFinding?: (finding: Finding) => void }} [how]
 * @returns {Promise<Result>}
 */
export async function fuzzInThread(reader, range, { stuckMs = STUCK_MS, onFinding = () => {} } = {}) {
  const shared = new SharedArrayBuffer(16);
  const counts = new Int32Array(shared);
  /** @type {Finding[]} */
  const findings = [];
  const found = (/** @type {Finding} */ finding) => {
    findings.push(finding);
    onFinding(finding);
  };
  const { from, runs } = range;
  for (let done = 0; done < runs; done = counts[0] ?? runs) {
    const rest = { ...range, from: from + done, runs: runs - done };
    const thread = new Worker(THREAD, { workerData: { ...reader, range: rest, shared } });
    const ended = once(thread, 'exit').then(() => true);
    thread.on('message', found);
    thread.on('error', (cause) =>
      found({
        index: from + (counts[0] ?? 0),
        problem: String(cause instanceof Error ? cause.stack : cause),
        input: '',
      }),
    );
    if (await endsOrIsStuck(ended, counts, stuckMs)) {
      if ((counts[0] ?? 0) < runs) Atomics.add(counts, 0, 1);
      continue;
    }
    await thread.terminate();
    found({ index: from + (counts[0] ?? 0), problem: `no end after ${stuckMs} ms`, input: '' });
    Atomics.add(counts, 0, 1);
  }
  return { accepted: counts[1] ?? 0, rejected: counts[2] ?? 0, slowestMs: counts[3] ?? 0, findings };
}

/**
 * @param {Promise<boolean>} ended
 * @param {Int32Array} counts
 * @param {number} stuckMs
 * @returns {Promise<boolean>} whether it ended
 */
async function endsOrIsStuck(ended, counts, stuckMs) {
  for (let [seen, still] = [-1, 0]; still < stuckMs; ) {
    const at = Date.now();
    if (await Promise.race([ended, sleep(Math.min(LOOK_MS, stuckMs), false)])) return true;
    const now = Atomics.load(counts, 0);
    still = now === seen ? still + Date.now() - at : 0;
    seen = now;
  }
  return false;
}
