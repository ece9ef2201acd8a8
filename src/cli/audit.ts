import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AuditedPact } from '../pact/audit/report.js';
import { defineCommand, flag } from './command.js';
import { prepareReports, reportFlagsWithoutExchanges } from './reports.js';

/** `plant-store audit <pact…>`: compares pacts with the interface. Needs no provider. */
export const audit = defineCommand({
  description:
    'Compares pacts with the interface, without a provider. Reports each expectation that the ' +
    'interface does not promise, and what the pacts do not cover.',
  args: [
    {
      form: '<pact...>',
      help: 'pact files, patterns such as "pacts/**/*.json", and folders with .json files',
    },
  ],
  flags: [
    flag('--provider <name>', 'audit only the pacts with this provider (default: plant-store)'),
    ...reportFlagsWithoutExchanges,
  ],
  examples: `Examples:
  plant-store audit pacts/
  plant-store audit pacts/web-shop-plant-store.json --quiet
  plant-store audit pacts/ --reporter text --reporter json=audit.json

Exit status: 0: no pact relies on more than the interface promises. 1: a pact does. 2: usage error, no
pact with the provider, or a pact cannot be read or is empty.`,
  async run(given, io) {
    const startedAt = new Date();
    const reports = await prepareReports(given, io, { hasExchanges: false });
    const [{ pactsFrom, PROVIDER, selectPacts }, { judgePact }, { auditReport }] = await Promise.all([
      import('../pact/pact-sources.js'),
      import('../pact/audit/audit.js'),
      import('../pact/audit/report.js'),
    ]);
    const found = selectPacts(given.flags.provider ?? PROVIDER, await pactsFrom(given.args));
    const { pacts, leftOut } = found;
    const unread = found.unread.map(({ problem }) => problem.message);
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
  },
});
