import { parentPort, workerData } from 'node:worker_threads';
import { type JudgedSides, judgeExchange } from '../validation/exchange.js';
import { loadPrism } from '../validation/prism.js';

const loading = workerData.prism === true ? loadPrism() : Promise.resolve(undefined);

parentPort?.on('message', async (exchanges: readonly JudgedSides[]) => {
  const prism = await loading;
  parentPort?.postMessage(exchanges.map((exchange) => judgeExchange(exchange, { prism })));
});
void loading.then(() => parentPort?.postMessage('ready'));
