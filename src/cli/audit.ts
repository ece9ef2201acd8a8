import { setImmediate } from 'node:timers/promises';
import { defineCommand, flag } from './command.js';
import { prepareReports, reportFlags } from './reports.js';

/** `plant-store-contract audit <pact…>`: compares pacts with the interface. Needs no provider. */
export const command = defineCommand({
  description:
    'Compares pacts with the interface, without a provider. Reports each expectation that the ' +
    'interface does not promise.',
  args: [{ form: '<pact...>', help: 'pact files, and folders with .json files' }],
  flags: [
    flag('--provider <name>', 'audit only the pacts with this provider (default: plant-store)'),
    ...reportFlags,
  ],
  async run(given, io) {
    const startedAt = new Date();
    const reports = await prepareReports(given, io);
    const [{ checkAny, PROVIDER, pactsIn }, { auditReport }] = await Promise.all([
      import('../pact/pacts.js'),
      import('../pact/audit/audit.js'),
    ]);
    const provider = given.flags.provider ?? PROVIDER;
    const found = await pactsIn(given.args, provider);
    checkAny(provider, found);
    // Each step may take a second if there are thousands of interactions. A signal is noticed between them.
    await setImmediate();
    const report = auditReport(found, startedAt);
    await setImmediate();
    return reports.write(report);
  },
});
