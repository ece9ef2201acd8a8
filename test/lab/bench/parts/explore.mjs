import { checkConformance } from 'plant-store-contract/conformance';
import { createPlantStore, loadFaults } from 'plant-store-contract/server';
import { told } from '../rows.mjs';

const SEEDS = 20;
const WITHIN = 2_000;
const SEEDS_WANTED = 19;
const CORRECT_REQUESTS = 100_000;
const token = 'bench-token';

/** Reference servers that differ where the interface is silent. */
const CORRECT = [
  {},
  { duplicateId: 'replace' },
  { authenticationFailureStatus: 401, unknownFields: 'reject' },
  { authenticationFailureStatus: 403, bodyBytes: 16_384 },
];

/** How often exploring finds rare faults, and whether it blames correct providers. */
export async function explore() {
  return [await blamesNobody(), ...(await findsFaults())];
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

/** For each fault that needs exploring: how many of 20 seeds find it within 2,000 draws. */
async function findsFaults() {
  const rows = [];
  for (const { name, breaks } of (await loadFaults()).filter(({ needsExploring }) => needsExploring)) {
    let found = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { failures } = await exploration({ faults: [name] }, { seed, runs: WITHIN });
      if (failures.some(({ rule }) => breaks.includes(rule))) found++;
    }
    rows.push(counted(`explore: ${name}, found by seeds within ${WITHIN} draws`, found, SEEDS, SEEDS_WANTED));
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
  return told({
    what: 'explore: findings for correct providers',
    ratio: '',
    range: '',
    target: '0',
    met,
    absolute,
  });
}

function counted(what, count, of, atLeast) {
  const met = count >= atLeast ? 'yes' : 'no';
  return told({ what, ratio: '', range: '', target: `≥ ${atLeast}`, met, absolute: `${count} of ${of}` });
}
