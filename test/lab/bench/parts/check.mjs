import { fileURLToPath } from 'node:url';
import { measurePairs } from '../pairs.mjs';
import { timesAsLong, withinSeconds } from '../rows.mjs';
import { serverScript, startServer } from '../server-process.mjs';
import { COMMAND_LINE, emptyProcess, timed } from '../timed.mjs';

const CHECK = ['check', '--token', 'bench-token', '--reporter', 'json'];
const PLAIN_SCRIPT = fileURLToPath(new URL('../plain-script.mjs', import.meta.url));
/** As many requests as a check sends. */
const REQUESTS = '468';
const SLICES = 2;

/**
 * A whole `plant-store-contract check`, Prism's opinion included, over a Node process that does nothing, and over a script that only sends as many
 * plants.
 */
export async function check() {
  const server = await startServer(serverScript('reference'));
  const url = `http://127.0.0.1:${server.port}`;
  const subject = () => timed(COMMAND_LINE, ...CHECK, url);
  const plainScript = () => timed(PLAIN_SCRIPT, url, REQUESTS);
  await emptyProcess().then(subject).then(plainScript);
  const overNothing = await measurePairs(emptyProcess, subject, SLICES);
  const overScript = await measurePairs(plainScript, subject, SLICES);
  await server.stop();
  return [
    withinSeconds(
      'plant-store-contract check of the reference server / an empty Node process',
      overNothing,
      1.2,
    ),
    timesAsLong('plant-store-contract check / a script that sends as many plants', overScript, 3),
  ];
}
