import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../processes.mjs';

const SCRIPT = fileURLToPath(new URL('../pact-verifier.mjs', import.meta.url));

/** Pact's own verifier with the shipped pact. Its findings are the mismatches of each interaction. */
export const pact = {
  name: 'Pact',
  settings:
    'Verifier of @pact-foundation/pact with the five interactions of pacts/, state handlers, and the token of the pact',
  page: 'https://docs.pact.io/implementation_guides/javascript/docs/provider',
  async find() {
    const { version } = createRequire(import.meta.url)('@pact-foundation/pact/package.json');
    return { version };
  },
  async run({ url, work, limitMs }) {
    const { status, stdout, timedOut } = await runCommand(process.execPath, [SCRIPT, url], {
      limitMs,
      cwd: work,
    });
    return { failed: status !== 0, findings: timedOut ? [] : findingsOf(stdout), timedOut };
  },
};

/** The last line is ours. Pact writes its own report before it. */
function findingsOf(stdout) {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1));
}
