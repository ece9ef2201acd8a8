import { errorFaults } from './errors.js';
import type { Fault } from './fault.js';
import { inputFaults } from './input.js';
import { responseFaults } from './responses.js';
import { stateFaults } from './state.js';
import { tokenFaults } from './tokens.js';

/** What the author of a client, a gateway or a test suite wants to see. */
const faults = { ...tokenFaults, ...inputFaults, ...responseFaults, ...errorFaults, ...stateFaults };

/** The name of a fault. */
export type FaultName = keyof typeof faults;

/** The names of all faults. */
export const faultNames = Object.keys(faults) as readonly FaultName[];

/** A fault by its name. */
export function faultNamed(name: FaultName): Fault & { readonly name: FaultName } {
  return { name, ...faults[name] };
}

/**
 * Loads every fault of the reference server: its name, what it does wrong, and the rules that it breaks.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { loadFaults, startPlantStore } from 'plant-store-contract/server';
 *
 * const leak = (await loadFaults()).find(({ name }) => name === 'leaks-id');
 * assert.deepEqual(leak?.breaks, ['success/plant-fields-only']);
 *
 * await using store = await startPlantStore({ token: 'secret', faults: ['leaks-id'] });
 * assert.ok(store.port > 0);
 */
export async function loadFaults(): Promise<readonly (Fault & { readonly name: FaultName })[]> {
  return faultNames.map(faultNamed);
}
