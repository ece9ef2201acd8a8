import { measurePairs } from '../pairs.mjs';
import { withinSeconds } from '../rows.mjs';
import { serverScript, startServer } from '../server-process.mjs';
import { COMMAND_LINE, emptyProcess, timed } from '../timed.mjs';

const CHECK = ['check', '--token', 'bench-token', '--reporter', 'json'];
const SLICES = 2;

/** A whole `plant-store check`, Prism's opinion included, over a Node process that does nothing. */
export async function check() {
  const server = await startServer(serverScript('reference'));
  const subject = () => timed(COMMAND_LINE, ...CHECK, `http://127.0.0.1:${server.port}`);
  await emptyProcess().then(subject);
  const pairs = await measurePairs(emptyProcess, subject, SLICES);
  await server.stop();
  return [withinSeconds('plant-store check of the reference server / an empty Node process', pairs, 1.2)];
}
