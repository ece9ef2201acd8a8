// The benchmark: `npm run bench`. Every number is a ratio to something measured in the same minute, since the
// numbers alone say more about the machine than about the package. Nothing here passes or fails.
import { parseArgs } from 'node:util';
import { machine } from './machine.mjs';
import { check } from './parts/check.mjs';
import { imports } from './parts/import.mjs';
import { json } from './parts/json.mjs';
import { memory } from './parts/memory.mjs';
import { proxy } from './parts/proxy.mjs';
import { start } from './parts/start.mjs';
import { throughput } from './parts/throughput.mjs';
import { validate } from './parts/validate.mjs';
import { verify } from './parts/verify.mjs';
import { table } from './rows.mjs';

/** In this order; those in this process come first, while its memory holds nothing else. */
const PARTS = { json, validate, throughput, proxy, start, check, verify, import: imports, memory };

const HELP = `Usage: npm run bench [-- --only <part>]

Prints a Markdown table of how the package compares with yardsticks on this machine. Each ratio is the median of
9 interleaved pairs of measurements. Takes two to four minutes; nothing else should run meanwhile.

  --only <part>  measure one part: ${Object.keys(PARTS).join(', ')}
  --help         show this

  json        reading JSON from bytes exactly, over JSON.parse
  validate    validating a response, over Prism's validator
  throughput  requests a second of the reference server (and of others), over a bare node:http handler
  proxy       what the validating proxy adds, over a bare pipe, and its rate, over Prism's proxy
  start       process start to the first 200, over a bare node:http handler
  check       a whole plant-store check of the reference server, over an empty process
  verify      a whole plant-store verify of the shipped pact, over an empty process
  import      a process that imports an entry of the package, over an empty one
  memory      the validating proxy after 500,000 exchanges; only when it is named, since it takes minutes
`;

const { only, help } = options();
if (help) process.stdout.write(HELP);
else if (only === undefined) await measure(Object.keys(PARTS).filter((name) => name !== 'memory'));
else if (Object.hasOwn(PARTS, only)) await measure([only]);
else misused(`there is no part "${only}"`);

function options() {
  try {
    return parseArgs({ options: { only: { type: 'string' }, help: { type: 'boolean' } } }).values;
  } catch (cause) {
    misused(cause.message);
    process.exit();
  }
}

function misused(message) {
  process.stderr.write(`${message}\n\n${HELP}`);
  process.exitCode = 2;
}

async function measure(names) {
  const rows = [];
  for (const name of names) {
    process.stderr.write(`${name} …\n`);
    rows.push(...(await PARTS[name]()));
  }
  process.stdout.write(`${machine()}\n\n${table(rows)}`);
}
