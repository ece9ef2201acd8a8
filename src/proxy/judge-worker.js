// JavaScript, and no TypeScript: a thread is started from a file as it stands.
// @ts-check
import { parentPort, workerData } from 'node:worker_threads';
import { loadPrism } from '../validation/prism.js';
import { judgeExchange } from './judge.js';
import { unpacked } from './judges.js';

const prism = workerData.prism === true ? await loadPrism() : undefined;

parentPort?.on('message', (/** @type {import('./judges.js').Packed[]} */ exchanges) => {
  parentPort?.postMessage(exchanges.map((exchange) => judgeExchange(unpacked(exchange), prism)));
});
parentPort?.postMessage('ready');
