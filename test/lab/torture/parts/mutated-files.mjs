// @ts-check
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** A reader that says nothing for so long is stuck. */
const STUCK_MS = 15_000;

/** @type {import('../run.mjs').Part} */
export const mutatedFiles = {
  title: 'damaged files through every reader',
  count: 4_000,
  limit: 'a report or one sentence, within 2 s',
  seconds: 90,
  run: ({ dist, count, patience }) =>
    new Promise((resolve) => {
      const script = fileURLToPath(new URL('../mutated-files-thread.mjs', import.meta.url));
      const thread = new Worker(script, { workerData: { dist, count, patience } });
      const stuckMs = STUCK_MS * patience;
      /** @type {string[]} */
      const broken = [];
      let last = 'none';
      let slowest = 0;
      const end = () => {
        clearTimeout(timer);
        void thread.terminate();
        resolve({ worst: `${slowest.toFixed(0)} ms`, broken });
      };
      const stuck = () => {
        broken.push(`${last}: no end after ${stuckMs / 1000} s`);
        end();
      };
      let timer = setTimeout(stuck, stuckMs);
      thread.on('message', ({ next, took = 0, problem, done = false }) => {
        clearTimeout(timer);
        timer = setTimeout(stuck, stuckMs);
        slowest = Math.max(slowest, took);
        if (problem !== undefined) broken.push(`${last}: ${problem}`);
        last = next ?? last;
        if (done) end();
      });
      thread.on('error', (cause) => {
        broken.push(`${last}: ${cause instanceof Error ? cause.stack : String(cause)}`);
        end();
      });
    }),
};
