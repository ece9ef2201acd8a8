import { parentPort } from 'node:worker_threads';
import * as fc from 'fast-check';
import { drawChunk, drawRequests } from './draw-chunk.js';

const arbitrary = drawRequests(fc);

parentPort?.on('message', (seed: number) => {
  // Draws are plain data. As one text they reach the other thread sooner than as many objects.
  parentPort?.postMessage(JSON.stringify(drawChunk(fc, arbitrary, seed)));
});
