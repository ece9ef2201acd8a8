// The benchmark: `npm run bench`. README.md describes its parts and shows figures.
import { packagesOf } from '../../packages.mjs';
import { commandFlags } from '../command-flags.mjs';
import { machine } from './machine.mjs';
import { check } from './parts/check.mjs';
import { explore } from './parts/explore.mjs';
import { latency } from './parts/latency.mjs';
import { proxy } from './parts/proxy.mjs';
import { throughput } from './parts/throughput.mjs';
import { validate } from './parts/validate.mjs';
import { table } from './rows.mjs';

/** In this order. Parts that run in this process come first, while its memory is empty. */
const PARTS = { validate, throughput, proxy, check, latency, explore };
/** These take minutes. */
const ONLY_IF_ASKED = ['latency', 'explore'];

const HELP = `Usage: npm run bench [-- --only <part>]

Prints a Markdown table that compares the package with other programs on this machine. Each ratio is the median of
9 interleaved pairs of measurements. Takes some ten minutes. Run nothing else meanwhile.

  --only <part>  measure one part: ${Object.keys(PARTS).join(', ')}
  --help         show this

  validate    validating a response, over Prism's validator, and over a plain schema
  throughput  requests per second of cold servers, with wrk if it is installed, over a bare node:http handler
  proxy       the time that the validating proxy adds, over a bare pipe; its requests per second, over Prism's proxy; the
              time until all is judged
  check       a whole plant-store-contract check of the reference server, over a Node process that does nothing
  latency     a whole plant-store-contract check through a pipe that delays bytes by 0 to 1,500 ms; only with --only
  explore     how many seeds find rare faults, and what exploring finds in correct providers; only with --only
`;

const { only, help } = commandFlags(
  { options: { only: { type: 'string' }, help: { type: 'boolean' } } },
  HELP,
).values;
if (help) process.stdout.write(HELP);
else if (only === undefined)
  await measure(Object.keys(PARTS).filter((name) => !ONLY_IF_ASKED.includes(name)));
else if (Object.hasOwn(PARTS, only)) await measure([only]);
else usageError(`there is no part "${only}"`);

function usageError(message) {
  process.stderr.write(`${message}\n\n${HELP}`);
  process.exitCode = 2;
}

async function measure(names) {
  await packagesOf('frameworks');
  const rows = [];
  for (const name of names) {
    process.stderr.write(`${name} …\n`);
    rows.push(...(await PARTS[name]()));
  }
  process.stdout.write(`${machine()}\n\n${table(rows)}`);
}
