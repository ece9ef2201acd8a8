import { type CheckOptions, type CheckReport, checkConformance } from 'plant-store-contract/conformance';
import { createPlantStore, type PlantStoreOptions } from 'plant-store-contract/server';
import { isBroken } from '../../src/report/conclusion.js';

const token = 'token-of-these-tests';

/** A request on its way to the reference server. */
export interface Passing {
  readonly request: Request;
  readonly body: string;
  /** Whether it has the right token. */
  readonly isAuthorised: boolean;
  /** Lets the reference server answer. */
  pass(): Promise<Response>;
}

/** Checks the reference server without a port, behind a handler that answers some requests by itself. */
export async function checkedInProcess(
  handle: (passing: Passing) => Response | Promise<Response>,
  { store = {}, ...options }: Partial<CheckOptions> & { readonly store?: Partial<PlantStoreOptions> } = {},
): Promise<CheckReport> {
  const { fetch } = createPlantStore({ token, ...store });
  return await checkConformance({
    ...{ baseUrl: 'http://localhost', token, prism: false, ...options },
    async fetch(request) {
      const isAuthorised = request.headers.get('authorization') === `Bearer ${token}`;
      const body = await request.clone().text();
      return await handle({ request, body, isAuthorised, pass: async () => fetch(request) });
    },
  });
}

/** A response with JSON: an Error, unless something else is given. */
export function answer(status: number, body: object = { error: status, message: 'not this one' }): Response {
  return Response.json(body, { status });
}

/** The rules that failed. */
export function broken({ rules }: CheckReport): string[] {
  return rules.filter(isBroken).map(({ id }) => id);
}
