// @ts-check
// Fuzzes one reader, and counts in shared memory: a thread that hangs sends no messages.
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { fuzz } from './run.mjs';

const { module, name, dist, range, shared } = workerData;
const counts = new Int32Array(shared);
const { READERS } = await import(module);
const fuzzed = await READERS[name].prepare((/** @type {string} */ file) => import(join(dist, file)));
await fuzz(fuzzed, range, {
  onEnd(verdict, ms) {
    if (verdict !== 'wrong') Atomics.add(counts, verdict === 'accepted' ? 1 : 2, 1);
    Atomics.store(counts, 3, Math.max(Math.ceil(ms), Atomics.load(counts, 3)));
    Atomics.add(counts, 0, 1);
  },
  onFinding: (finding) => parentPort?.postMessage(finding),
});
