// JavaScript, and no TypeScript: a thread is started from a file as it stands.
// @ts-check
import { parentPort, workerData } from 'node:worker_threads';
import { loadPrism } from '../validation/prism.js';
import { judgeExchange } from './judge.js';

const prism = workerData.prism === true ? await loadPrism() : undefined;

parentPort?.on('message', (/** @type {import('./message.js').ForwardedExchange[]} */ exchanges) => {
  parentPort?.postMessage(
    exchanges.map((exchange) => {
      const { violations, notes } = judgeExchange(exchange, prism);
      return { violations, notes };
    }),
  );
});
parentPort?.postMessage('ready');
