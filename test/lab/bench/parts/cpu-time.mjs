import { CAN_PIN, onCoreOf } from '../pinned.mjs';
import { timesAsFast } from '../rows.mjs';
import { startPinnedServer } from '../server-process.mjs';
import { BARE, CLI_SILENT, CLI_TEXT, SCRIPT, underLoad } from './throughput.mjs';

const PAIRS = 9;
/** Each server gets half of its core: 4 s, as in the part `throughput`. */
const SECONDS = 8;

/**
 * The CPU time of a request to a cold server, over that of the bare handler, while both get requests at the same time and
 * share a core: what slows the machine down slows down both, so these ratios are much steadier than those of
 * {@link throughput}.
 */
export async function cpuTime() {
  if (!CAN_PIN) {
    process.stderr.write('  this needs Linux, taskset and two cores\n');
    return [];
  }
  return await onCoreOf('generator', async () => {
    const rows = [];
    for (const { what, run } of [CLI_SILENT, CLI_TEXT, SCRIPT]) {
      const pairs = [];
      for (let pair = 0; pair < PAIRS; pair++) pairs.push(await pairOf(run));
      rows.push(timesAsFast(`cpu-time: ${what} / bare node:http`, pairs));
    }
    return rows;
  });
}

async function pairOf(run) {
  const servers = await Promise.all([BARE, run].map(([path, ...args]) => startPinnedServer(path, ...args)));
  const [yardstick, subject] = await Promise.all(servers.map(millisecondsPerRequest));
  await Promise.all(servers.map((server) => server.stop()));
  return { yardstick, subject };
}

async function millisecondsPerRequest(server) {
  const { perSecond, share } = await underLoad(server, SECONDS);
  return (share * 1_000) / perSecond;
}
