import { checkConformance } from 'plant-store-contract/conformance';
import { Load, warmUp } from '../load.mjs';
import { measurePairs } from '../pairs.mjs';
import { median, timesAsFast, timesAsMuch } from '../rows.mjs';
import { serverScript, startServer } from '../server-process.mjs';

const CONNECTIONS = 16;
const MANY_REQUESTS = 1_000_000;
const token = 'bench-token';

/** How fast exploring is, and how much memory it takes. */
export async function exploreRate() {
  return [
    await requestsPerSecond('reference', 0.5),
    await requestsPerSecond('express'),
    await memoryOfMany(),
  ];
}

/** The requests per second of exploring with all rules, over a load generator that only writes valid plants. */
async function requestsPerSecond(name, target) {
  const server = await startServer(serverScript(name));
  await warmUp(server, 20_000);
  const generator = async () => {
    const load = await Load.open(server.port, CONNECTIONS);
    const time = await load.create(20_000);
    load.close();
    return time / 20_000;
  };
  const exploring = async () => {
    const { exploration } = await explored(server.port, { runs: 10_000 });
    return exploration.durationMs / exploration.requests;
  };
  await exploring();
  const pairs = await measurePairs(generator, exploring, 1);
  await server.stop();
  return timesAsFast(
    `explore: requests per second to ${name} / a load generator with valid plants`,
    pairs,
    target,
  );
}

/** The memory of this process while it sends a million requests. */
async function memoryOfMany() {
  const server = await startServer(serverScript('reference'));
  const early = [];
  const late = [];
  const onProgress = ({ requests }) => {
    if (requests > 0.1 * MANY_REQUESTS && requests < 0.2 * MANY_REQUESTS)
      early.push(process.memoryUsage().rss);
    if (requests > 0.9 * MANY_REQUESTS && requests < MANY_REQUESTS) late.push(process.memoryUsage().rss);
  };
  // A draw has 1.5 requests on average.
  await explored(server.port, { runs: Math.ceil(MANY_REQUESTS / 1.4), onProgress });
  await server.stop();
  const what = `explore: memory at ${MANY_REQUESTS} requests / at ${0.15 * MANY_REQUESTS}`;
  return timesAsMuch(what, { before: median(early), after: median(late) }, 1.25);
}

function explored(port, explore) {
  return checkConformance({
    baseUrl: `http://127.0.0.1:${port}`,
    token,
    prism: false,
    concurrency: CONNECTIONS,
    explore,
  });
}
