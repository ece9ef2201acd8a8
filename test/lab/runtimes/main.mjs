// `npm run runtimes`: runs every command of `plant-store-contract` on other versions of Node, on Bun and on Deno, and checks what the
// forwarder relies on in each version of Node. With `--tests`, those that can also run all tests. It needs Linux on x64, and downloads 300 MB once. The exit status is 1 if anything fails.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagesOf } from '../../packages.mjs';
import { commandFlags } from '../command-flags.mjs';
import { CommandLine } from './cli.mjs';
import { COMMANDS } from './commands.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** @type {Readonly<Record<string, readonly string[]>>} the program of each runtime, and its own arguments */
const RUNTIMES = {
  'node-22': ['node-22/bin/node'],
  'node-24': ['node-24/bin/node'],
  'node-26': ['node-26/bin/node'],
  bun: ['@oven/bun-linux-x64/bin/bun'],
  deno: ['@deno/linux-x64-glibc/deno', 'run', '--allow-all'],
};

const { values, positionals } = commandFlags({
  allowPositionals: true,
  options: { tests: { type: 'boolean', default: false } },
});
for (const name of positionals) {
  if (!(name in RUNTIMES)) {
    process.stderr.write(`${name} is no runtime; there are ${Object.keys(RUNTIMES).join(', ')}\n`);
    process.exit(2);
  }
}

const packages = await packagesOf('lab/runtimes');
for (const [name, [program = '', ...args]] of Object.entries(RUNTIMES)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const runtime = [join(packages, program), ...args];
  await runCommands(name, runtime);
  if (name.startsWith('node')) await checkFacts(name, runtime[0] ?? '');
  if (values.tests && name.startsWith('node')) await runTests(name, runtime[0] ?? '');
}

/** @param {string} name @param {readonly string[]} runtime */
async function runCommands(name, runtime) {
  const cli = new CommandLine(runtime, join(root, 'dist/cli/main.js'));
  let failed = 0;
  for (const { what, exercise } of COMMANDS) {
    try {
      await exercise(cli);
    } catch (problem) {
      failed++;
      process.stdout.write(`${name}: ${what}: ${problem instanceof Error ? problem.message : problem}\n`);
    }
  }
  cli.remove();
  process.stdout.write(
    `${name}: ${COMMANDS.length - failed} of ${COMMANDS.length} commands ran as expected\n`,
  );
  if (failed > 0) process.exitCode = 1;
}

/**
 * Checks what the forwarder relies on: see test/http/node-facts.mjs.
 *
 * @param {string} name @param {string} node
 */
async function checkFacts(name, node) {
  const facts = new URL('../../http/node-facts.mjs', import.meta.url);
  const script = `import { NODE_FACTS } from '${facts.href}';
    for (const { what, patch, check } of NODE_FACTS)
      await check().catch(({ message }) => {
        process.stdout.write('${name} no longer ' + what + ', on which ' + patch + ' relies: ' + message + '\\n');
        process.exitCode = 1;
      });`;
  const child = spawn(node, ['--input-type=module', '--eval', script], { stdio: 'inherit' });
  const [status] = await once(child, 'exit');
  process.stdout.write(`${name}: the facts of Node ${status === 0 ? 'hold' : 'do not all hold'}\n`);
  if (status !== 0) process.exitCode = 1;
}

/**
 * The tests start processes with `node`, which is then this one too.
 *
 * @param {string} name @param {string} node
 */
async function runTests(name, node) {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const child = spawn(node, [vitest, 'run', '--reporter=dot'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${dirname(node)}:${process.env.PATH}` },
  });
  const [status, signal] = await once(child, 'exit');
  process.stdout.write(`${name}: the tests ended with ${signal ?? status}\n`);
  if (status !== 0) process.exitCode = 1;
}
