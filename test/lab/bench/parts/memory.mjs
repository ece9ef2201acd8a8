import { Load, warmUp } from '../load.mjs';
import { timesAsMuch } from '../rows.mjs';
import { serverScript, startServer } from '../server-process.mjs';

const ALL = 500_000;
const FIRST = 50_000;
const SLICE = 10_000;

/** The memory of the validating proxy after many exchanges, over its memory after the first ones. */
export async function memory() {
  const provider = await startServer(serverScript('bare'));
  const proxy = await startServer('--expose-gc', serverScript('proxy'), String(provider.port));
  await warmUp(proxy, FIRST);
  const before = await proxy.memory();
  const load = await Load.open(proxy.port);
  for (let sent = FIRST; sent < ALL; sent += SLICE) await load.create(SLICE);
  load.close();
  const after = await proxy.memory();
  for (const { stop } of [proxy, provider]) await stop();
  return [timesAsMuch(`proxy: memory after ${ALL} exchanges / after ${FIRST}`, { before, after }, 1.1)];
}
