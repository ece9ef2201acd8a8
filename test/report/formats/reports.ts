import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import type { Report } from 'plant-store-contract/reporters';
import { createPlantStore } from 'plant-store-contract/server';
import { type AnyFaultName, faultsNamed } from '../../conformance/faults/index.js';

/** The token of the providers that these reports are of. */
export const token = 'token-of-these-tests';

/** Faults that are six problems. */
export const SIX: readonly AnyFaultName[] = [
  'leaks-id',
  'accepts-null-tag',
  'accepts-missing-token',
  'refuses-media-type-parameters',
  'accepts-empty-body',
  'rounds-ids',
];

/** Rules of each topic. */
const FEW = [
  ...['success/status-is-200', 'success/plant-fields-only', 'success/tag-is-optional'],
  ...['auth/missing-token-is-refused', 'request/null-tag-is-refused'],
  ...['failure/media-type-is-json', 'failure/body-is-an-error'],
  ...['unspecified/missing-token', 'unspecified/repeated-id'],
];

const reports = new Map<string, Promise<CheckReport>>();

/**
 * The report of a check of the reference server with faults, quickly: by a few rules, and without notes. Many tests read the same
 * report; none can change it. Warnings count as errors: test/conformance/severity.test.ts has both.
 */
export function quickReportOn(
  faults: readonly AnyFaultName[],
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  return reportOn(faults, { only: FEW, ...options });
}

/** The same by every rule. */
export function wholeReportOn(faults: readonly AnyFaultName[]): Promise<CheckReport> {
  return reportOn(faults, {});
}

function reportOn(faults: readonly AnyFaultName[], options: Partial<CheckOptions>): Promise<CheckReport> {
  const key = JSON.stringify([faults, options]);
  const report = reports.get(key) ?? checked(faults, options).then(frozen);
  reports.set(key, report);
  return report;
}

async function checked(
  faults: readonly AnyFaultName[],
  options: Partial<CheckOptions>,
): Promise<CheckReport> {
  const { fetch } = createPlantStore({ token, faults: faultsNamed(...faults) });
  const report = await checkConformance({ baseUrl: 'http://store', fetch, token, strict: true, ...options });
  return { ...report, notes: [] };
}

function frozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null || Object.isFrozen(data)) return data;
  for (const part of Object.values(data)) frozen(part);
  return Object.freeze(data);
}

/** A report of no check, to see what a format does with some parts. */
export function reportWith(given: Partial<Report>): Report {
  return {
    reportVersion: 1,
    kind: 'verify',
    toolVersion: '1.2.3',
    interfaceVersion: '1.0.0',
    subject: 'POST http://localhost/plants',
    startedAt: '2026-01-31T00:00:00.000Z',
    durationMs: 1,
    conclusion: 'does-not-conform',
    summary: 'The provider fails an interaction.',
    notes: [],
    counts: { pass: 0, fail: 1, warn: 0, observed: 0, blocked: 0, 'not-applicable': 0, error: 0 },
    groups: [],
    findings: [],
    sections: [],
    remarks: [],
    ...given,
  };
}

/** The ids of the rules with a verdict. */
export function idsOf(report: CheckReport, wanted: CheckReport['rules'][number]['verdict']): string[] {
  return report.rules.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
}
