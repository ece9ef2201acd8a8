import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cpuSecondsOfChildren } from './processes.mjs';
import { startProvider } from './providers.mjs';

/** The token of the shipped pact, so that Pact needs no filter for requests. */
export const TOKEN = 'example-token';

/**
 * A tool, or a tool with other settings.
 *
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} settings what it is run with
 * @property {string} page what recommends these settings
 * @property {(folder?: string) => Promise<{ version: string } | { missing: string }>} find looks for it in the folder that
 *   `--install` has filled, and on PATH
 * @property {(target: Target) => Promise<Outcome>} run
 *
 * @typedef {{ url: string, token: string, work: string, tools?: string, limitMs: number }} Target `work` is an empty folder
 * @typedef {{ failed: boolean, findings: string[], timedOut: boolean }} Outcome
 */

/**
 * Runs a tool against a provider, and measures it.
 *
 * @param {Tool} tool
 * @param {import('./providers.mjs').Provider} provider
 * @param {{ module: string, tools?: string, limitMs: number }} options
 */
export async function runTool(tool, provider, { module, ...options }) {
  const server = await startProvider(provider, { token: TOKEN, module });
  try {
    return await runToolOn(tool, server, options);
  } finally {
    server.stop();
  }
}

/**
 * The same against a server that has started.
 *
 * @param {Tool} tool
 * @param {{ url: string, requests: () => Promise<number | undefined> }} server
 * @param {{ tools?: string, limitMs: number }} options
 */
export async function runToolOn(tool, server, { tools, limitMs }) {
  const work = await mkdtemp(join(tmpdir(), 'plant-store-peers-'));
  const cpuBefore = cpuSecondsOfChildren();
  const start = performance.now();
  try {
    const outcome = await tool.run({ url: server.url, token: TOKEN, work, tools, limitMs });
    const seconds = (performance.now() - start) / 1000;
    // The process of the provider has not ended, so it does not count.
    const cpuAfter = cpuSecondsOfChildren();
    return {
      ...outcome,
      findings: [...new Set(outcome.findings)].sort(),
      requests: await server.requests(),
      seconds: rounded(seconds),
      cpuSeconds: cpuBefore === undefined ? undefined : rounded(cpuAfter - cpuBefore),
    };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function rounded(seconds) {
  return Math.round(seconds * 100) / 100;
}
