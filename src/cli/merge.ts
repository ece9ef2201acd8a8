import type { Command } from 'commander';
import { limits } from '../http/limits.js';
import { invalidOption, reasonOf } from '../toolkit-error.js';
import type { CommandIo } from './io.js';
import { prepareReports, type ReportFlags, withReportFlags } from './reports.js';

/** `plant-store merge <report...>`: combines the reports of several shards. */
export function addMergeCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  withReportFlags(program.command('merge'))
    .argument('<report...>', 'JSON reports of `check --explore --shard`')
    .summary('combine the reports of several shards into one')
    .description(
      'Combines JSON reports of `plant-store check`, one for each shard of a seed, into one report. A rule that fails ' +
        'in one report fails. A missing shard makes the result incomplete.',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], flags: ReportFlags) => {
      conclude(await merge(files, flags, io));
    });
}

const EXAMPLES = `
Examples:
  plant-store check http://localhost:3000 --explore --seed 7 --shard 1/2 --reporter json=1.json
  plant-store check http://localhost:3000 --explore --seed 7 --shard 2/2 --reporter json=2.json
  plant-store merge 1.json 2.json --reporter markdown=report.md

Exit status: 0: the provider conforms. 1: it breaks a rule. 2: usage error, or a shard is missing or
incomplete.`;

async function merge(files: readonly string[], flags: ReportFlags, io: CommandIo): Promise<number> {
  const reports = await prepareReports(flags, io);
  const [{ mergeReports }, { readCheckReport }] = await Promise.all([
    import('../conformance/merging/merge.js'),
    import('../conformance/merging/read-report.js'),
  ]);
  const parts = [];
  for (const file of files) {
    const bytes = await io.readBytes(file, limits.report).catch((cause) => {
      throw invalidOption(`${file} cannot be read: ${reasonOf(cause)}`, { cause });
    });
    parts.push(readCheckReport(bytes, file));
  }
  return reports.write(mergeReports(parts));
}
