// @ts-check
// `npm run test:all`: runs every part of `npm test` and all other tests, whatever fails. What failed is repeated alone, since a busy
// machine may have been the reason. It compares the coverage with its thresholds, and fails at the end. `npm run test:all -- test/cli`
// runs the tests of one folder, without the thresholds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { againArguments, failedTests } from './failed-tests.mjs';
import { packagesOf } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = `${root}.vitest-reports`;
const SUMMARY = `${root}coverage/coverage-summary.json`;
const COVERED = { statements: 97, branches: 94, functions: 97, lines: 97 };

const filters = process.argv.slice(2);
/** What failed again, in words. @type {string[]} */
const failures = [];
/** What failed beside others, and passed alone. @type {string[]} */
const unsteady = [];

for (const old of [REPORTS, SUMMARY]) rmSync(old, { recursive: true, force: true });
// Each needs one core, or waits for the network.
await Promise.all([
  packagesOf('frameworks').catch(isNotInstalled),
  packagesOf('tools').catch(isNotInstalled),
  ...['lint', 'types', 'build'].map(async (part) => {
    if (!(await hasPassed('npm', ['run', '--silent', part]))) failures.push(`npm run ${part}`);
  }),
]);
await runTests();
if (filters.length === 0) compareCoverage();

for (const one of unsteady) process.stdout.write(`passed alone, but not beside others: ${one}\n`);
for (const one of failures) process.stdout.write(`FAILED: ${one}\n`);
process.stdout.write(failures.length === 0 ? 'everything passed\n' : `${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

function isNotInstalled(/** @type {unknown} */ error) {
  failures.push(`the packages of some tests cannot be installed: ${error}`);
}

/** Runs the tests, and then those that failed once more, a file at a time. */
async function runTests() {
  const kinds = ['text-summary', 'json-summary'].flatMap((kind) => ['--coverage.reporter', kind]);
  const coverage = ['--coverage', '--coverage.reportOnFailure', ...kinds];
  const flags = filters.length === 0 ? coverage : ['--passWithNoTests'];
  const { passed, failed } = await vitest('results', [...flags, ...filters]);
  if (passed) return;
  if (failed.size === 0) failures.push('the tests: see above');
  for (const [file, names] of failed) await repeat(file, names);
}

/** Runs tests of a file once more, alone: all of them if there is no name. */
async function repeat(/** @type {string} */ file, /** @type {readonly string[]} */ names) {
  const place = relative(root, file);
  process.stdout.write(`\nonce more, alone: ${[place, ...names].join('\n    ')}\n`);
  const { passed, failed } = await vitest('again', againArguments(file, names));
  const still = failed.get(file);
  if (names.length === 0) (passed ? unsteady : failures).push(place);
  for (const name of names)
    (passed || still?.includes(name) === false ? unsteady : failures).push(`${place}: ${name}`);
}

/** Runs Vitest. Returns whether it passed, and the tests that failed, by file. */
async function vitest(/** @type {string} */ report, /** @type {readonly string[]} */ args) {
  const json = `${REPORTS}/${report}.json`;
  rmSync(json, { force: true });
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', json];
  const passed = await hasPassed('npx', ['vitest', 'run', ...reporters, ...args]);
  /** @type {ReadonlyMap<string, readonly string[]>} */
  const failed = existsSync(json) ? failedTests(JSON.parse(readFileSync(json, 'utf8'))) : new Map();
  return { passed, failed };
}

/** Compares the coverage of all tests with its thresholds. */
function compareCoverage() {
  const total = existsSync(SUMMARY) ? JSON.parse(readFileSync(SUMMARY, 'utf8')).total : {};
  for (const [of, percent] of Object.entries(COVERED)) {
    const pct = total[of]?.pct ?? 0;
    if (pct < percent) failures.push(`the coverage of ${of} is ${pct}%, below ${percent}%`);
  }
}

/** @returns whether a command ended with 0 */
async function hasPassed(/** @type {string} */ command, /** @type {readonly string[]} */ args) {
  const [status] = await once(spawn(command, args, { cwd: root, stdio: 'inherit' }), 'exit');
  return status === 0;
}
