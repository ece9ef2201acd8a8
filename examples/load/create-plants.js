// Creates plants at a set rate, and judges every response exactly. k6 finds no packages, so `npm run bundle` makes one file of
// this: see README.md.
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import { readJson, validateResponse } from 'plant-store-contract/validation';

const { BASE_URL = 'http://127.0.0.1:4010', PLANT_STORE_TOKEN = '', RATE = '100', DURATION = '10s' } = __ENV;
/** So many problems are printed. The others are only counted. */
const MOST_PRINTED = 10;

/** Responses that do not conform, that are not the plant that was sent, and requests without a response. */
const problems = new Counter('plant_store_problems');

export const options = {
  scenarios: {
    plants: {
      executor: 'constant-arrival-rate',
      rate: Number(RATE),
      duration: DURATION,
      preAllocatedVUs: 50,
      maxVUs: 1000,
    },
  },
  thresholds: {
    plant_store_problems: ['count==0'],
    http_req_duration: [`p(95)<${__ENV.MOST_MS || 500}`],
    // Otherwise this machine was too slow for the rate, and the test says nothing about it.
    dropped_iterations: ['count==0'],
  },
};

/** Ids that no earlier run has used. Machines that share a run must share FIRST_ID. */
export function setup() {
  return { firstId: __ENV.FIRST_ID || `${Date.now()}000000` };
}

export default function ({ firstId }) {
  const id = BigInt(firstId) + BigInt(exec.scenario.iterationInTest);
  const name = `Aloe ${id}`;
  const response = http.post(`${BASE_URL}/plants`, `{"name":${JSON.stringify(name)},"id":${id}}`, {
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${PLANT_STORE_TOKEN}` },
    responseType: 'binary',
  });
  for (const problem of problemsIn(response, name)) {
    problems.add(1);
    // biome-ignore lint/suspicious/noConsole: k6 has no other output.
    if (exec.vu.iterationInInstance < MOST_PRINTED) console.error(`${name}: ${problem}`);
  }
}

/** What is wrong with a response to a plant, as sentences. */
function problemsIn({ status, headers, body, error }, name) {
  if (status === 0) return [`no response: ${error}`];
  const bytes = new Uint8Array(body || new ArrayBuffer(0));
  const violations = validateResponse({ status, headers, body: bytes });
  const said = status === 200 ? '' : messageIn(bytes);
  if (violations.length > 0) return violations.map(({ message }) => message + said);
  if (status !== 200) return [`expected 200, got ${status}${said}`];
  const { value } = readJson(bytes);
  return value.name === name ? [] : [`the response is another plant: ${JSON.stringify(value.name)}`];
}

/** The message of an Error, to follow a sentence. A gateway may respond with a page instead. */
function messageIn(bytes) {
  const { value } = readJson(bytes);
  return typeof value?.message === 'string' ? `; it says ${JSON.stringify(value.message)}` : '';
}
