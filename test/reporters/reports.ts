import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { type FaultName, startPlantStore } from 'plant-store-contract/server';

/** The token of the providers that these reports are of. */
export const token = 'token-of-these-tests';

/** The report of a reference server with faults. */
export async function reportOn(
  faults: readonly FaultName[],
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  await using store = await startPlantStore({ token, faults });
  return await checkConformance({ baseUrl: store.url, token, ...options });
}

/** The ids of the rules with a verdict. */
export function idsOf(report: CheckReport, wanted: CheckReport['rules'][number]['verdict']): string[] {
  return report.rules.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
}
