import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { measurePairs } from '../pairs.mjs';
import { timesAsLong } from '../rows.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const ENTRIES = ['validation', 'server', 'conformance'];
const WARM_UPS = 5;
const SLICES = 4;

/** A process that imports one entry of the package and ends, over one that does nothing. */
export async function imports() {
  const empty = () => runScript('');
  const rows = [];
  for (const entry of ENTRIES) {
    const importing = () => runScript(`import 'plant-store-contract/${entry}'`);
    for (let i = 0; i < WARM_UPS; i++) await empty().then(importing);
    const pairs = await measurePairs(empty, importing, SLICES);
    rows.push(timesAsLong(`import: a process that imports ./${entry} / an empty one`, pairs));
  }
  return rows;
}

async function runScript(source) {
  const start = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '--eval', `${source};`], {
    cwd: HERE,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`the script ${source} ended with ${code}`);
  return performance.now() - start;
}
