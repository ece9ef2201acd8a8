import { fileURLToPath } from 'node:url';
import { measurePairs } from '../pairs.mjs';
import { withinSeconds } from '../rows.mjs';
import { startServer } from '../server-process.mjs';
import { COMMAND_LINE, emptyProcess, timed } from '../timed.mjs';

const bench = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const CHECK = ['check', '--token', 'bench-token', '--reporter', 'json'];

const PROVIDERS = [
  { what: 'the reference server', delayMs: 0, within: 1.2 },
  { what: 'the same, 100 ms for each response', delayMs: 100, within: 3 },
];
const SLICES = 2;

/** A whole `plant-store check`, Prism's opinion included, over a Node process that does nothing. */
export async function check() {
  const rows = [];
  for (const { what, delayMs, within } of PROVIDERS) {
    const server = await startServer(bench('servers/reference.mjs'), String(delayMs));
    const url = `http://127.0.0.1:${server.port}`;
    const subject = () => timed(COMMAND_LINE, ...CHECK, url);
    await emptyProcess().then(subject);
    const pairs = await measurePairs(emptyProcess, subject, SLICES);
    rows.push(withinSeconds(`plant-store check of ${what} / an empty Node process`, pairs, within));
    await server.stop();
  }
  return rows;
}
