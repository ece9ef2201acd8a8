import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Command } from 'commander';
import type { AuditedPact } from '../pact/audit/report.js';
import type { CommandIo } from './io.js';
import { prepareReports, type ReportFlags, withReportFlags } from './reports.js';

interface AuditFlags extends ReportFlags {
  readonly provider?: string;
}

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
      )
      .option('--provider <name>', 'audit only the pacts with this provider (default: plant-store)'),
    { hasExchanges: false },
  )
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

Exit status: 0: no pact relies on more than the interface promises. 1: a pact does. 2: usage error, no
pact with the provider, or a pact cannot be read or is empty.`;

async function audit(paths: readonly string[], flags: AuditFlags, io: CommandIo): Promise<number> {
  const startedAt = new Date();
  const reports = await prepareReports(flags, io, { hasExchanges: false });
  const [{ filesAt, localPacts }, { PROVIDER, PactSelection }, { judgePact }, { auditReport }] =
    await Promise.all([
      import('../pact/pact-sources.js'),
      import('../pact/select-pacts.js'),
      import('../pact/audit/audit.js'),
      import('../pact/audit/report.js'),
    ]);
  const selection = new PactSelection(flags.provider ?? PROVIDER);
  for (const path of paths) {
    // Of a folder, a file that cannot be read does not hide the others. A path without files is a problem itself.
    for (const file of await filesAt(path).catch(() => [path])) await selection.add(localPacts([file]));
  }
  if (selection.pacts.length === 0) selection.check();
  const { pacts, leftOut, unread } = selection;
  let isStopped = false;
  void io.untilStopped().then(() => {
    isStopped = true;
  });
  const audited: AuditedPact[] = [];
  for (const { pact, source } of pacts) {
    // Between two pacts, a signal to stop can come in.
    await nextTurn();
    if (isStopped) break;
    audited.push(judgePact(pact, source));
  }
  const unaudited = pacts.length - audited.length;
  return reports.write(auditReport({ pacts: audited, leftOut, unread, unaudited, startedAt }));
}
