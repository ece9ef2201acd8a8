// `npm run test:all`: runs `npm test`, then all other tests, and then compares the coverage of both with its thresholds.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { packagesOf } from './packages.mjs';

const root = new URL('..', import.meta.url).pathname;
const COVERED = { statements: 97, branches: 94, functions: 97, lines: 97 };

rmSync(`${root}.vitest-reports`, { recursive: true, force: true });
const thresholds = Object.entries(COVERED).flatMap(([of, percent]) => [
  `--coverage.thresholds.${of}`,
  String(percent),
]);
// The tests of `npm test` need none of these, and its first steps use one core: npm installs them meanwhile.
const installing = Promise.all([packagesOf('frameworks'), packagesOf('tools')]);
run('npm', ['test', '--', ...keepingCoverage(1)]);
await installing;
run('npm', ['run', 'test:rest', '--', ...keepingCoverage(2)]);
run('npx', ['vitest', 'run', '--merge-reports', '--reporter', 'dot', '--coverage', ...thresholds]);

/** The flags of a part whose coverage is merged with that of others. A summary of one part alone would mislead. */
function keepingCoverage(/** @type {number} */ part) {
  const blob = ['--reporter', 'blob', '--outputFile.blob', `.vitest-reports/${part}.json`];
  return ['--coverage', '--coverage.reporter', 'json-summary', '--reporter', 'default', ...blob];
}

function run(/** @type {string} */ command, /** @type {readonly string[]} */ args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
