import { fileURLToPath } from 'node:url';
import { firstResponse } from '../first-response.mjs';
import { measurePairs } from '../pairs.mjs';
import { timesAsLong } from '../rows.mjs';

const bench = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const COMMAND_LINE = bench('../../../dist/cli/main.js');

const SUBJECTS = [
  { what: 'a script that imports ./server', run: [bench('servers/reference.mjs')], atMost: 1.3 },
  {
    what: 'plant-store serve',
    run: [COMMAND_LINE, 'serve', '--token', 'bench-token', '--log', 'silent'],
    atMost: 1.5,
  },
];
const WARM_UPS = 10;
const SLICES = 6;

/** The time from the start of a process to its first 200, over that of the bare handler. */
export async function start() {
  const bare = () => firstResponse(bench('servers/bare.mjs'));
  const rows = [];
  for (const { what, run, atMost } of SUBJECTS) {
    const subject = () => firstResponse(...run);
    // Until the files are in the page cache.
    for (let i = 0; i < WARM_UPS; i++) await bare().then(subject);
    rows.push(
      timesAsLong(
        `start to first 200: ${what} / bare node:http`,
        await measurePairs(bare, subject, SLICES),
        atMost,
      ),
    );
  }
  return rows;
}
