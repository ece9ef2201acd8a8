import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../processes.mjs';

const ROOT = new URL('../../../../../', import.meta.url);
const COMMAND_LINE = fileURLToPath(new URL('dist/cli/main.js', ROOT));
const PAGE = 'docs/check.md';

/** The check of this package, with flags. Its findings are the rules that are broken, warnings included. */
function check(name, flags) {
  return {
    name,
    settings: ['plant-store-contract check <url> --token <token>', ...flags].join(' '),
    page: PAGE,
    async find() {
      const { version } = JSON.parse(await readFile(new URL('package.json', ROOT), 'utf8'));
      return { version };
    },
    async run({ url, token, work, limitMs }) {
      const file = join(work, 'report.json');
      const args = [COMMAND_LINE, 'check', url, '--token', token, '--reporter', `json=${file}`, ...flags];
      const { status, timedOut } = await runCommand(process.execPath, args, { limitMs, cwd: work });
      if (timedOut) return { failed: true, findings: [], timedOut };
      return { failed: status !== 0, ...readReport(await readFile(file)), timedOut };
    },
  };
}

function readReport(report) {
  const { rules, conclusion } = JSON.parse(report);
  const isBroken = ({ verdict }) => verdict === 'fail' || verdict === 'warn';
  return { findings: rules.filter(isBroken).map(({ id }) => id), conclusion };
}

export const checks = [
  check('plant-store-contract check', []),
  check('plant-store-contract check --explore', ['--explore', '--time', '10s', '--seed', '1']),
];
