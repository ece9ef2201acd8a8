import type { CheckReport, Evidence } from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';

/** How a rule fails. */
export function evidenceOf(report: CheckReport, rule: string): readonly Evidence[] {
  return casesOf(report).find(({ id }) => id === rule)?.evidence ?? [];
}
