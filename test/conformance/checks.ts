import {
  type CheckOptions,
  type CheckReport,
  checkConformance,
  type Evidence,
  type FetchHandler,
} from 'plant-store-contract/conformance';
import { casesOf } from 'plant-store-contract/reporters';
import { createPlantStore, startPlantStore } from 'plant-store-contract/server';
import { dryRun } from '../../src/conformance/prepare.js';
import { isBroken } from '../../src/report/conclusion.js';
import { type AnyFaultName, faultsNamed } from './faults/index.js';

/** The token of the providers in these tests. */
export const token = 'a-token-that-no-report-may-hold';

/** Checks a function. Prism is not asked: its opinion changes no verdict. */
export function checkFetch(fetch: FetchHandler, options: Partial<CheckOptions> = {}): Promise<CheckReport> {
  return checkConformance({ baseUrl: 'http://localhost', fetch, token, prism: false, ...options });
}

/** Checks the reference server, without Prism, which changes no verdict. */
export async function checkStore(
  faults: readonly AnyFaultName[] = [],
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  await using store = await startPlantStore({ token, faults: faultsNamed(...faults) });
  return await checkConformance({ baseUrl: store.url, token, prism: false, ...options });
}

/** The names of the rows that a check would send, in order. */
export function plannedRows(options: Partial<CheckOptions> = {}): string[] {
  const planned = dryRun({ baseUrl: 'http://localhost', ...options });
  return Array.from(planned.matchAll(/^# (\S+): /gm), ([, name = '']) => name);
}

/** The rules that a provider breaks. */
export function brokenIn({ rules }: CheckReport): string[] {
  return rules.filter(isBroken).map(({ id }) => id);
}

/** How a rule fails. */
export function evidenceOf(report: CheckReport, rule: string): readonly Evidence[] {
  return casesOf(report).find(({ id }) => id === rule)?.evidence ?? [];
}

/** A request on its way to the reference server. */
export interface Passing {
  readonly request: Request;
  readonly body: string;
  /** Whether it has the right token. */
  readonly isAuthorised: boolean;
  /** Lets the reference server answer. */
  pass(): Promise<Response>;
}

/** Checks the reference server, as a function behind one that answers some requests by itself. */
export function checkBehind(
  handle: (passing: Passing) => Response | Promise<Response>,
  options: Partial<CheckOptions> = {},
): Promise<CheckReport> {
  const { fetch } = createPlantStore({ token });
  return checkFetch(async (request) => {
    const isAuthorised = request.headers.get('authorization') === `Bearer ${token}`;
    const body = await request.clone().text();
    return await handle({ request, body, isAuthorised, pass: async () => fetch(request) });
  }, options);
}

/** A response with JSON: an Error, unless something else is given. */
export function answer(status: number, body: object = { error: status, message: 'not this one' }): Response {
  return Response.json(body, { status });
}
