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
      return { failed: status !== 0, findings: timedOut ? [] : findingsOf(await readFile(file)), timedOut };
    },
  };
}

function findingsOf(report) {
  const { rules } = JSON.parse(report);
  return rules.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn').map(({ id }) => id);
}

export const checks = [
  check('plant-store-contract check', []),
  check('plant-store-contract check --explore', ['--explore', '--time', '10s', '--seed', '1']),
];
