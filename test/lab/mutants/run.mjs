import { rmSync } from 'node:fs';
import { runToolOn, TOKEN } from '../bench/peers/run-tool.mjs';
import { RIGHTS, sourceOf, written } from './mutants.mjs';
import { compared, PROBE_VERSION, probed } from './probe/probe.mjs';
import { digestOf } from './providers.mjs';
import { started } from './start.mjs';

/**
 * One tool against one mutant, or the probe.
 *
 * @typedef {object} Job
 * @property {string} name of the tool
 * @property {string} key another build or version of the tool has another one
 * @property {import('../bench/peers/run-tool.mjs').Tool} [tool] none: the probe
 * @property {number} most the number of mutants of each provider
 * @property {number} [limitMs]
 */

/** The probe is run against each mutant that the check is run against. */
export const PROBE = { name: 'probe', key: PROBE_VERSION };

/**
 * Runs what is left to run, several at once, and adds each result.
 *
 * @param {readonly { provider: import('./providers.mjs').Provider, mutants: readonly import('./mutants.mjs').Mutant[] }[]} drawn
 * @param {readonly Job[]} jobs
 * @param {{ results: import('../bench/peers/results.mjs').Results, atOnce: number, most: number, tools: string }} options
 */
export async function runAll(drawn, jobs, { results, atOnce, most, tools }) {
  for (const { provider, mutants } of drawn) {
    const place = placeOf(provider);
    const isLeft = (id) => (job) => !results.has(nameOf(job), { kind: place, name: id });
    const rights = RIGHTS.map((id) => ({ mutant: rightOf(provider, id), jobs: jobs.filter(isLeft(id)) }));
    const changed = mutants.map((mutant, at) => ({
      mutant,
      jobs: [...jobs, { ...PROBE, most }].filter((job) => at < job.most).filter(isLeft(mutant.id)),
    }));
    const left = [...rights, ...changed].filter((item) => item.jobs.length > 0);
    const isProbed = left.some((item) => item.jobs.some(isProbe));
    const right = isProbed ? await probesOf(provider) : [];
    const all = left.length;
    const next = async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        await runMutant(provider, item, { right, results, place, tools });
        process.stderr.write(`${provider.name} ${item.mutant.id}, ${left.length} of ${all} are left\n`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  }
}

function isProbe({ tool }) {
  return tool === undefined;
}

/** Where the runs of a provider are in the file. Another text of the provider has others. */
export function placeOf(provider) {
  return `${provider.name}@${digestOf(sourceOf(provider))}`;
}

/** What the file calls a tool. */
export function nameOf({ name, key }) {
  return `${name} ${key}`;
}

function rightOf(provider, id) {
  return { provider: provider.name, id, operator: '', diff: '', source: sourceOf(provider) };
}

async function runMutant(provider, { mutant, jobs }, { right, results, place, tools }) {
  const folder = await written(provider, mutant);
  for (const job of jobs) {
    const server = folder === undefined ? undefined : await started(provider.start(folder));
    const outcome = server === undefined ? { isStarted: false } : await runJob(job, server, right, tools);
    server?.stop();
    results.add({
      tool: nameOf(job),
      provider: { kind: place, name: mutant.id },
      isStarted: true,
      ...outcome,
    });
  }
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
}

async function runJob({ name, tool, limitMs }, server, right, tools) {
  if (tool === undefined) return compared(right, await probed(server.url, TOKEN), TOKEN);
  try {
    const { failed, findings, timedOut, seconds, conclusion } = await runToolOn(tool, server, {
      tools,
      limitMs,
    });
    return { failed, findings, timedOut, seconds, conclusion };
  } catch (cause) {
    process.stderr.write(`${name} failed: ${cause.message}\n`);
    return { failed: true, findings: [], timedOut: false, hasCrashed: true };
  }
}

async function probesOf(provider) {
  const folder = await written(provider, rightOf(provider, 'probed'));
  const runs = [];
  for (const _ of RIGHTS) {
    const server = await started(provider.start(folder));
    runs.push(await probed(server.url, TOKEN));
    server.stop();
  }
  rmSync(folder, { recursive: true, force: true });
  return runs;
}
