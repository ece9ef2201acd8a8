import { parentPort } from 'node:worker_threads';
import * as fc from 'fast-check';
import { drawFromFamilies } from '../families/explorers.js';
import { drawChunk } from './draw-chunk.js';

const arbitrary = await drawFromFamilies(fc);
parentPort?.on('message', (seed: number) => {
  // Drafts are plain data. As one text they reach the other thread sooner than as many objects.
  parentPort?.postMessage(JSON.stringify(drawChunk(fc, arbitrary, seed)));
});
