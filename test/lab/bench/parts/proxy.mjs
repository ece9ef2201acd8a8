import { Load, warmUp } from '../load.mjs';
import { measurePairs } from '../pairs.mjs';
import { timesAsFast, timesAsLong, timesAsMuch } from '../rows.mjs';
import { serverScript, startServer } from '../server-process.mjs';

const WARM_UP = 20_000;
const ONE_BY_ONE = 200;
const TOGETHER = 250;
const SLICES = 20;
const JUDGED = 50_000;
const JUDGED_PAIRS = 3;

/** The time that the validating proxy adds to an exchange, over a bare pipe; and its requests per second, over Prism's proxy. */
export async function proxy() {
  const provider = await start('bare');
  const [pipe, ours, prism] = await Promise.all(
    ['pipe', 'proxy', 'prism-proxy'].map((name) => start(name, String(provider.port))),
  );
  for (const server of [provider, pipe, ours]) await warmUp(server, WARM_UP);
  await warmUp(prism, WARM_UP / 10);

  const [direct, piped, proxied] = await Promise.all(
    [provider, pipe, ours].map(({ port }) => Load.open(port, 1)),
  );
  const each = async (load) => (await load.create(ONE_BY_ONE)) / ONE_BY_ONE;
  const added = (load) => async () => {
    const without = await each(direct);
    return (await each(load)) - without;
  };
  const latency = await measurePairs(added(piped), added(proxied), SLICES);
  for (const load of [direct, piped, proxied]) load.close();

  const loads = await Promise.all([prism, ours].map(({ port }) => Load.open(port)));
  const [theirs, own] = loads.map((load) => async () => (await load.create(TOGETHER)) / TOGETHER);
  const rate = await measurePairs(theirs, own, SLICES);
  for (const load of loads) load.close();
  for (const server of [prism, ours, pipe, provider]) await server.stop();
  return [
    ...(await untilJudged()),
    timesAsLong('proxy: what it adds to an exchange / what a bare node:http pipe adds', latency, 2),
    timesAsFast("proxy: requests a second / Prism's proxy", rate, 2),
  ];
}

/** Judging follows the responses. How long until all is judged, and how much memory the proxy has at its peak. */
async function untilJudged() {
  const pairs = [];
  const memory = [];
  for (let pair = 0; pair < JUDGED_PAIRS; pair++) {
    const provider = await start('bare');
    const proxy = await start('proxy', String(provider.port));
    await warmUp(proxy, WARM_UP);
    const judgedBefore = await proxy.judged();
    const before = proxy.peakMemory();
    const load = await Load.open(proxy.port);
    const begin = performance.now();
    await load.create(JUDGED);
    const answered = performance.now() - begin;
    const judged = (await proxy.judged()) - judgedBefore;
    const all = performance.now() - begin;
    load.close();
    if (judged < JUDGED) throw new Error(`only ${judged} of ${JUDGED} exchanges were judged`);
    pairs.push({ yardstick: answered / JUDGED, subject: all / JUDGED });
    memory.push({ before, after: proxy.peakMemory() });
    for (const { stop } of [proxy, provider]) await stop();
  }
  const rows = [timesAsLong('proxy: until all exchanges are judged / until all are answered', pairs)];
  const [peak] = memory.toSorted((a, b) => b.after - a.after);
  const what = `proxy: peak of memory after ${JUDGED} exchanges at full speed / after ${WARM_UP}`;
  if (peak.after !== undefined) rows.push(timesAsMuch(what, peak));
  return rows;
}

function start(name, ...args) {
  return startServer(serverScript(name), ...args);
}
