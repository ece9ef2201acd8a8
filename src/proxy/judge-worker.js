// JavaScript, not TypeScript: a thread is started from the file itself.
// @ts-check
import { parentPort, workerData } from 'node:worker_threads';
import { loadPrism } from '../validation/prism.js';
import { judgeExchange } from './judge.js';

const prism = workerData.prism === true ? await loadPrism() : undefined;

parentPort?.on('message', (/** @type {import('./judge.js').JudgedSides[]} */ exchanges) => {
  parentPort?.postMessage(exchanges.map((exchange) => judgeExchange(exchange, prism)));
});
parentPort?.postMessage('ready');
