// @ts-check
// `npm run test:all`: runs every part of `npm test` and all other tests, whatever fails. What failed is repeated alone, since a busy
// machine may have been the reason. It compares the coverage with its thresholds, and fails at the end. `npm run test:all -- test/cli`
// runs the tests of one folder, without the thresholds.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { againArguments, failedTests } from './failed-tests.mjs';
import { packagesOf } from './packages.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const REPORTS = `${root}.vitest-reports`;
const COVERED = { statements: 95, branches: 92, functions: 95, lines: 95 };

const filters = process.argv.slice(2);
/** What failed again, in words. @type {string[]} */
const failures = [];
/** What failed beside others, and passed alone. @type {string[]} */
const unsteady = [];

rmSync(REPORTS, { recursive: true, force: true });
// The first parts need none of these, and use one core: npm installs them meanwhile.
const installing = Promise.all([packagesOf('frameworks'), packagesOf('tools')]).catch(
  (error) => void failures.push(`the packages of some tests cannot be installed: ${error}`),
);
for (const part of ['lint', 'types', 'build'])
  if (!hasPassed('npm', ['run', '--silent', part])) failures.push(`npm run ${part}`);
runTests('usual', ['unit', 'real']);
await installing;
runTests('rest', ['all', 'timing']);
if (filters.length === 0) compareCoverage();

for (const one of unsteady) process.stdout.write(`passed alone, but not beside others: ${one}\n`);
for (const one of failures) process.stdout.write(`FAILED: ${one}\n`);
process.stdout.write(failures.length === 0 ? 'everything passed\n' : `${failures.length} failed\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Runs the tests of projects, and then those that failed once more, a file at a time. */
function runTests(/** @type {string} */ name, /** @type {readonly string[]} */ projects) {
  const chosen = projects.flatMap((project) => ['--project', project]);
  const json = `${REPORTS}/results/${name}.json`;
  // The coverage of one part alone would mislead. It is merged with that of the other.
  const blob = ['--reporter', 'blob', '--outputFile.blob', `${REPORTS}/blobs/${name}.json`];
  const coverage = [
    '--coverage',
    '--coverage.reportOnFailure',
    '--coverage.reporter',
    'json-summary',
    ...blob,
  ];
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', json];
  const flags = [...(filters.length === 0 ? coverage : ['--passWithNoTests']), ...reporters];
  if (hasPassed('npx', ['vitest', 'run', ...chosen, ...flags, ...filters])) return;
  /** @type {ReadonlyMap<string, readonly string[]>} */
  const failed = existsSync(json) ? failedTests(JSON.parse(readFileSync(json, 'utf8'))) : new Map();
  if (failed.size === 0) failures.push(`the tests of ${projects.join(' and ')}: see above`);
  for (const [file, names] of failed) repeat(file, names, chosen);
}

/** Runs tests of a file once more, alone: all of them if there is no name. */
function repeat(
  /** @type {string} */ file,
  /** @type {readonly string[]} */ names,
  /** @type {readonly string[]} */ projects,
) {
  const place = relative(root, file);
  process.stdout.write(`\nonce more, alone: ${[place, ...names].join('\n    ')}\n`);
  const json = `${REPORTS}/results/again.json`;
  rmSync(json, { force: true });
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--outputFile.json', json];
  const hasEnded = hasPassed('npx', [
    'vitest',
    'run',
    ...projects,
    ...reporters,
    ...againArguments(file, names),
  ]);
  const still = existsSync(json) ? failedTests(JSON.parse(readFileSync(json, 'utf8'))).get(file) : undefined;
  if (names.length === 0) (hasEnded ? unsteady : failures).push(place);
  for (const name of names)
    (hasEnded || still?.includes(name) === false ? unsteady : failures).push(`${place}: ${name}`);
}

/** Merges the coverage of all tests. */
function compareCoverage() {
  const summary = `${root}coverage/coverage-summary.json`;
  rmSync(summary, { force: true });
  const kinds = ['text-summary', 'json-summary'].flatMap((kind) => ['--coverage.reporter', kind]);
  const coverage = ['--coverage', '--coverage.reportOnFailure', ...kinds];
  // Its exit status is also about tests that failed and passed alone.
  const quietly = ['--reporter', 'json', '--outputFile.json', `${REPORTS}/results/merged.json`];
  hasPassed('npx', ['vitest', 'run', '--merge-reports', `${REPORTS}/blobs`, ...quietly, ...coverage]);
  const total = existsSync(summary) ? JSON.parse(readFileSync(summary, 'utf8')).total : {};
  for (const [of, percent] of Object.entries(COVERED)) {
    const pct = total[of]?.pct ?? 0;
    if (pct < percent) failures.push(`the coverage of ${of} is ${pct}%, below ${percent}%`);
  }
}

/** @returns whether a command ended with 0 */
function hasPassed(/** @type {string} */ command, /** @type {readonly string[]} */ args) {
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
}
