import type { Command } from 'commander';
import type { AuditedPact } from '../pact/audit/report.js';
import { ToolkitError } from '../toolkit-error.js';
import type { CommandIo } from './io.js';
import { prepareReports, type ReportFlags, withReportFlags } from './reports.js';

/** `plant-store audit <pact…>`: compares pacts with the interface. Needs no provider. */
export function addAuditCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  withReportFlags(
    program
      .command('audit')
      .argument('<pact...>', 'pact files, patterns such as "pacts/**/*.json", and folders with .json files')
      .summary('find what pacts expect that the interface does not promise')
      .description(
        'Compares pacts with the interface, without a provider. Reports each expectation that the ' +
          'interface does not promise, and what the pacts do not cover.',
      ),
  )
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: ReportFlags) => {
      conclude(await audit(paths, flags, io));
    });
}

const EXAMPLES = `
Examples:
  plant-store audit pacts/
  plant-store audit pacts/web-shop-plant-store.json --quiet
  plant-store audit pacts/ --reporter text --reporter json=audit.json

Exit status: 0: no pact relies on more than the interface promises. 1: a pact does. 2: usage error, no
pact, or a pact cannot be read.`;

async function audit(paths: readonly string[], flags: ReportFlags, io: CommandIo): Promise<number> {
  const startedAt = new Date();
  const reports = await prepareReports(flags, io);
  const [{ localPacts }, { judgePact }, { auditReport }] = await Promise.all([
    import('../pact/pact-sources.js'),
    import('../pact/audit/audit.js'),
    import('../pact/audit/report.js'),
  ]);
  const pacts: AuditedPact[] = [];
  const problems: ToolkitError[] = [];
  const attempt = async (work: () => unknown): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      if (!(cause instanceof ToolkitError)) throw cause;
      problems.push(cause);
    }
  };
  for (const path of paths)
    await attempt(async () => {
      for (const { text, where } of await localPacts([path]))
        await attempt(() => pacts.push(judgePact(text, { where })));
    });
  const [first] = problems;
  if (first !== undefined)
    throw new ToolkitError(first.code, problems.map(({ message }) => message).join('; '), { cause: first });
  return reports.write(auditReport(pacts, startedAt));
}
