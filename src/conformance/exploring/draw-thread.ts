import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { DrawnRequest } from './carriers.js';
import { type DrawChunk, drawChunk, drawRequests } from './draw-chunk.js';
import type { DrawnFrom } from './draws.js';

/** Draws chunks, until it is closed. */
export interface Drawing {
  readonly draw: DrawChunk;
  close(): Promise<void>;
}

const THREAD = new URL('./draw-worker.js', import.meta.url);

/** All families, and fast-check. */
export async function allFamilies(): Promise<DrawnFrom> {
  const fc = await import('fast-check');
  return { fc, arbitrary: drawRequests(fc) };
}

/**
 * Starts to draw in a thread of its own: drawing takes as long as sending. If no thread can be started, this one draws.
 */
export async function startDrawing(): Promise<Drawing> {
  // There is none in the sources, nor if another program has bundled this package.
  return existsSync(THREAD) ? inThread() : inProcess();
}

async function inProcess(): Promise<Drawing> {
  const { fc, arbitrary } = await allFamilies();
  return { draw: async (seed) => drawChunk(fc, arbitrary, seed), close: async () => {} };
}

function inThread(): Drawing {
  const worker = new Worker(THREAD);
  const waiting: ((drawn: readonly DrawnRequest[]) => void)[] = [];
  // Chunks come in the order of their seeds. An error of the thread is a bug here, and ends the process.
  worker.on('message', (drawn: string) => waiting.shift()?.(JSON.parse(drawn)));
  return {
    draw: (seed) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        worker.postMessage(seed);
      }),
    close: async () => void (await worker.terminate()),
  };
}
