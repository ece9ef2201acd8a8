import { fileURLToPath } from 'node:url';
import { Load, warmUp } from '../load.mjs';
import { measurePairs } from '../pairs.mjs';
import { timesAsFast } from '../rows.mjs';
import { startServer } from '../server-process.mjs';

/** V8 finishes compiling the hot paths only after some tens of thousands of requests. */
const WARM_UP = 40_000;

// Many short slices cancel the noise of a shared machine better than few long ones: 80 slices of 500 requests gave
// medians within 3% of each other, 2 slices of 20,000 within 10%. The slower ones get fewer, to end in time.
const SUBJECTS = [
  { what: 'reference server', script: 'reference', requests: 500, slices: 80, warmUp: WARM_UP, atLeast: 0.9 },
  { what: 'Fastify with JSON schemas', script: 'fastify', requests: 500, slices: 40, warmUp: WARM_UP },
  {
    what: 'Express with express-openapi-validator',
    script: 'express',
    requests: 250,
    slices: 10,
    warmUp: 8_000,
  },
  { what: "Prism's mock", script: 'prism', requests: 250, slices: 10, warmUp: 8_000 },
];

/** Requests per second of servers that authenticate, validate and store, over a handler that only stores. */
export async function throughput() {
  const bare = await start('bare');
  await warmUp(bare, WARM_UP);
  const rows = [];
  for (const { what, script, requests, slices, warmUp: untimed, atLeast } of SUBJECTS) {
    const subject = await start(script);
    await warmUp(subject, untimed);
    const loads = [await Load.open(bare.port), await Load.open(subject.port)];
    const [bareSlice, subjectSlice] = loads.map(
      (load) => async () => (await load.create(requests)) / requests,
    );
    const pairs = await measurePairs(bareSlice, subjectSlice, slices);
    rows.push(timesAsFast(`throughput: ${what} / bare node:http`, pairs, atLeast));
    for (const load of loads) load.close();
    await subject.stop();
  }
  await bare.stop();
  return rows;
}

function start(name) {
  return startServer(fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url)));
}
