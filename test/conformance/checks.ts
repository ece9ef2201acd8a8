import {
  type CheckOptions,
  type CheckReport,
  checkConformance,
  type FetchHandler,
} from 'plant-store-contract/conformance';
import { createPlantStore } from 'plant-store-contract/server';
import { isBroken } from '../../src/report/conclusion.js';
import { type AnyFaultName, faultsNamed } from './faults/index.js';

/** The token of the providers in these tests. */
export const token = 'a-token-that-no-report-may-hold';

/** Checks a function, which takes less time than a server. Prism is not asked: its opinion changes no verdict. */
export function checkFetch(fetch: FetchHandler, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  return checkConformance({ baseUrl: 'http://localhost', fetch, token, prism: false, ...options });
}

/** Checks the reference server, as a function. */
export function checkStore(
  faults: readonly AnyFaultName[] = [],
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  return checkFetch(createPlantStore({ token, faults: faultsNamed(...faults) }).fetch, options);
}

/** The rules that a provider breaks. */
export function brokenIn({ rules }: CheckReport): string[] {
  return rules.filter(isBroken).map(({ id }) => id);
}
