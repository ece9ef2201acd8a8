import { HAS_WRK, requestsPerSecond } from '../generators.mjs';
import { CAN_PIN, onCoreOf } from '../pinned.mjs';
import { median, timesAsFast } from '../rows.mjs';
import { serverScript, startPinnedServer } from '../server-process.mjs';
import { COMMAND_LINE } from '../timed.mjs';

const script = (name) => [serverScript(name)];
const serve = (log) => [COMMAND_LINE, 'serve', '--token', 'bench-token', '--log', log];
const SECONDS = 4;
/** A server that uses less of its core waits for the generator. */
const SATURATED = 0.9;

const BARE = script('bare');

const SUBJECTS = [
  { what: 'plant-store-contract serve --log silent', run: serve('silent'), pairs: 9, atLeast: 0.6 },
  { what: 'plant-store-contract serve --log text', run: serve('text'), pairs: 9, atLeast: 0.4 },
  { what: 'a script that calls startPlantStore', run: script('reference'), pairs: 9 },
  { what: 'Fastify with JSON schemas', run: script('fastify'), pairs: 5 },
  { what: 'Express with express-openapi-validator', run: script('express'), pairs: 5 },
  { what: "Prism's mock", run: script('prism'), pairs: 5 },
];

/**
 * Requests per second of servers that authenticate, validate and store, over a handler that only stores. Each measurement
 * starts the server anew, on a core of its own, as a user starts it: no request comes before the measured ones.
 */
export async function throughput() {
  if (!HAS_WRK)
    tell('wrk is missing: a generator in JavaScript takes its place, and makes the others look faster');
  if (!CAN_PIN) tell('the server and the generator share cores');
  return await onCoreOf('generator', async () => {
    const rows = [];
    for (const subject of SUBJECTS) rows.push(await rowOf(subject));
    return rows;
  });
}

async function rowOf({ what, run, pairs: count, atLeast }) {
  const measured = { bare: [], subject: [] };
  for (let pair = 0; pair < count; pair++) {
    const order = [() => measure(BARE, measured.bare), () => measure(run, measured.subject)];
    for (const turn of pair % 2 === 0 ? order : order.toReversed()) await turn();
  }
  const busy = ({ share }) => share;
  const time = ({ perSecond }) => 1_000 / perSecond;
  for (const [name, shares] of [
    ['bare node:http', measured.bare.map(busy)],
    [what, measured.subject.map(busy)],
  ])
    if (median(shares) < SATURATED)
      tell(`the generator is saturated: ${name} used only ${Math.round(median(shares) * 100)}% of its core`);
  const pairs = measured.bare.map((bare, at) => ({
    yardstick: time(bare),
    subject: time(measured.subject[at]),
  }));
  return timesAsFast(`throughput: ${what} / bare node:http`, pairs, atLeast);
}

/** Adds what a server does that is started for it. */
async function measure([path, ...args], measured) {
  const server = await startPinnedServer(path, ...args);
  measured.push(await underLoad(server, SECONDS));
  await server.stop();
}

/** The requests per second of a server, and the share of a core that it used for them. */
async function underLoad(server, seconds) {
  const before = server.cpuSeconds();
  const perSecond = await requestsPerSecond(server.port, seconds);
  const share = before === undefined ? 1 : (server.cpuSeconds() - before) / seconds;
  return { perSecond, share };
}

function tell(line) {
  process.stderr.write(`  ${line}\n`);
}
