// @ts-check
// Reads damaged files, one after the other, and says before each one which it is.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { mutated } from './mutate.mjs';
import { randomFrom } from './run.mjs';

const { dist, count, patience } = workerData;
const LIMIT_MS = 2_000 * patience;
const load = (/** @type {string} */ module) => import(join(dist, module));
const [messages, pact, conformance, failuresFile, pactFile, server, { ToolkitError }] = await Promise.all([
  load('proxy/messages/judge.js'),
  load('pact/index.js'),
  load('conformance/index.js'),
  load('conformance/exploring/failures-file.js'),
  load('pact/pacts.js'),
  load('server/index.js'),
  load('toolkit-error.js'),
]);

const store = await server.startPlantStore({ token: 'secret', faults: ['leaks-id'] });
const report = await conformance.checkConformance({
  baseUrl: store.url,
  token: 'secret',
  explore: { runs: 30, seed: 1 },
  prism: false,
});
await store.close();
const plant = '{"name":"Aloe","id":7}';
const response = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{"name":"Aloe"}`;
const request = `POST /plants HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer secret\r\nContent-Type: application/json\r\nContent-Length: ${plant.length}\r\n\r\n${plant}`;
const har = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      {
        request: {
          method: 'POST',
          url: 'http://store/plants',
          httpVersion: 'HTTP/1.1',
          headers: [{ name: 'Authorization', value: 'Bearer secret' }],
          postData: { mimeType: 'application/json', text: plant },
        },
        response: {
          status: 200,
          headers: [{ name: 'Content-Type', value: 'application/json' }],
          content: {
            size: 15,
            mimeType: 'application/json',
            encoding: 'base64',
            text: 'eyJuYW1lIjoiQWxvZSJ9',
          },
        },
      },
    ],
  },
});
const pactText = readFileSync(
  new URL('../../../pacts/plant-store-client-plant-store.json', import.meta.url),
  'utf8',
);
const judge =
  (/** @type {string} */ kind, format = {}) =>
  (/** @type {Buffer} */ bytes) =>
    messages.judgeMessages(bytes, { kind, file: 'damaged', ...format });

/** @type {[name: string, text: string, read: (bytes: Buffer) => unknown][]} */
const READERS = [
  ['validate a HAR file', har, judge('response')],
  ['validate the requests of a HAR file', har, judge('request')],
  ['validate a response', response, judge('response')],
  ['validate a request', request, judge('request')],
  ['validate a body', plant, judge('request', { as: 'new-plant' })],
  ['audit a pact', pactText, (bytes) => pact.auditPact(bytes.toString())],
  ['read a pact for verify', pactText, (bytes) => pactFile.readPact(bytes.toString(), 'damaged')],
  [
    'read a profile',
    JSON.stringify(report.profile),
    (bytes) => server.readProfile(bytes.toString(), 'damaged'),
  ],
  [
    'read failures',
    failuresFile.failuresText(report.exploration),
    (bytes) => failuresFile.readFailures(bytes.toString(), 'damaged'),
  ],
]; // prettier-ignore

const random = randomFrom(1);
for (let at = 0; at < count; at++) {
  const [name, text, read] = /** @type {(typeof READERS)[number]} */ (READERS[at % READERS.length]);
  const bytes = mutated(text, random);
  parentPort?.postMessage({ next: `${name}, file ${at}` });
  const start = performance.now();
  let problem;
  try {
    await read(bytes);
  } catch (cause) {
    const error = /** @type {Error} */ (cause);
    if (!(error instanceof ToolkitError)) problem = error.stack ?? String(error);
    else if (/\n/.test(error.message)) problem = `more than a sentence: ${error.message}`;
  }
  const took = performance.now() - start;
  if (took > LIMIT_MS) problem ??= `it took ${took.toFixed(0)} ms`;
  parentPort?.postMessage({ took, problem });
}
parentPort?.postMessage({ done: true });
