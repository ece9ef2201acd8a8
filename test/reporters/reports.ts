import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';

/** The token of the providers that these reports are of. */
export const token = 'token-of-these-tests';

const reports = new Map<string, Promise<CheckReport>>();

/** The report of a reference server with faults. Many tests read the same report; none can change it. */
export function reportOn(
  faults: readonly FaultName[],
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  const key = JSON.stringify([faults, options]);
  const report = reports.get(key) ?? freshReport(faults, options);
  reports.set(key, report);
  return report;
}

async function freshReport(
  faults: readonly FaultName[],
  options: Partial<CheckOptions>,
): Promise<CheckReport> {
  await using store = await startPlantStore({ token, faults });
  return frozen(await checkConformance({ baseUrl: store.url, token, ...options }));
}

function frozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  for (const part of Object.values(data)) frozen(part);
  return Object.freeze(data);
}

/** The ids of the rules with a verdict. */
export function idsOf(report: CheckReport, wanted: CheckReport['rules'][number]['verdict']): string[] {
  return report.rules.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
}
