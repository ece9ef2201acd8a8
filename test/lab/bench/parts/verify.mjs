import { fileURLToPath } from 'node:url';
import { measurePairs } from '../pairs.mjs';
import { withinSeconds } from '../rows.mjs';
import { startServer } from '../server-process.mjs';
import { COMMAND_LINE, emptyProcess, timed } from '../timed.mjs';

const SERVER = fileURLToPath(new URL('../servers/reference.mjs', import.meta.url));
const SLICES = 2;

/** A whole `plant-store verify` of the shipped pact, over a Node process that does nothing. */
export async function verify() {
  const server = await startServer(SERVER);
  const url = `http://127.0.0.1:${server.port}`;
  const subject = () => timed(COMMAND_LINE, 'verify', url, '--token', 'bench-token', '--reporter', 'json');
  await emptyProcess().then(subject);
  const pairs = await measurePairs(emptyProcess, subject, SLICES);
  await server.stop();
  return [withinSeconds('plant-store verify of the shipped pact / an empty Node process', pairs, 1.5)];
}
