import { checkConformance } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { createPlantStore, type FaultName } from 'plant-store-contract/server';

/** What a check of the reference server with a fault finds: the rules, and the families whose requests show it. */
export async function foundBy(
  fault: FaultName,
): Promise<{ readonly rules: readonly string[]; readonly families: readonly string[] }> {
  const token = 'a-token-of-these-tests';
  const { fetch } = createPlantStore({ token, faults: [fault] });
  const report = await checkConformance({ baseUrl: 'http://localhost', fetch, token, prism: false });
  const failed = casesOf(report).filter(({ verdict }) => verdict === 'fail');
  const shown = failed.flatMap(({ evidence }) => evidence.map((one) => one.exchanges?.at(-1) ?? -1));
  const families = shown.map((at) => report.exchanges[at]?.name.split('/')[0] ?? '');
  return { rules: failed.map(({ id }) => id), families: [...new Set(families)] };
}
