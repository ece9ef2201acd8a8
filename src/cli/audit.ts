import type { Command } from 'commander';
import type { PactAudit } from '../pact/audit/audit.js';
import { ToolkitError } from '../toolkit-error.js';
import { reporter } from './flags.js';
import type { CommandIo } from './io.js';
import {
  chosenReporters,
  type ReporterFlag,
  type ReportLoaders,
  tellOutcome,
  writeReports,
} from './reports.js';

/** The flags of `audit`. */
interface AuditFlags {
  readonly reporter?: readonly ReporterFlag[];
  readonly quiet?: boolean;
}

const REPORTERS: ReportLoaders<readonly PactAudit[]> = {
  text: async () => (await import('../pact/audit/audit-text.js')).auditText,
  json: async () => (pacts) => `${JSON.stringify({ auditVersion: 1, pacts }, null, 2)}\n`,
};

/** `plant-store audit <pact…>`: holds pacts against the interface. Needs no provider. */
export function addAuditCommand(program: Command, io: CommandIo, conclude: (status: number) => void): void {
  program
    .command('audit')
    .argument('<pact...>', 'pact files, and folders of which every .json file is taken')
    .summary('find what pacts ask for that the interface does not promise')
    .description(
      'Holds pacts against the interface, without any provider: what do their consumers rely on that is not ' +
        'promised, and what of the interface do they leave alone?',
    )
    .option(
      '--reporter <name[=file]>',
      'text or json; to a file where one is named; can be repeated (default: text)',
      reporter,
    )
    .option('--quiet', 'leave out of the text what is as it should be (default where CI is set)')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], flags: AuditFlags) => {
      conclude(await audit(paths, flags, io));
    });
}

const EXAMPLES = `
Examples:
  plant-store audit pacts/
  plant-store audit pacts/web-shop-plant-store.json --quiet
  plant-store audit pacts/ --reporter text --reporter json=audit.json

Exit status: 0 no pact asks for more than the interface promises; 1 one does; 2 misuse, or there is
no pact, or one that cannot be read.`;

async function audit(paths: readonly string[], flags: AuditFlags, io: CommandIo): Promise<number> {
  const chosen = await chosenReporters(flags.reporter, REPORTERS);
  const [{ localPacts }, { auditExitCode, auditPact }] = await Promise.all([
    import('../pact/pact-sources.js'),
    import('../pact/audit/audit.js'),
  ]);
  const audits: PactAudit[] = [];
  const problems: ToolkitError[] = [];
  const attempt = async (work: () => Promise<void>): Promise<void> => {
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
        await attempt(async () => void audits.push(await auditPact(text, { where })));
    });
  const [first] = problems;
  if (first !== undefined)
    throw new ToolkitError(first.code, problems.map(({ message }) => message).join('; '), { cause: first });
  await writeReports(audits, chosen, flags.quiet, io);
  tellOutcome(chosen, audits.map(({ summary }) => summary).join('\n'), io);
  return auditExitCode(audits);
}
