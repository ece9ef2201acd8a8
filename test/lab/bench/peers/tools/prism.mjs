import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverScript, startServer } from '../../server-process.mjs';
import { runCommand } from '../processes.mjs';

const PROXY = serverScript('prism-proxy');
const COMMAND_LINE = fileURLToPath(new URL('../../../../../dist/cli/main.js', import.meta.url));
const VIOLATIONS = 'sl-violations';

/**
 * Prism's proxy sends no requests of its own. It gets those of a check, whose own verdict is not used, and its findings are
 * the violations that it reports about responses.
 */
export const prism = {
  name: "Prism's proxy",
  settings:
    'requests and responses are validated, security is checked; the requests are those of plant-store-contract check',
  page: 'https://docs.stoplight.io/docs/prism/83dbbd75532cf-http-mocking (Validation Proxy)',
  async find() {
    const { version } = createRequire(PROXY)('@stoplight/prism-http-server/package.json');
    return { version };
  },
  async run({ url, token, work, limitMs }) {
    const proxy = await startServer(PROXY, url);
    const file = join(work, 'check.json');
    const args = ['check', `http://127.0.0.1:${proxy.port}`, '--token', token, '--reporter', `json=${file}`];
    try {
      const { timedOut } = await runCommand(process.execPath, [COMMAND_LINE, ...args], {
        limitMs,
        cwd: work,
      });
      const findings = timedOut ? [] : findingsOf(await readFile(file));
      return { failed: findings.length > 0, findings, timedOut };
    } finally {
      await proxy.stop();
    }
  },
};

function findingsOf(report) {
  return JSON.parse(report).exchanges.flatMap(({ response }) =>
    (response?.headers ?? [])
      .filter(([name]) => name.toLowerCase() === VIOLATIONS)
      .flatMap(([, value]) => JSON.parse(value))
      .filter(({ location, severity }) => location[0] === 'response' && severity === 'Error')
      .map(({ location, code, message }) => [location.join('.'), code, message].join(' ')),
  );
}
