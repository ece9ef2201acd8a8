import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { loadFaults } from 'plant-store-contract/server';
import { endGroup, startGroup } from './processes.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const SCRIPT = fileURLToPath(new URL('provider-process.mjs', import.meta.url));

/** The reference server without a fault is a correct provider too. */
export const REFERENCE = 'the reference server';

/**
 * A provider that tools are run against.
 *
 * @typedef {{ kind: 'fault' | 'correct', name: string }} Provider
 */

/**
 * Every provider: the reference server with each fault, and all correct ones. The correct ones are in TypeScript, so they are
 * compiled first.
 */
export async function allProviders() {
  // Inside the repository, so that it can import this package.
  const module = join(ROOT, 'build/peers/correct-providers.mjs');
  await mkdir(join(ROOT, 'build/peers'), { recursive: true });
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/conformance/providers/correct/all.ts'],
    outfile: module,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  });
  const { correctProviders } = await import(module);
  return {
    module,
    faults: (await loadFaults()).map(({ name }) => ({ kind: 'fault', name })),
    correct: [REFERENCE, ...Object.keys(correctProviders)].map((name) => ({ kind: 'correct', name })),
  };
}

/**
 * Starts a provider in a process of its own.
 *
 * @param {Provider} provider
 * @param {{ token: string, module: string }} options
 */
export async function startProvider({ kind, name }, { token, module }) {
  const asked = name === REFERENCE ? ['fault', ''] : [kind, name];
  const child = startGroup(process.execPath, [SCRIPT, token, ...asked, module], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the provider "${name}" has ended`);
  });
  ended.catch(() => {});
  const [{ url }] = await Promise.race([once(child, 'message'), ended]);
  return {
    url,
    async requests() {
      child.send('requests');
      const [{ requests }] = await Promise.race([once(child, 'message'), ended]);
      return requests;
    },
    stop: () => endGroup(child.pid),
  };
}
