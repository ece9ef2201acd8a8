import { rmSync } from 'node:fs';
import { runToolOn, TOKEN } from '../bench/peers/run-tool.mjs';
import { mutantsOf, rightOf, written } from './mutants.mjs';
import { compared, PROBE_VERSION, probed } from './probe/probe.mjs';
import { digestOf } from './providers.mjs';
import { started } from './start.mjs';

/** What a tool says about a right provider may differ from run to run, so each runs more than once. */
const RUNS_OF_RIGHT = 3;
const PROBE = { name: 'probe', key: PROBE_VERSION };

/**
 * One tool against one mutant, or the probe.
 *
 * @typedef {object} Job
 * @property {string} name of the tool
 * @property {string} key another build or version of the tool has another one
 * @property {import('../bench/peers/run-tool.mjs').Tool} [tool] none: the probe
 * @property {number} most so many mutants of each provider
 */

/**
 * Runs what is left to run, several at once, and adds each result.
 *
 * @param {readonly import('./providers.mjs').Provider[]} providers
 * @param {readonly Job[]} jobs
 * @param {{ results: import('../bench/peers/results.mjs').Results, atOnce: number, most: number, limitMs: number, tools: string }} options
 */
export async function runAll(providers, jobs, { results, atOnce, most, ...options }) {
  const probe = { ...PROBE, most };
  for (const provider of providers) {
    const place = placeOf(provider);
    const mutants = await mutantsOf(provider);
    const rights = Array.from({ length: RUNS_OF_RIGHT }, (_, at) => ({
      ...rightOf(provider),
      id: `right-${at + 1}`,
    }));
    const left = [...rights, ...mutants].map((mutant, at) => {
      const isRight = at < RUNS_OF_RIGHT;
      const asked = [...jobs, ...(isRight ? [] : [probe])].filter(
        (job) => isRight || at - RUNS_OF_RIGHT < job.most,
      );
      return {
        mutant,
        jobs: asked.filter((job) => !results.has(nameOf(job), { kind: place, name: mutant.id })),
      };
    });
    const work = left.filter((item) => item.jobs.length > 0);
    const right = work.some((item) => item.jobs.includes(probe)) ? await probesOf(provider) : [];
    let count = 0;
    const next = async () => {
      for (let item = work.shift(); item !== undefined; item = work.shift()) {
        await runMutant(provider, item, { ...options, right, results, place });
        process.stderr.write(`${provider.name} ${++count}/${count + work.length} ${item.mutant.id}\n`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  }
}

/** The runs of a mutant, of those that a file has. */
export function placeOf(provider) {
  return `${provider.name}@${digestOf(rightOf(provider).source)}`;
}

export function nameOf({ name, key }) {
  return `${name} ${key}`;
}

export const probeName = nameOf(PROBE);

async function runMutant(provider, { mutant, jobs }, { right, results, place, ...options }) {
  const folder = await written(provider, mutant);
  for (const job of jobs) {
    const server = folder === undefined ? undefined : await started(provider.start(folder));
    const outcome = server === undefined ? { isStarted: false } : await runJob(job, server, right, options);
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

async function runJob({ name, tool }, server, right, options) {
  if (tool === undefined) return compared(right, await probed(server.url, TOKEN), TOKEN);
  try {
    const { failed, findings, timedOut, seconds, conclusion } = await runToolOn(tool, server, options);
    return { failed, findings, timedOut, seconds, conclusion };
  } catch (cause) {
    process.stderr.write(`${name} failed: ${cause.message}\n`);
    return { failed: true, findings: [], timedOut: false, hasCrashed: true };
  }
}

async function probesOf(provider) {
  const folder = await written(provider, { ...rightOf(provider), id: 'probed' });
  const runs = [];
  for (let count = 0; count < RUNS_OF_RIGHT; count++) {
    const server = await started(provider.start(folder));
    runs.push(await probed(server.url, TOKEN));
    server.stop();
  }
  rmSync(folder, { recursive: true, force: true });
  return runs;
}
