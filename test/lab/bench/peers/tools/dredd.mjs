import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shipped, withExamples, withoutAllOf, yamlOf } from '../document.mjs';
import { findCommand } from '../find-command.mjs';
import { findTool } from '../find-tool.mjs';
import { runCommand } from '../processes.mjs';

const HOOKS = fileURLToPath(new URL('../dredd-hooks.cjs', import.meta.url));
const FLAGS = ['--no-color', '--loglevel=error', '--hookfiles', HOOKS];

/** Dredd sends each example once. Its findings are the failed transactions and why they failed. */
export const dredd = {
  name: 'Dredd',
  settings:
    '--header with the bearer token, the document without allOf, with examples, and a hook that makes the request for 400 invalid',
  page: 'https://dredd.org/en/latest/usage-cli/',
  find: (tools) => findTool('dredd', tools),
  async run({ url, token, work, tools, limitMs }) {
    await writeFile(join(work, 'openapi.yaml'), yamlOf(withExamples(withoutAllOf(shipped()))));
    const { status, stdout, timedOut } = await runCommand(
      await findCommand('dredd', tools),
      ['openapi.yaml', url, '--header', `Authorization: Bearer ${token}`, ...FLAGS],
      { limitMs, cwd: work },
    );
    return { failed: status !== 0, findings: findingsOf(stdout), timedOut };
  },
};

/** Lines such as `fail: body: At '/name' Missing required property: name`. Others show what was sent and received. */
export function findingsOf(stdout) {
  return stdout
    .split('\n')
    .filter((line) => /^(?:fail|error): /.test(line))
    .map((line) => line.replace(/ duration: \d+ms/, '').replaceAll(/http:\/\/[\d.:]+/g, '<url>'));
}
