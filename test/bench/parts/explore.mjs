import { fileURLToPath } from 'node:url';
import { checkConformance } from 'plant-store-contract/conformance';
import { createPlantStore, loadFaults } from 'plant-store-contract/server';
import { Load, warmUp } from '../load.mjs';
import { measurePairs } from '../pairs.mjs';
import { median, timesAsFast, timesAsMuch } from '../rows.mjs';
import { startServer } from '../server-process.mjs';

const SEEDS = 20;
const WITHIN = 2_000;
const SEEDS_WANTED = 19;
const CORRECT_REQUESTS = 100_000;
const CONNECTIONS = 16;
const MANY_REQUESTS = 1_000_000;
const token = 'bench-token';

/** Reference servers that differ where the interface is silent. */
const CORRECT = [
  {},
  { duplicateId: 'replace' },
  { authenticationFailureStatus: 401, unknownFields: 'reject' },
  { authenticationFailureStatus: 403, limits: { bodyBytes: 16_384 } },
];

/** How often exploring finds rare faults, whether it blames correct providers, and how fast it is. */
export async function explore() {
  return [
    await requestsPerSecond('reference', 0.5),
    await requestsPerSecond('express', 0.5),
    await memoryOfMany(),
    await blamesNobody(),
    ...(await findsFaults()),
  ];
}

/** Explores a server in this process. */
async function exploration(options, explore) {
  const { fetch } = createPlantStore({ token, ...options });
  const report = await checkConformance({
    baseUrl: 'http://localhost',
    fetch,
    token,
    prism: false,
    explore,
  });
  return report.exploration;
}

/** For each fault that needs exploring: how many of 20 seeds find it within 2,000 requests. */
async function findsFaults() {
  const rows = [];
  for (const { name, breaks } of (await loadFaults()).filter(({ needsExploring }) => needsExploring)) {
    let found = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { failures } = await exploration({ faults: [name] }, { seed, runs: WITHIN });
      if (failures.some(({ rule, foundAfter }) => breaks.includes(rule) && foundAfter <= WITHIN)) found++;
    }
    rows.push(
      counted(`explore: ${name}, found by seeds within ${WITHIN} requests`, found, SEEDS, SEEDS_WANTED),
    );
  }
  return rows;
}

async function blamesNobody() {
  let requests = 0;
  let findings = 0;
  for (let seed = 1; requests < CORRECT_REQUESTS; seed++) {
    const found = await exploration(CORRECT[seed % CORRECT.length], { seed, runs: 5_000 });
    requests += found.requests;
    findings += found.failures.length;
  }
  const met = findings === 0 ? 'yes' : 'no';
  const absolute = `${findings} in ${requests} requests`;
  return {
    what: 'explore: findings for correct providers',
    ratio: '',
    range: '',
    target: '0',
    met,
    absolute,
  };
}

/** The requests per second of exploring with all rules, over a load generator that only writes valid plants. */
async function requestsPerSecond(name, target) {
  const server = await startServer(fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url)));
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
  const server = await startServer(fileURLToPath(new URL('../servers/reference.mjs', import.meta.url)));
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

function counted(what, count, of, atLeast) {
  const met = count >= atLeast ? 'yes' : 'no';
  return { what, ratio: '', range: '', target: `≥ ${atLeast}`, met, absolute: `${count} of ${of}` };
}
